// Every mask, alone and together.
#ifndef WHEREOF_TESTS_ATTENTION_MASK_CASES_H_
#define WHEREOF_TESTS_ATTENTION_MASK_CASES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "whereof/attention.h"

namespace whereof::attention_test {

struct NamedMask {
  std::string name;
  AttentionMask mask;
};

// Masks for two sequences of up to 150 rows and 230 keys.
inline std::vector<NamedMask> masks_for(std::int64_t query_length, std::int64_t key_length) {
  std::vector<NamedMask> masks;
  for (const bool is_causal : {false, true}) {
    const std::string of = is_causal ? "causal " : "full ";
    masks.push_back({of + "window 1", {.is_causal = is_causal, .window = 1}});
    masks.push_back({of + "window 70", {.is_causal = is_causal, .window = 70}});
    masks.push_back(
        {of + "window, sinks", {.is_causal = is_causal, .window = 20, .kept_sinks = 5}});
    masks.push_back({of + "lengths",
                     {.is_causal = is_causal,
                      .query_lengths = {query_length / 2, query_length},
                      .key_lengths = {key_length - 3, key_length / 3}}});
    masks.push_back({of + "no rows, no keys",
                     {.is_causal = is_causal,
                      .query_lengths = {0, query_length},
                      .key_lengths = {key_length, 0}}});
    masks.push_back({of + "documents",
                     {.is_causal = is_causal, .document_starts = {0, 1, 40, 41, 120, 200, 900}}});
    masks.push_back({of + "hidden",
                     {.is_causal = is_causal,
                      .hidden = {{0, 2}, {3, 4}, {key_length / 2, key_length / 2 + 30}}}});
    masks.push_back({of + "all hidden", {.is_causal = is_causal, .hidden = {{0, key_length}}}});
    masks.push_back({of + "everything",
                     {.is_causal = is_causal,
                      .window = 33,
                      .kept_sinks = 7,
                      .query_lengths = {query_length, query_length / 2},
                      .key_lengths = {key_length, key_length - 15},
                      .document_starts = {0, 50, 130},
                      .hidden = {{2, 5}, {55, 60}, {key_length - 20, key_length - 9}}}});
    masks.push_back({of + "offset, window, sinks",
                     {.is_causal = is_causal, .query_offset = -5, .window = 9, .kept_sinks = 3}});
    masks.push_back(
        {of + "behind all keys",
         {.is_causal = is_causal, .query_offset = 1000, .window = 900, .kept_sinks = 3}});
  }
  return masks;
}

}  // namespace whereof::attention_test

#endif  // WHEREOF_TESTS_ATTENTION_MASK_CASES_H_
