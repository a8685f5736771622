// find_references: expressions are scanned first (reference_expression.h); the brackets that are
// left mark items in running text; then each expression is looked up (clause_index.h).
#include "whereof/references.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "document/clause_index.h"
#include "document/clause_wording.h"
#include "document/reference_expression.h"
#include "document/reference_numbers.h"
#include "document/running_text.h"

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
  const auto equal = [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a | 0x20) : a) == b;
  };
  return std::search(text.begin(), text.end(), lower.begin(), lower.end(), equal) != text.end();
}

// Does the document change another one, which "the Agreement" then means?
bool is_amendment(std::string_view text) {
  const std::string_view title = text.substr(0, kTitleBytes);
  return contains_folded(title, "amendment to") || contains_folded(title, "amendment no") ||
         contains_folded(title, "first amendment") || contains_folded(title, "second amendment") ||
         contains_folded(title, "third amendment") || contains_folded(title, "补充协议");
}

class ReferenceFinder {
 public:
  explicit ReferenceFinder(const Document& document)
      : document_(document),
        running_(document),
        expressions_(scan_references(running_.text())),
        index_(document, item_marks(running_, expressions_)),
        is_amendment_(is_amendment(running_.text())),
        room_(static_cast<std::int64_t>(document.text.size())) {}

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
    if (is_outside(expression)) {
      reference.kind = ReferenceKind::external;
      remember_outside(expression);
    } else {
      resolve(expression, reference);
    }
    references_.push_back(std::move(reference));
    named_.push_back(first.kind == StepKind::numbered ? first.key : std::string());
  }

  bool is_outside(const ReferenceExpression& expression) const {
    if (expression.place == ReferencePlace::outside) return true;
    return is_amendment_ && expression.outside.end > expression.outside.begin;
  }

  void remember_outside(const ReferenceExpression& expression) {
    for (const ReferenceItem& item : expression.items) outside_.insert(item.first[0].key);
  }

  void resolve(const ReferenceExpression& expression, Reference& reference) {
    ReferencePath before;
    for (const ReferenceItem& item : expression.items) {
      const Span place = running_.source(item.text.begin, item.text.end);
      const std::int64_t from = reference.text.begin;
      ReferencePath path;
      const std::int32_t first = item.is_continued && item.last.empty()
                                     ? continued(before, item.first, from, path)
                                     : found(item.first, from, path);
      std::int32_t last = first;
      if (!item.last.empty()) {
        const ReferencePath begin = path;
        last = item.is_continued ? continued(begin, item.last, from, path)
                                 : found(item.last, from, path);
      }
      before = path;
      if (first < 0 || last < 0) reference.missing.push_back(place);
      if (first >= 0 && last >= 0 && first != last) {
        const std::size_t size = reference.targets.size();
        index_.between(first, last, room_, reference.targets);
        room_ -= static_cast<std::int64_t>(reference.targets.size() - size);
      } else if (first >= 0 || last >= 0) {
        reference.targets.push_back(first >= 0 ? first : last);
      }
    }
    drop_repeats(reference.targets);
    reference.kind = reference.missing.empty()    ? ReferenceKind::resolved
                     : names_schedule(expression) ? ReferenceKind::unattached
                     : is_amendment_              ? ReferenceKind::external
                                                  : ReferenceKind::dangling;
  }

  std::int32_t found(const ReferencePath& wanted, std::int64_t from, ReferencePath& path) const {
    path = wanted;
    return index_.find(wanted, from);
  }

  // "(b)" behind "3.2(a)": in 3.2, or where that has none, in 3.2(a). path: what it stands for.
  std::int32_t continued(const ReferencePath& before, const ReferencePath& wanted,
                         std::int64_t from, ReferencePath& path) const {
    for (std::size_t keep = before.size(); keep-- > 0;) {
      ReferencePath tried(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(keep));
      tried.insert(tried.end(), wanted.begin(), wanted.end());
      const std::int32_t target = index_.find(tried, from);
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
  bool is_amendment_;
  std::int64_t room_;
  std::vector<Reference> references_;
  std::vector<std::string> named_;  // one a reference: the first number in it
  std::unordered_set<std::string> outside_;
};

}  // namespace
}  // namespace document

std::vector<Reference> find_references(const Document& document) {
  return document::ReferenceFinder(document).find();
}

}  // namespace whereof
