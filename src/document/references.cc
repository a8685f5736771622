// find_references: expressions are scanned first (reference_expression.h); the brackets that are
// left mark items in running text; then each expression is looked up (clause_index.h).
#include "whereof/references.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "document/clause_index.h"
#include "document/clause_wording.h"
#include "document/reference_expression.h"
#include "document/reference_numbers.h"
#include "document/reference_others.h"
#include "document/running_text.h"
#include "text/ascii_case.h"

namespace whereof {
namespace document {
namespace {

constexpr std::size_t kTitleBytes = 700;    // where a title says that this is an amendment
constexpr std::int64_t kLargeNumber = 100;  // sections of statutes are often numbered higher

// "(a)", "（一）" outside of references: marks of items.
std::vector<ItemMark> item_marks(const RunningText& running,
                                 const std::vector<ReferenceExpression>& expressions) {
  std::vector<ItemMark> marks;
  const std::string_view text = running.text();
  std::size_t next = 0;  // expression
  for (std::size_t n = text.find('('); n != std::string_view::npos; n = text.find('(', n + 1)) {
    while (next < expressions.size() && expressions[next].text.end <= n) ++next;
    if (next < expressions.size() && expressions[next].text.begin <= n) continue;
    NamedNumber number;
    if (!scan_named_number(text, n, NumberLetters::none, number)) continue;
    if (n > 0 && static_cast<unsigned char>(text[n - 1]) < 0x80 && text[n - 1] > ' ' &&
        text[n - 1] != ')' && text[n - 1] != '"') {
      continue;  // "share(s)"
    }
    marks.push_back({number.brackets[0], running.source(n)});
  }
  return marks;
}

bool contains_folded(std::string_view text, std::string_view lower) {
  const auto equal = [](char a, char b) { return text::ascii_lower(a) == b; };
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(), equal) != text.end();
}

// Does the document change another one, which "the Agreement" then means?
bool is_amendment(std::string_view text) {
  const std::string_view title = text.substr(0, kTitleBytes);
  for (const std::string_view words : {"补充协议", "amendment to", "amendment no"}) {
    if (contains_folded(title, words)) return true;
  }
  if (!contains_folded(title, "amendment") || contains_folded(title, "amended and restated")) {
    return false;
  }
  return contains_folded(text, "amended") || contains_folded(text, "amends");
}

// Lines and headings that could name a part of the document: "ADDITIONAL PROVISIONS".
std::unordered_map<std::string, std::int64_t> headed_parts(const Document& document) {
  constexpr std::int64_t kLongestName = 80;
  std::unordered_map<std::string, std::int64_t> parts;
  for (const Line& line : document.lines) {
    const bool is_name = line.kind == LineKind::body && line.text.length() <= kLongestName &&
                         line.text.begin >= 0 && !line.text.is_empty() &&
                         line.text.end <= static_cast<std::int64_t>(document.text.size());
    if (is_name) parts.try_emplace(folded_name(document.slice(line.text)), line.text.begin);
  }
  for (const Clause& clause : document.clauses) {
    if (clause.kind != ClauseKind::schedule || clause.heading.empty()) continue;
    parts.insert_or_assign(folded_name(clause.heading), clause.text.begin);
  }
  return parts;
}

class ReferenceFinder {
 public:
  ReferenceFinder(const Document& document, const std::vector<const Document*>& others)
      : document_(document),
        running_(document),
        expressions_(scan_references(running_.text())),
        index_(document, item_marks(running_, expressions_)),
        others_(document, others),
        parts_(headed_parts(document)),
        is_amendment_(is_amendment(running_.text())),
        room_(static_cast<std::int64_t>(document.text.size())) {}

  // Of a text that speaks about a document without being part of it.
  ReferenceFinder(const Document& text, const Document& about, const RunningText& of_about)
      : document_(text),
        running_(text),
        expressions_(scan_references(running_.text())),
        index_(about, item_marks(of_about, scan_references(of_about.text()))),
        others_(text, {}),
        parts_(headed_parts(about)),
        is_amendment_(is_amendment(of_about.text())),
        is_apart_(true),
        room_(static_cast<std::int64_t>(about.text.size())) {}

  std::vector<Reference> find() {
    for (ReferenceExpression& expression : expressions_) {
      if (is_own_number(running_.source(expression.text.begin))) continue;
      cut_at_clause(expression);
      add(expression, running_.source(expression.text.begin, expression.text.end));
    }
    for (Reference& reference : references_) settle_unnamed(reference);
    return std::move(references_);
  }

 private:
  std::vector<Clause>::const_iterator first_clause_behind(std::int64_t byte) const {
    return std::upper_bound(
        document_.clauses.begin(), document_.clauses.end(), byte,
        [](std::int64_t place, const Clause& clause) { return place < clause.text.begin; });
  }

  // Is it the number at the head of a clause?
  bool is_own_number(std::int64_t begin) const {
    const auto after = first_clause_behind(begin);
    if (after == document_.clauses.begin()) return false;
    const Clause& clause = *(after - 1);
    return begin < clause.text.begin + static_cast<std::int64_t>(clause.number.size());
  }

  // No expression goes on into another clause: that "(b)" heads it.
  void cut_at_clause(ReferenceExpression& expression) const {
    const std::int64_t begin = running_.source(expression.text.begin);
    const auto next = first_clause_behind(begin);
    if (next == document_.clauses.end()) return;
    std::vector<ReferenceItem>& items = expression.items;
    const auto reaches_in = [&](const ReferenceItem& item) {
      return running_.source(item.text.end - 1) >= next->text.begin;
    };
    while (items.size() > 1 && reaches_in(items.back())) {
      items.pop_back();
      expression.text.end = items.back().text.end;
    }
  }

  static bool names_schedule(const ReferenceExpression& expression) {
    return expression.items[0].first[0].unit == ReferenceUnit::schedule;
  }

  void add(const ReferenceExpression& expression, Span text) {
    Reference reference;
    reference.text = text;
    reference.clause = document_.clause_at(text.begin);
    const ReferenceStep& first = expression.items[0].first[0];
    reference.is_relative = first.kind != StepKind::numbered || first.unit == ReferenceUnit::item ||
                            first.unit == ReferenceUnit::han_paragraph;
    if (first.kind != StepKind::numbered && reference.clause < 0) return;  // no clause to be this
    const std::int64_t part = part_named(expression);
    const bool is_elsewhere = part < 0 && is_outside(expression);
    if (!is_elsewhere) {
      resolve(expression, {&index_, is_apart_ ? -1 : text.begin, part}, reference);
      const bool is_amended = is_amendment_ && reference.kind != ReferenceKind::resolved;
      if (is_amended) reference.kind = ReferenceKind::external;
    } else {
      reference.kind = ReferenceKind::external;
      for (const ReferenceItem& item : expression.items) outside_.insert(item.first[0].key);
    }
    if (reference.kind == ReferenceKind::external) resolve_elsewhere(expression, reference);
    references_.push_back(std::move(reference));
    named_.push_back(first.kind == StepKind::numbered ? first.key : std::string());
  }

  void resolve_elsewhere(const ReferenceExpression& expression, Reference& reference) const {
    const PlaceInText name = expression.outside;
    std::int32_t other = others_.called(running_.text().substr(name.begin, name.end - name.begin));
    const bool is_base = is_amendment_ && expression.place != ReferencePlace::outside;
    if (other < 0 && is_base) other = others_.amended();
    reference.targets.clear();
    reference.missing.clear();
    if (other < 0) return;
    reference.document = other;
    resolve(expression, {&others_.index(other), -1, -1}, reference);
  }

  // Where the part of this document begins that the expression says it is of; -1 for none.
  std::int64_t part_named(const ReferenceExpression& expression) const {
    if (expression.place != ReferencePlace::outside) return -1;
    const PlaceInText name = expression.outside;
    if (name.end <= name.begin) return -1;
    const auto found =
        parts_.find(folded_name(running_.text().substr(name.begin, name.end - name.begin)));
    return found == parts_.end() ? -1 : found->second;
  }

  bool is_outside(const ReferenceExpression& expression) const {
    if (expression.place == ReferencePlace::outside) return true;
    return is_amendment_ && expression.outside.end > expression.outside.begin;
  }

  // Where paths are looked up.
  struct Place {
    const ClauseIndex* index = nullptr;
    std::int64_t from = -1;        // byte where the reference stands
    std::int64_t not_before = -1;  // byte where the part begins that it names

    std::int32_t find(const ReferencePath& path) const {
      return index->find(path, from, not_before);
    }
  };

  void resolve(const ReferenceExpression& expression, const Place& place,
               Reference& reference) const {
    ReferencePath before;
    for (const ReferenceItem& item : expression.items) {
      ReferencePath path = item.first;
      const std::int32_t first = item.is_continued && item.last.empty()
                                     ? continued(before, item.first, place, path)
                                     : place.find(item.first);
      std::int32_t last = first;
      if (!item.last.empty()) {
        const ReferencePath begin = path;
        path = item.last;
        last = item.is_continued ? continued(begin, item.last, place, path) : place.find(item.last);
      }
      before = std::move(path);
      if (first < 0 || last < 0) {
        reference.missing.push_back(running_.source(item.text.begin, item.text.end));
      }
      if (first >= 0 && last >= 0 && first != last) {
        const std::size_t size = reference.targets.size();
        place.index->between(first, last, room_, reference.targets);
        room_ -= static_cast<std::int64_t>(reference.targets.size() - size);
      } else if (first >= 0 || last >= 0) {
        reference.targets.push_back(first >= 0 ? first : last);
      }
    }
    drop_repeats(reference.targets);
    reference.kind = reference.missing.empty()    ? ReferenceKind::resolved
                     : names_schedule(expression) ? ReferenceKind::unattached
                                                  : ReferenceKind::dangling;
  }

  // "(b)" behind "3.2(a)": in 3.2, or where that has none, in 3.2(a). path: what it stands for.
  static std::int32_t continued(const ReferencePath& before, const ReferencePath& wanted,
                                const Place& place, ReferencePath& path) {
    for (std::size_t keep = before.size(); keep-- > 0;) {
      ReferencePath tried(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(keep));
      tried.insert(tried.end(), wanted.begin(), wanted.end());
      const std::int32_t target = place.find(tried);
      if (target >= 0) {
        path = std::move(tried);
        return target;
      }
    }
    path = before;
    return -1;
  }

  static void drop_repeats(std::vector<std::int32_t>& targets) {
    std::unordered_set<std::int32_t> seen;
    std::erase_if(targets, [&](std::int32_t c) { return !seen.insert(c).second; });
  }

  // "Section 1542" alone is a statute's where the text names that statute somewhere, or where its
  // number is far beyond those of the document.
  void settle_unnamed(Reference& reference) {
    if (reference.kind != ReferenceKind::dangling || reference.is_relative) return;
    if (reference.document >= 0 || is_apart_) return;
    const std::string& key = named_[static_cast<std::size_t>(&reference - references_.data())];
    std::int64_t number = 0;
    for (const char c : key) {
      if (c < '0' || c > '9' || number > kLargeNumber) break;
      number = number * 10 + (c - '0');
    }
    const bool is_large = number >= kLargeNumber && number > 2 * index_.largest_number();
    if (reference.targets.empty() && (outside_.contains(key) || is_large)) {
      reference.kind = ReferenceKind::external;
      reference.missing.clear();
    }
  }

  const Document& document_;
  RunningText running_;
  std::vector<ReferenceExpression> expressions_;
  ClauseIndex index_;
  OtherDocuments others_;
  std::unordered_map<std::string, std::int64_t> parts_;
  bool is_amendment_;
  bool is_apart_ = false;
  mutable std::int64_t room_;  // how many clauses ranges may still name
  std::vector<Reference> references_;
  std::vector<std::string> named_;  // one a reference: the first number in it
  std::unordered_set<std::string> outside_;
};

}  // namespace
}  // namespace document

std::vector<Reference> find_references(const Document& document) {
  return find_references(document, {});
}

std::vector<Reference> find_references(const Document& document,
                                       const std::vector<const Document*>& others) {
  return document::ReferenceFinder(document, others).find();
}

std::vector<Reference> find_references_to(const Document& document, std::string_view text) {
  if (document::scan_references(text).empty()) return {};
  Document speaker;
  speaker.text = text;
  speaker.lines.push_back({.text = {0, std::ssize(text)}});
  return document::ReferenceFinder(speaker, document, document::RunningText(document)).find();
}

}  // namespace whereof
