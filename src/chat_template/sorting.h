// Stable sorting by Python's order.
#ifndef WHEREOF_CHAT_TEMPLATE_SORTING_H_
#define WHEREOF_CHAT_TEMPLATE_SORTING_H_

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "chat_template/operators.h"
#include "chat_template/value.h"

namespace whereof::chat_template {

// Merges halves, so that an order that contradicts itself (NaN) gives some order and no more.
// Throws Failure for values that have no order.
template <typename Item, typename KeyOf>
void sort_values(Memory& memory, std::vector<Item>& items, const KeyOf& key_of) {
  std::vector<Item> merged(items.size());
  for (std::size_t width = 1; width < items.size(); width *= 2) {
    for (std::size_t begin = 0; begin < items.size(); begin += 2 * width) {
      const std::size_t middle = std::min(begin + width, items.size());
      const std::size_t end = std::min(begin + 2 * width, items.size());
      std::size_t left = begin;
      std::size_t right = middle;
      for (std::size_t at = begin; at < end; ++at) {
        const bool takes_right =
            left == middle ||
            (right < end && is_less(memory, key_of(items[right]), key_of(items[left])));
        merged[at] = items[takes_right ? right++ : left++];
      }
    }
    items.swap(merged);
  }
}

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_SORTING_H_
