// find_clauses: body lines -> candidates -> units in a tree -> clauses with labels, headings,
// spans.
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/clause_candidates.h"
#include "document/clause_headings.h"
#include "document/clause_labels.h"
#include "document/clause_sequence.h"
#include "document/clause_tails.h"
#include "document/clause_wording.h"
#include "whereof/document.h"

namespace whereof {
namespace document {
namespace {

class ClauseBuilder {
 public:
  explicit ClauseBuilder(const Document& document)
      : document_(document), lines_(body_lines(document)) {}

  std::vector<Clause> build() {
    if (lines_.empty()) return {};
    candidates_ = find_candidates(document_, lines_);
    drop_contents(document_, candidates_);
    for (const BodyLine& line : lines_) {
      if (line.closes_body) closers_.push_back(line.text.begin);
    }
    units_ = nest_candidates(candidates_, closers_, content_end());
    if (units_.empty()) return {};
    cut_tails(document_, lines_, candidates_, units_);
    add_preamble();
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (u > 0) add_closing(units_[u - 1].begin, units_[u].begin);
      clause_of_unit_.push_back(static_cast<std::int32_t>(clauses_.size()));
      add_clause(u);
    }
    add_closing(units_.back().begin, content_end());
    set_kinds();
    set_own_text();
    label_clauses(numbers_, clauses_);
    for (Clause& clause : clauses_) {
      clause.first_page = document_.page_of(clause.text.begin);
      clause.last_page = document_.page_of(std::max(clause.text.begin, clause.text.end - 1));
    }
    return std::move(clauses_);
  }

 private:
  std::string_view slice(std::int64_t begin, std::int64_t end) const {
    return document_.slice({begin, std::max(begin, end)});
  }
  const Candidate& candidate(std::size_t u) const {
    return candidates_[static_cast<std::size_t>(units_[u].candidate)];
  }

  // Footers and page numbers behind the last clause belong to no clause.
  static bool is_content(LineKind kind) {
    return kind == LineKind::body || kind == LineKind::table || kind == LineKind::footnote ||
           kind == LineKind::form_field;
  }
  std::int64_t content_end() const {
    for (std::size_t i = document_.lines.size(); i-- > 0;) {
      if (is_content(document_.lines[i].kind)) return document_.lines[i].text.end;
    }
    return lines_.back().text.end;
  }

  // The end of what is content before this byte, without blanks and running lines.
  std::int64_t trimmed_end(std::int64_t begin, std::int64_t end) const {
    const auto after =
        std::partition_point(document_.lines.begin(), document_.lines.end(),
                             [end](const Line& line) { return line.text.begin < end; });
    for (auto line = after; line != document_.lines.begin();) {
      --line;
      if (line->text.end <= begin) break;
      if (!is_content(line->kind)) continue;
      const std::int64_t from = std::max(begin, line->text.begin);
      const std::int64_t to = std::min(end, line->text.end);
      if (to <= from) continue;
      const std::string_view text = slice(from, to);
      const std::string_view whole = trim(text);
      if (whole.empty()) continue;
      return from + static_cast<std::int64_t>(whole.data() - text.data() +
                                              static_cast<std::ptrdiff_t>(whole.size()));
    }
    return begin;
  }

  // Parties (1), (2) and recitals (A), (B) that stand before the first unit of the skeleton lie in
  // the preamble, where there is a skeleton at all; so do recitals 1., 2. before 第一条.
  std::size_t first_of_skeleton() const {
    bool has_sections = false;
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (units_[u].parent < 0) has_sections = has_sections || is_section(u);
    }
    for (std::size_t u = 0; u < units_.size(); ++u) {
      const NumberForm form = candidate(u).number.form;
      if (units_[u].parent >= 0 || is_list_form(form)) continue;
      if (!has_sections || form != NumberForm::decimal) return u;
    }
    return 0;
  }

  bool is_section(std::size_t u) const {
    const NumberForm form = candidate(u).number.form;
    return form == NumberForm::article || form == NumberForm::section;
  }

  void add_preamble() {
    const std::size_t skeleton = first_of_skeleton();
    const std::int64_t begin = lines_.front().text.begin;
    const std::int64_t end = trimmed_end(begin, units_[skeleton].begin);
    if (end <= begin) return;
    Clause preamble;
    preamble.kind = ClauseKind::preamble;
    preamble.text = {begin, end};
    clauses_.push_back(preamble);
    numbers_.emplace_back();
    for (std::size_t u = 0; u < skeleton; ++u) {
      units_[u].end = std::min(units_[u].end, end);
      ++units_[u].depth;
      if (units_[u].parent < 0) units_[u].parent = -2;  // the preamble
    }
  }

  // Where the body was closed between two units, what follows belongs to none of them.
  void add_closing(std::int64_t unit_begin, std::int64_t next_begin) {
    const auto closer = std::upper_bound(closers_.begin(), closers_.end(), unit_begin);
    if (closer == closers_.end() || *closer >= next_begin) return;
    Clause closing;
    closing.kind = ClauseKind::closing;
    closing.text = {*closer, trimmed_end(*closer, next_begin)};
    if (closing.text.is_empty()) return;
    clauses_.push_back(closing);
    numbers_.emplace_back();
  }

  void add_clause(std::size_t u) {
    const Unit& unit = units_[u];
    const Candidate& at = candidate(u);
    Clause clause;
    clause.parent = unit.parent == -2  ? 0
                    : unit.parent >= 0 ? clause_of_unit_[static_cast<std::size_t>(unit.parent)]
                                       : -1;
    clause.depth = unit.depth;
    clause.number = std::string(slice(at.begin, at.begin + at.number.number_bytes));
    clause.text = {unit.begin,
                   std::max(trimmed_end(unit.begin, unit.end), at.begin + at.number.number_bytes)};
    clause.heading = heading_of(u);
    clauses_.push_back(std::move(clause));
    numbers_.push_back({at.number, units_[u].reading});
  }

  // Is this line part of the paragraph before it? Readers cannot always tell; a small letter does.
  bool goes_on_in(std::string_view paragraph, const BodyLine& line) const {
    return !line.starts_paragraph || leads_on(tail(paragraph)) ||
           begins_lower(slice(line.text.begin, line.text.end));
  }

  // The paragraph behind the number, and the one after it, end where the next unit begins.
  std::string heading_of(std::size_t u) const {
    const Candidate& at = candidate(u);
    const std::int64_t stop =
        u + 1 < units_.size() ? std::min(units_[u + 1].begin, units_[u].end) : units_[u].end;
    if (units_[u].begin + at.number.bytes > stop) return {};
    auto line = static_cast<std::size_t>(at.line);
    std::int64_t end = std::min(stop, lines_[line].text.end);
    const std::int64_t begin = std::min(at.after, end);
    const std::string_view first = slice(begin, end);
    // A heading that its line cuts goes on in the next: paragraphs are put together again.
    std::string paragraph(first);
    std::size_t next = line + 1;
    while (next < lines_.size() && paragraph.size() < 200 && lines_[next].text.begin < stop &&
           !trim(first).empty() && goes_on_in(paragraph, lines_[next])) {
      paragraph += ' ';
      paragraph += slice(lines_[next].text.begin, std::min(stop, lines_[next].text.end));
      ++next;
    }
    std::string_view following;
    if (next < lines_.size() && lines_[next].text.begin < stop) {
      following = slice(lines_[next].text.begin, std::min(stop, lines_[next].text.end));
    }
    HeadingSource source;
    source.paragraph = paragraph;
    source.following = following;
    source.is_part = is_part_form(at.number.form) || at.number.form == NumberForm::schedule;
    const bool has_text = !following.empty() && !lines_[next].is_banner;
    source.goes_on = has_text || stop < units_[u].end;
    return find_heading(source);
  }

  // An article over sections is a part; one that holds its text itself is a clause.
  void set_kinds() {
    std::vector<bool> holds_clauses(clauses_.size(), false);
    for (std::size_t c = 0; c < clauses_.size(); ++c) {
      if (clauses_[c].parent < 0) continue;
      const NumberForm form = numbers_[c].token.form;
      if (form == NumberForm::section || form == NumberForm::decimal) {
        holds_clauses[static_cast<std::size_t>(clauses_[c].parent)] = true;
      }
    }
    for (std::size_t c = 0; c < clauses_.size(); ++c) {
      if (clauses_[c].kind == ClauseKind::preamble) continue;
      const NumberForm form = numbers_[c].token.form;
      if (form == NumberForm::schedule) {
        clauses_[c].kind = ClauseKind::schedule;
      } else if (form == NumberForm::article) {
        clauses_[c].kind = holds_clauses[c] ? ClauseKind::part : ClauseKind::clause;
      } else if (is_part_form(form)) {
        clauses_[c].kind = ClauseKind::part;
      }
    }
  }

  void set_own_text() {
    for (Clause& clause : clauses_) clause.own_text = clause.text;
    for (std::size_t c = clauses_.size(); c-- > 0;) {
      const std::int32_t parent = clauses_[c].parent;
      if (parent < 0) continue;
      Clause& above = clauses_[static_cast<std::size_t>(parent)];
      above.own_text.end = trimmed_end(above.text.begin, clauses_[c].text.begin);
    }
  }

  const Document& document_;
  std::vector<BodyLine> lines_;
  std::vector<Candidate> candidates_;
  std::vector<std::int64_t> closers_;  // bytes where the body ends
  std::vector<Unit> units_;
  std::vector<std::int32_t> clause_of_unit_;
  std::vector<Clause> clauses_;
  std::vector<LabelledNumber> numbers_;  // one a clause
};

}  // namespace
}  // namespace document

void find_clauses(Document& document) {
  document.clauses = document::ClauseBuilder(document).build();
}

}  // namespace whereof
