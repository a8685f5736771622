// Exact tiled attention with its evidence.
//
//   scores  = scale * query . key^T           over the keys that the mask leaves visible,
//                                             soft-capped if asked
//   weights = softmax(scores)                 a row at a time
//   output  = weights . value
//
// Computed tile by tile with an online softmax (Milakov and Gimelshein 2018, arXiv 1805.02867; Dao
// et al. 2022, arXiv 2205.14135): exact up to rounding, memory O(query_length), never
// [query_length, key_length]. Keys may be split over threads; partial results are merged exactly by
// their log_sum_exp.
#ifndef WHEREOF_ATTENTION_H_
#define WHEREOF_ATTENTION_H_

#include <cstdint>
#include <optional>
#include <stop_token>
#include <vector>

#include "whereof/evidence.h"
#include "whereof/instruction_set.h"
#include "whereof/span.h"
#include "whereof/tensor_view.h"

namespace whereof {

// Which keys a query row sees: those that pass everything given here. Query row i of a sequence
// stands at position query_offset + i; positions and keys count from 0 in each sequence.
//
//   causal,           causal, window 3,      causal,                    causal, offset 3,
//   query_offset 2    kept_sinks 1,          document_starts {0, 3}     hidden {{1, 3}}
//                     offset 4
//   key 0 1 2 3 4     key 0 1 2 3 4 5 6      key 0 1 2 3 4              key 0 1 2 3 4 5
//       x x x             x   x x x              x                          x     x
//       x x x x           x     x x x            x x                        x     x x
//       x x x x x         x       x x x          x x x                      x     x x x
//                                                      x
//                                                      x x
struct AttentionMask {
  bool is_causal = false;
  // Position of query row 0; std::nullopt aligns the last row with the last key of its sequence.
  std::optional<std::int64_t> query_offset;
  // A row at position p sees the keys p - window < key < p + window; 0: no window.
  std::int64_t window = 0;
  // First keys of the sequence, or of the row's document, that stay visible before the window.
  std::int64_t kept_sinks = 0;
  // Rows and keys of each sequence, [batch]; empty: all. Rows behind their sequence see no key.
  std::vector<std::int64_t> query_lengths;
  std::vector<std::int64_t> key_lengths;
  // Where documents begin, ascending from 0: a row sees keys of the document at its own position
  // only (sequences packed one after the other). Empty: one document.
  std::vector<std::int64_t> document_starts;
  // Key positions that no row sees, ascending, disjoint, none empty: as if these keys were absent,
  // without moving the others (ablation).
  std::vector<Span> hidden;
};

// Scales of a cache of i8: element [b, k, h, d] of the key is key.scale[b, k, h, 0] times the
// stored number, likewise for the value. f32, shaped as key and value with a last dimension of 1;
// where the cache is paged they are paged alike. quantise_cache (cache_quantisation.h) writes both.
struct CacheScales {
  ConstTensorView key;
  ConstTensorView value;
};

// A paged cache: key and value are [pages, page_length, kv_heads, dim], and key k of sequence b is
// row k % page_length of page table[b * pages_per_sequence + k / page_length]. Of the table only
// what the keys of each sequence need is read; pages may be shared.
struct KeyPages {
  const std::int32_t* table = nullptr;  // [batch, pages_per_sequence]
  std::int64_t pages_per_sequence = 0;
  std::int64_t key_length = 0;
};

struct AttentionOptions {
  std::optional<double> scale;  // std::nullopt: 1 / sqrt(head_dim)
  // Scores become soft_cap * tanh(score / soft_cap); 0: they stay as they are.
  float soft_cap = 0;
  AttentionMask mask;
  std::optional<CacheScales> cache_scales;  // of a cache of i8, and of no other
  std::optional<KeyPages> key_pages;
  int threads = 0;                                // 0: all of the process's pool
  std::optional<InstructionSet> instruction_set;  // std::nullopt: chosen_instruction_set()
  // Asked before each block of query rows, some hundredths of a second apart at most by intent.
  // When it says stop the call throws Error(cancelled), and what it writes is left unfinished.
  std::stop_token stop;
};

// query   [batch, query_length, query_heads, head_dim]   f32, bf16, f16 or f64, rows contiguous
// key     [batch, key_length, kv_heads, head_dim]        same type as value; f32, bf16, f16, i8 or
// f64 value   [batch, key_length, kv_heads, value_dim]       key and value may be paged: KeyPages
// output  [batch, query_length, query_heads, value_dim]  f32, bf16, f16 or f64; must overlap no
// input query_heads is a multiple of kv_heads; head h reads kv head h / (query_heads / kv_heads).
// log_sum_exp, if not null: [batch, query_heads, query_length] floats, dense.
// evidence_request and evidence: both null or neither; evidence is overwritten.
// f64 goes with f64 alone: it is computed row by row in double whatever the instruction set, tens
// of times slower, for those who hold gradients against differences; log_sum_exp and evidence stay
// floats.
//
// Decode is the same call with query_length 1. Any strides with innermost stride 1, so a KV cache
// of layout [kv_heads, capacity, head_dim] is passed as it lies. Numerics: f32 sums; the row
// maximum is subtracted, so no score overflows; where query, key and value are all bf16 and the
// instruction set multiplies bf16, weights are rounded to bf16 before they meet the values; there
// bf16 queries over a cache of i8 are decoded in 16-bit integers (docs/attention.md, Numbers); a
// row that sees no key gives zeros and log_sum_exp -infinity; NaN or infinity in one query row
// stays in that row. The same bits for any number of threads. Memory: O(block * head_dim) a thread,
// and the evidence asked for. Threads: uses the process's pool; calls from several threads are safe
// and run one after another. Throws Error(invalid_argument) naming the tensor, the shape found and
// the shape wanted, Error(unsupported) for a type or an instruction set that cannot be had, and
// Error(cancelled) when stopped.
void attention_forward(const ConstTensorView& query, const ConstTensorView& key,
                       const ConstTensorView& value, const TensorView& output,
                       const AttentionOptions& options = {}, float* log_sum_exp = nullptr,
                       const EvidenceRequest* evidence_request = nullptr,
                       Evidence* evidence = nullptr);

}  // namespace whereof

#endif  // WHEREOF_ATTENTION_H_
