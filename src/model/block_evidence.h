// Evidence of a call that is read in several blocks: the request of each block, and the sum.
#ifndef WHEREOF_MODEL_BLOCK_EVIDENCE_H_
#define WHEREOF_MODEL_BLOCK_EVIDENCE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "whereof/evidence.h"

namespace whereof::model {

// The part of a request that concerns the rows [begin, end) of the call, when the last of them
// sees the keys 0 .. key_length - 1. Rows are counted from `begin`; key spans that lie behind
// key_length are cut off (their mass is zero).
struct BlockRequest {
  EvidenceRequest request;
  std::int64_t first_group = 0;  // the group of the whole that the block's group 0 is part of
};

// Throws Error(invalid_argument) unless the rows and spans of rows lie within the `rows` of the
// call and ascend; what concerns keys is checked by attention_forward.
void check_request(const EvidenceRequest& request, std::int64_t rows);

// std::nullopt when no row of the block is asked for.
std::optional<BlockRequest> block_request(const EvidenceRequest& whole, std::int64_t begin,
                                          std::int64_t end, std::int64_t key_length);

// Evidence of no rows at all, of the shape that `request` asks for.
Evidence empty_evidence(const EvidenceRequest& request, std::int64_t query_heads);

// Adds a block's evidence: sums add, the largest weight and the top keys are chosen anew.
void add_block(const BlockRequest& block, const Evidence& part, Evidence& whole);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_BLOCK_EVIDENCE_H_
