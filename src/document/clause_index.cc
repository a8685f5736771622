#include "document/clause_index.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "document/clause_keys.h"
#include "document/clause_numbers.h"

namespace whereof::document {
namespace {

constexpr int kMostLevels = 64;        // no walk upwards is longer, whatever the tree
constexpr std::size_t kMostTwins = 8;  // clauses of one number that are tried

std::string key_text(std::int32_t scope, int level, const std::string& key) {
  return std::to_string(scope) + "|" + std::to_string(level) + "|" + key;
}

// A letter right behind a digit: 3.2A.
bool ends_in_letter(const std::string& key) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  const auto is_letter = [](char c) { return (c | 0x20) >= 'a' && (c | 0x20) <= 'z'; };
  return key.size() > 1 && is_letter(key.back()) && is_digit(key[key.size() - 2]);
}

std::string child_text(std::int32_t parent, const std::string& key) {
  return std::to_string(parent) + "|" + key;
}

}  // namespace

ClauseIndex::ClauseIndex(const Document& document, const std::vector<ItemMark>& marks)
    : document_(document),
      clauses_(document.clauses),
      levels_(clauses_.size(), Level::section),
      is_item_(clauses_.size(), false),
      scopes_(clauses_.size(), -1),
      series_(clauses_.size(), 0),
      children_(clauses_.size() + 1),
      order_(clauses_.size(), 0) {
  for (std::size_t c = 0; c < clauses_.size(); ++c) add(c);
  for (const ItemMark& mark : marks) marks_[mark.key].push_back(mark.at);
  for (const Line& line : document.lines) {
    const bool is_content = line.kind == LineKind::body || line.kind == LineKind::footnote;
    if (is_content && line.starts_paragraph && !line.text.is_empty()) {
      paragraph_starts_.push_back(line.text.begin);
    }
  }
  std::sort(paragraph_starts_.begin(), paragraph_starts_.end());
}

void ClauseIndex::add(std::size_t c) {
  const Clause& clause = clauses_[c];
  const std::int32_t parent = clause.parent;
  Places& siblings = children_[parent < 0 ? clauses_.size() : static_cast<std::size_t>(parent)];
  order_[c] = static_cast<std::int32_t>(siblings.size());
  siblings.push_back(static_cast<std::int32_t>(c));
  if (parent >= 0) {
    const auto p = static_cast<std::size_t>(parent);
    scopes_[c] = clauses_[p].kind == ClauseKind::schedule ? parent : scopes_[p];
    series_[c] = series_[p];
  }
  if (clause.number.empty()) return;
  const std::optional<NumberToken> token = token_of(clause.number);
  if (!token) {
    add_keys(c, {letters_of(clause.number)}, false);
    return;
  }
  levels_[c] = token->form < NumberForm::section ? static_cast<Level>(token->form) : Level::section;
  is_item_[c] = is_list_form(token->form) || token->form == NumberForm::subsection;
  std::vector<std::string> keys = keys_of(clause.number, *token);
  if (levels_[c] == Level::book && token->reading[0].value == 0) {  // 物权编 is 第二编
    keys = {std::to_string(++named_books_)};
  }
  add_keys(c, keys, token->components > 1);
  if (parent < 0) series_[c] = last_series_;
  if (levels_[c] == Level::section && !is_item_[c] && scopes_[c] < 0) {
    const std::int64_t first = token->components > 1 ? token->prefix[0] : token->reading[0].value;
    largest_number_ = std::max(largest_number_, first);
  }
}

void ClauseIndex::add_keys(std::size_t c, const std::vector<std::string>& keys, bool has_prefix) {
  const std::int32_t parent = clauses_[c].parent;
  const bool stands_above =
      parent < 0 || clauses_[static_cast<std::size_t>(parent)].kind != ClauseKind::clause;
  for (const std::string& key : keys) {
    child_by_key_[child_text(parent, key)].push_back(static_cast<std::int32_t>(c));
    if (has_prefix) {  // 3.2 is the second of 3
      const std::string last = key.substr(key.rfind('.') + 1);
      child_by_key_[child_text(parent, last)].push_back(static_cast<std::int32_t>(c));
    }
    if (levels_[c] == Level::schedule) {
      add_key(-1, Level::schedule, schedule_word(clauses_[c].number) + " " + key, c);
    } else if (!is_item_[c] || stands_above) {
      add_key(scopes_[c], levels_[c], key, c);
    }
  }
}

void ClauseIndex::add_key(std::int32_t scope, Level level, const std::string& key, std::size_t c) {
  Places& places = by_key_[key_text(scope, static_cast<int>(level), key)];
  if (clauses_[c].parent < 0 && level == Level::section) {
    last_series_ = std::max(last_series_, static_cast<std::int32_t>(places.size()));
  }
  places.push_back(static_cast<std::int32_t>(c));
}

bool ClauseIndex::is_ancestor(std::int32_t above, std::int32_t below) const {
  const Span outer = at(above).text, inner = at(below).text;
  return above <= below && outer.begin <= inner.begin && inner.begin < outer.end;
}

// Of clauses that share a number: the one nearest in the tree to where the reference stands, then
// that of the same numbering where it begins anew in the file, the least deep, the others.
void ClauseIndex::pick(const Places& places, const Search& search, Places& found) const {
  const std::size_t begin = found.size();
  const auto offer = [&](std::int32_t c) {
    const auto from = found.begin() + static_cast<std::ptrdiff_t>(begin);
    if (found.size() - begin < kMostTwins && std::find(from, found.end(), c) == found.end()) {
      found.push_back(c);
    }
  };
  if (search.not_before >= 0) {
    const auto behind = std::lower_bound(
        places.begin(), places.end(), search.not_before,
        [this](std::int32_t c, std::int64_t byte) { return at(c).text.begin < byte; });
    if (behind != places.end()) offer(*behind);
  }
  int steps = 0;
  for (std::int32_t up = search.from; up >= 0 && steps < kMostLevels; up = at(up).parent, ++steps) {
    const auto inside = std::lower_bound(places.begin(), places.end(), up);
    if (inside == places.end() || !is_ancestor(up, *inside)) continue;
    offer(*inside);
    break;
  }
  const std::size_t looked = std::min(places.size(), kMostTwins);
  for (std::size_t i = 0; i < looked && search.from >= 0; ++i) {
    const bool is_beside = series_[static_cast<std::size_t>(places[i])] ==
                           series_[static_cast<std::size_t>(search.from)];
    if (is_beside) offer(places[i]);
  }
  std::int32_t best = places[0];
  for (std::size_t i = 1; i < looked; ++i) {
    if (at(places[i]).depth < at(best).depth) best = places[i];
  }
  offer(best);
  for (std::size_t i = 0; i < looked; ++i) offer(places[i]);
}

void ClauseIndex::top_in(const ReferenceStep& step, std::int32_t scope, const Search& search,
                         Places& found) const {
  Level levels[2] = {Level::section, Level::article};
  const auto set = [&levels](Level first, Level second = Level::schedule) {
    levels[0] = first;
    levels[1] = second;
  };
  switch (step.unit) {
    case ReferenceUnit::schedule:
      set(Level::schedule);
      break;
    case ReferenceUnit::book:
      set(Level::book, Level::part);
      break;
    case ReferenceUnit::title:
      set(Level::title);
      break;
    case ReferenceUnit::part:
      set(Level::part, Level::book);
      break;
    case ReferenceUnit::chapter:
      set(Level::chapter, Level::section);
      break;
    case ReferenceUnit::subchapter:
      set(Level::subchapter);
      break;
    case ReferenceUnit::article:
      set(Level::article, Level::section);
      break;
    default:
      break;
  }
  const std::optional<std::string> digits = roman_as_digits(step.key);
  for (const Level level : levels) {
    for (const std::string* key : {&step.key, digits ? &*digits : nullptr}) {
      if (key == nullptr) continue;
      const auto places = by_key_.find(key_text(scope, static_cast<int>(level), *key));
      if (places != by_key_.end()) pick(places->second, search, found);
    }
  }
  // "3.2" where only the 3 is printed, and a 2 inside it; "1.a"; "3.2A" for A. inside 3.2.
  const std::size_t dot = step.key.rfind('.');
  const std::size_t letter = ends_in_letter(step.key) ? step.key.size() - 1 : std::string::npos;
  const std::size_t end = letter != std::string::npos ? letter : dot;
  if (end == std::string::npos || !found.empty()) return;
  ReferenceStep above = step;
  above.key = step.key.substr(0, end);
  Places parents;
  top_in(above, scope, search, parents);
  const std::string child = step.key.substr(end == dot ? end + 1 : end);
  for (const std::int32_t parent : parents) {
    children_with(parent, child, found);
    if (found.empty()) children_with(parent, with_other_case(child), found);
  }
}

ClauseIndex::Places ClauseIndex::top(const ReferenceStep& step, const Search& search) const {
  // "Clause 3" in a schedule is the body's, "paragraph 3" the schedule's own.
  const bool body_first = search.scope >= 0 && step.unit == ReferenceUnit::clause;
  Places found;
  top_in(step, body_first ? -1 : search.scope, search, found);
  if (search.scope >= 0) top_in(step, body_first ? search.scope : -1, search, found);
  return found;
}

void ClauseIndex::children_with(std::int32_t parent, const std::string& key, Places& found) const {
  const auto children = child_by_key_.find(child_text(parent, key));
  if (children == child_by_key_.end()) return;
  const std::size_t count = std::min(children->second.size(), kMostTwins);
  found.insert(found.end(), children->second.begin(),
               children->second.begin() + static_cast<std::ptrdiff_t>(count));
}

// The clause whose text holds the item's mark, within the parent: the last mark before `near`, or
// the first.
std::int32_t ClauseIndex::marked(std::int32_t parent, const std::string& key,
                                 std::int64_t near) const {
  const auto found = marks_.find(key);
  if (found == marks_.end()) return -1;
  const std::vector<std::int64_t>& places = found->second;
  const Span text = at(parent).text;
  auto place = std::lower_bound(places.begin(), places.end(), text.begin);
  if (place == places.end() || *place >= text.end) return -1;
  const auto behind = std::lower_bound(place, places.end(), near);
  if (behind != place) place = behind - 1;
  return *place < text.end ? document_.clause_at(*place) : -1;
}

ClauseIndex::Places ClauseIndex::inside(std::int32_t parent, const ReferenceStep& step,
                                        const Search& search) const {
  Places found;
  children_with(parent, step.key, found);
  if (step.unit == ReferenceUnit::han_paragraph) {
    std::erase_if(found, [this](std::int32_t c) { return is_item_[static_cast<std::size_t>(c)]; });
    std::int64_t wanted = 0;
    std::from_chars(step.key.data(), step.key.data() + step.key.size(), wanted);
    const Span text = at(parent).text;
    if (wanted <= std::max<std::int64_t>(1, paragraphs_in(text.begin, text.end))) {
      found.push_back(parent);
    }
    return found;
  }
  if (found.empty()) children_with(parent, with_other_case(step.key), found);
  if (step.unit != ReferenceUnit::item) {
    const std::int32_t scope = at(parent).kind == ClauseKind::schedule
                                   ? parent
                                   : scopes_[static_cast<std::size_t>(parent)];
    Search below = search;
    below.from = parent;
    Places numbered;
    top_in(step, scope, below, numbered);
    for (const std::int32_t c : numbered) {
      if (is_ancestor(parent, c)) found.push_back(c);
    }
  }
  const std::int32_t held = marked(parent, step.key, at(parent).text.begin);
  if (held >= 0) found.push_back(held);
  return found;
}

// "clause (b)": among the children of the clause that speaks, then of those above it.
std::int32_t ClauseIndex::near(const ReferenceStep& step, const Search& search) const {
  int steps = 0;
  for (std::int32_t up = search.from; steps < kMostLevels; up = at(up).parent, ++steps) {
    const auto found = child_by_key_.find(child_text(up, step.key));
    if (found != child_by_key_.end()) {
      const auto behind = std::lower_bound(
          found->second.begin(), found->second.end(), search.at,
          [this](std::int32_t c, std::int64_t byte) { return at(c).text.begin < byte; });
      return behind == found->second.begin() ? *behind : *(behind - 1);
    }
    if (up < 0) break;
    const std::int32_t held = marked(up, step.key, search.at);
    if (held >= 0) return held;
  }
  return -1;
}

std::int64_t ClauseIndex::paragraphs_in(std::int64_t begin, std::int64_t end) const {
  return std::lower_bound(paragraph_starts_.begin(), paragraph_starts_.end(), end) -
         std::lower_bound(paragraph_starts_.begin(), paragraph_starts_.end(), begin);
}

std::int32_t ClauseIndex::this_unit(ReferenceUnit unit, std::int32_t from) const {
  if (from < 0 || unit == ReferenceUnit::paragraph || unit == ReferenceUnit::item) return from;
  if (unit == ReferenceUnit::schedule) {
    const bool is_schedule = at(from).kind == ClauseKind::schedule;
    return is_schedule ? from : scopes_[static_cast<std::size_t>(from)];
  }
  const auto matches = [unit](Level level) {
    switch (unit) {
      case ReferenceUnit::book:
        return level == Level::book;
      case ReferenceUnit::title:
        return level == Level::title;
      case ReferenceUnit::part:
        return level == Level::part;
      case ReferenceUnit::chapter:
        return level == Level::chapter;
      case ReferenceUnit::subchapter:
        return level == Level::subchapter;
      case ReferenceUnit::article:
        return level == Level::article;
      default:
        return false;
    }
  };
  std::int32_t outermost = -1;  // of sections
  int steps = 0;
  for (std::int32_t up = from; up >= 0 && steps < kMostLevels; up = at(up).parent, ++steps) {
    const auto u = static_cast<std::size_t>(up);
    if (matches(levels_[u])) return up;
    const bool is_section = levels_[u] == Level::section || levels_[u] == Level::article;
    if (!is_section || at(up).number.empty()) continue;
    const bool is_innermost = unit == ReferenceUnit::section || unit == ReferenceUnit::clause;
    if (is_innermost && !is_item_[u]) return up;
    outermost = up;
  }
  const bool is_section = unit == ReferenceUnit::section || unit == ReferenceUnit::clause ||
                          unit == ReferenceUnit::article || unit == ReferenceUnit::han_paragraph;
  return is_section ? outermost : -1;
}

// The paragraph before the one at a place: in the same clause, or the clause before it.
std::int32_t ClauseIndex::paragraph_before(std::int32_t from, std::int64_t place, int count) const {
  const std::int32_t article = this_unit(ReferenceUnit::han_paragraph, from);
  const std::int32_t section = this_unit(ReferenceUnit::section, from);
  if (section >= 0 && section != article) {  // 前款 in 3.2 is 3.1
    const std::int32_t order = order_[static_cast<std::size_t>(section)];
    if (order >= count) return siblings_of(section)[static_cast<std::size_t>(order - count)];
  }
  if (article < 0) return -1;
  return paragraphs_in(at(article).text.begin, place + 1) > count ? article : -1;
}

std::int32_t ClauseIndex::relative(const ReferenceStep& step, const Search& search) const {
  if (search.from < 0) return -1;
  if (step.kind == StepKind::previous && step.unit == ReferenceUnit::han_paragraph) {
    return paragraph_before(search.from, search.at, step.count);
  }
  const bool is_han = step.key == kHanArticle;
  const std::int32_t base =
      this_unit(is_han ? ReferenceUnit::han_paragraph : step.unit, search.from);
  if (step.kind == StepKind::this_one || base < 0) return base;
  if (is_han) {  // articles count on through chapters
    std::int32_t other = base;
    for (int n = 0; n < step.count && other >= 0; ++n) {
      do {
        --other;
      } while (other >= 0 && (levels_[static_cast<std::size_t>(other)] != Level::section ||
                              at(other).depth != at(base).depth));
    }
    return other;
  }
  const Places& siblings = siblings_of(base);
  const std::int32_t order =
      order_[static_cast<std::size_t>(base)] + (step.kind == StepKind::next ? 1 : -step.count);
  const bool is_there = order >= 0 && order < static_cast<std::int32_t>(siblings.size());
  if (is_there) return siblings[static_cast<std::size_t>(order)];
  // Before the first item stand the words of the clause itself; unnumbered paragraphs follow.
  if (step.unit != ReferenceUnit::paragraph) return -1;
  return at(base).parent >= 0 ? at(base).parent : base;
}

// What the first step of a path may name, likeliest first.
ClauseIndex::Places ClauseIndex::beginnings(const ReferenceStep& step, const Search& search) const {
  const auto one = [](std::int32_t c) { return c < 0 ? Places() : Places{c}; };
  if (step.kind != StepKind::numbered) return one(relative(step, search));
  switch (step.unit) {
    case ReferenceUnit::schedule: {
      Places found;
      top_in(step, -1, search, found);
      return found;
    }
    case ReferenceUnit::item: {
      const std::int32_t found = near(step, search);
      return found >= 0 ? Places{found} : top(step, search);
    }
    case ReferenceUnit::han_paragraph: {
      const std::int32_t article = this_unit(step.unit, search.from);
      return article < 0 ? Places() : inside(article, step, search);
    }
    default: {
      Places found = top(step, search);
      if (found.empty() && step.unit == ReferenceUnit::paragraph) found = one(near(step, search));
      return found;
    }
  }
}

// The clause that the rest of a path names below this one; twins are tried one after another.
std::int32_t ClauseIndex::descend(const ReferencePath& path, std::size_t next, std::int32_t clause,
                                  Search& search) const {
  if (next == path.size()) return clause;
  for (const std::int32_t below : inside(clause, path[next], search)) {
    if (--search.attempts < 0) break;
    const std::int32_t found = descend(path, next + 1, below, search);
    if (found >= 0) return found;
  }
  return -1;
}

std::int32_t ClauseIndex::find(const ReferencePath& path, std::int64_t place,
                               std::int64_t not_before) const {
  if (path.empty()) return -1;
  Search search;
  search.from = document_.clause_at(place);
  search.at = place;
  search.not_before = not_before;
  search.attempts = 64;
  if (search.from >= 0) {
    search.scope = at(search.from).kind == ClauseKind::schedule
                       ? search.from
                       : scopes_[static_cast<std::size_t>(search.from)];
  }
  for (const std::int32_t first : beginnings(path[0], search)) {
    const std::int32_t found = descend(path, 1, first, search);
    if (found >= 0) return found;
  }
  return -1;
}

void ClauseIndex::between(std::int32_t first, std::int32_t last, std::int64_t room,
                          std::vector<std::int32_t>& targets) const {
  const std::int32_t parent = at(first).parent;
  const bool are_siblings = parent == at(last).parent && first <= last;
  std::vector<std::int32_t> found;
  if (are_siblings) {
    const Places& siblings = siblings_of(first);
    const auto begin = siblings.begin() + order_[static_cast<std::size_t>(first)];
    const auto end = siblings.begin() + order_[static_cast<std::size_t>(last)] + 1;
    if (end - begin <= room) found.assign(begin, end);
  } else if (first < last && last - first <= room) {
    for (std::int32_t c = first; c <= last; ++c) {
      if (at(c).depth == at(first).depth) found.push_back(c);
    }
  }
  if (found.empty()) found = {first, last};
  targets.insert(targets.end(), found.begin(), found.end());
}

const ClauseIndex::Places& ClauseIndex::siblings_of(std::int32_t clause) const {
  const std::int32_t parent = at(clause).parent;
  return children_[parent < 0 ? clauses_.size() : static_cast<std::size_t>(parent)];
}

}  // namespace whereof::document
