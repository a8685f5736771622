#include "document/clause_tails.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "document/clause_wording.h"

namespace whereof::document {
namespace {

constexpr float kClearlyLeft = 6;  // points

class TailCutter {
 public:
  TailCutter(const Document& document, const std::vector<BodyLine>& lines,
             const std::vector<Candidate>& candidates, std::vector<Unit>& units)
      : document_(document),
        lines_(lines),
        candidates_(candidates),
        units_(units),
        last_child_(units.size(), -1),
        elder_(units.size(), -1),
        has_younger_(units.size(), false),
        are_single_(units.size(), true) {}

  void run() {
    for (std::size_t u = 0; u < units_.size(); ++u) {
      const std::int32_t parent = units_[u].parent;
      if (parent < 0) continue;
      std::int32_t& last = last_child_[static_cast<std::size_t>(parent)];
      if (last >= 0) {
        elder_[u] = last;
        has_younger_[static_cast<std::size_t>(last)] = true;
      }
      last = static_cast<std::int32_t>(u);
    }
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (elder_[u] < 0) continue;
      const auto elder = static_cast<std::size_t>(elder_[u]);
      are_single_[u] = are_single_[elder] && paragraph_behind(elder, first_line(elder)) < 0;
    }
    for (std::size_t u = units_.size(); u-- > 0;) cut(u);
  }

 private:
  const Candidate& candidate(std::size_t u) const {
    return candidates_[static_cast<std::size_t>(units_[u].candidate)];
  }
  std::string_view text_of(std::size_t line) const { return document_.slice(lines_[line].text); }
  std::size_t first_line(std::size_t u) const {
    return static_cast<std::size_t>(candidate(u).line) + 1;
  }

  // The first line from `line` on, in the unit and before its first child, that begins a sentence
  // in a new paragraph behind a whole one; -1 for none.
  std::int64_t paragraph_behind(std::size_t u, std::size_t line) const {
    const bool has_child =
        u + 1 < units_.size() && units_[u + 1].parent == static_cast<std::int32_t>(u);
    const std::int64_t stop = has_child ? units_[u + 1].begin : units_[u].end;
    return next_paragraph(line, stop);
  }

  std::int64_t next_paragraph(std::size_t line, std::int64_t stop) const {
    for (; line > 0 && line < lines_.size() && lines_[line].text.begin < stop; ++line) {
      const bool is_new = lines_[line].starts_paragraph && !begins_lower(text_of(line)) &&
                          ends_sentence(tail(text_of(line - 1)));
      if (is_new) return static_cast<std::int64_t>(line);
    }
    return -1;
  }

  void cut(std::size_t u) {
    if (units_[u].parent < 0 || has_younger_[u] || !is_list_form(candidate(u).number.form)) return;
    std::size_t line = first_line(u);
    if (last_child_[u] >= 0) {  // what its own last item left over
      const std::int64_t from = units_[static_cast<std::size_t>(last_child_[u])].end;
      if (from >= units_[u].end) return;
      line = static_cast<std::size_t>(
          std::partition_point(lines_.begin(), lines_.end(),
                               [from](const BodyLine& l) { return l.text.begin < from; }) -
          lines_.begin());
    }
    for (std::int64_t next = next_paragraph(line, units_[u].end); next >= 0;
         next = next_paragraph(line, units_[u].end)) {
      line = static_cast<std::size_t>(next);
      if (lies_outside(u, line)) {
        units_[u].end = lines_[line].text.begin;
        return;
      }
      ++line;
    }
  }

  bool lies_outside(std::size_t u, std::size_t line) const {
    const float item = candidate(u).left;
    const float left = document_.lines[static_cast<std::size_t>(lines_[line].index)].left;
    const bool is_known = item > 0 && left > 0;
    if (is_known && left + kClearlyLeft < item) return true;
    if (is_known && left > item + kClearlyLeft) return false;
    return elder_[u] >= 0 && are_single_[u];
  }

  const Document& document_;
  const std::vector<BodyLine>& lines_;
  const std::vector<Candidate>& candidates_;
  std::vector<Unit>& units_;
  std::vector<std::int32_t> last_child_;
  std::vector<std::int32_t> elder_;  // the sibling right before
  std::vector<bool> has_younger_;
  std::vector<bool> are_single_;  // every elder sibling is one paragraph
};

}  // namespace

void cut_tails(const Document& document, const std::vector<BodyLine>& lines,
               const std::vector<Candidate>& candidates, std::vector<Unit>& units) {
  TailCutter(document, lines, candidates, units).run();
}

}  // namespace whereof::document
