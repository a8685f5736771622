// The clauses of a document by what references call them.
#ifndef WHEREOF_DOCUMENT_CLAUSE_INDEX_H_
#define WHEREOF_DOCUMENT_CLAUSE_INDEX_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "document/reference_expression.h"
#include "whereof/document.h"

namespace whereof::document {

// Where an item's mark, "(a)", stands in running text, for items that are no clauses of their own.
struct ItemMark {
  std::string key;
  std::int64_t at = 0;  // byte of Document::text
};

class ClauseIndex {
 public:
  // marks ascending. The document must outlive the index.
  ClauseIndex(const Document& document, const std::vector<ItemMark>& marks);

  // The clause that a path names when it stands at this byte of the text; -1 when none does. Of
  // clauses that share a number those behind `not_before` come first, if that is given. A bounded
  // number of look-ups, each logarithmic.
  std::int32_t find(const ReferencePath& path, std::int64_t at, std::int64_t not_before = -1) const;

  // All clauses from one to the other, both included: siblings where they are siblings, else those
  // of the same depth that lie between. Appends to targets at most `room` clauses.
  void between(std::int32_t first, std::int32_t last, std::int64_t room,
               std::vector<std::int32_t>& targets) const;

  // The largest number of a clause that is no schedule's, of those that look like one sequence.
  std::int64_t largest_number() const { return largest_number_; }

 private:
  enum class Level : std::uint8_t {
    schedule,
    book,
    title,
    part,
    chapter,
    subchapter,
    article,
    section
  };
  using Places = std::vector<std::int32_t>;

  // Where a path is looked up, and how many look-ups are left to it.
  struct Search {
    std::int32_t from = -1;   // the clause that speaks
    std::int32_t scope = -1;  // the schedule that it lies in
    std::int64_t at = 0;
    std::int64_t not_before = -1;
    int attempts = 0;
  };

  void add(std::size_t clause);
  void add_keys(std::size_t clause, const std::vector<std::string>& keys, bool has_prefix);
  void add_key(std::int32_t scope, Level level, const std::string& key, std::size_t clause);
  std::int32_t descend(const ReferencePath& path, std::size_t next, std::int32_t clause,
                       Search& search) const;
  Places beginnings(const ReferenceStep& step, const Search& search) const;
  Places inside(std::int32_t parent, const ReferenceStep& step, const Search& search) const;
  Places top(const ReferenceStep& step, const Search& search) const;
  void top_in(const ReferenceStep& step, std::int32_t scope, const Search& search,
              Places& found) const;
  void pick(const Places& places, const Search& search, Places& found) const;
  void children_with(std::int32_t parent, const std::string& key, Places& found) const;
  std::int32_t marked(std::int32_t parent, const std::string& key, std::int64_t near) const;
  std::int32_t near(const ReferenceStep& step, const Search& search) const;
  std::int32_t relative(const ReferenceStep& step, const Search& search) const;
  std::int32_t this_unit(ReferenceUnit unit, std::int32_t from) const;
  std::int32_t paragraph_before(std::int32_t from, std::int64_t at, int count) const;
  std::int64_t paragraphs_in(std::int64_t begin, std::int64_t end) const;
  bool is_ancestor(std::int32_t above, std::int32_t below) const;
  const Places& siblings_of(std::int32_t clause) const;
  const Clause& at(std::int32_t c) const { return clauses_[static_cast<std::size_t>(c)]; }

  const Document& document_;
  const std::vector<Clause>& clauses_;
  std::vector<Level> levels_;         // one a clause; section also for items
  std::vector<bool> is_item_;         // printed as a list's: (a), 一、, ①
  std::vector<std::int32_t> scopes_;  // the schedule each lies in, -1 for the body
  std::vector<std::int32_t> series_;  // how often the numbering at the top has begun anew before it
  std::vector<Places> children_;      // [clauses + 1]; the last: of the top
  std::vector<std::int32_t> order_;   // place among its siblings
  std::unordered_map<std::string, Places> by_key_;
  std::unordered_map<std::string, Places> child_by_key_;
  std::unordered_map<std::string, std::vector<std::int64_t>> marks_;
  std::vector<std::int64_t> paragraph_starts_;
  std::int32_t last_series_ = 0;
  std::int32_t named_books_ = 0;
  std::int64_t largest_number_ = 0;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_CLAUSE_INDEX_H_
