#include "document/clause_index.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>

#include "document/clause_numbers.h"
#include "document/clause_numerals.h"
#include "document/clause_wording.h"
#include "document/reference_numbers.h"

namespace whereof::document {
namespace {

constexpr int kMostLevels = 64;  // no walk upwards is longer, whatever the tree

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

// The number as printed, read again; a dot or comma was cut from behind "a." and 三、.
std::optional<NumberToken> token_of(const std::string& number) {
  if (std::optional<NumberToken> token = scan_number(number)) return token;
  if (std::optional<NumberToken> token = scan_number(number + ".")) return token;
  return scan_number(number + "、");
}

// "a" of "(a)", "III" of "ARTICLE III".
std::string letters_of(const std::string& number) {
  std::string_view text = number;
  if (const std::size_t space = text.rfind(' '); space != std::string_view::npos) {
    text = text.substr(space + 1);
  }
  std::string letters;
  for (const char c : text) {
    if (is_upper(c) || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-') letters += c;
  }
  return letters;
}

std::string joined(const NumberToken& token, std::int32_t value) {
  std::string key;
  for (int i = 0; i + 1 < token.components; ++i) key += std::to_string(token.prefix[i]) + ".";
  key += std::to_string(value);
  if (token.suffix > 0) {
    if (token.reading[0].alphabet == Alphabet::han) {
      key += "-" + std::to_string(token.suffix);
    } else {
      key += static_cast<char>('A' + token.suffix - 1);
    }
  }
  return key;
}

bool is_letters(Alphabet alphabet) {
  return alphabet != Alphabet::digit && alphabet != Alphabet::han;
}

// The keys that references may use for a number: "III" and "3", "a", "3.2".
std::vector<std::string> keys_of(const std::string& number, const NumberToken& token) {
  std::vector<std::string> keys;
  for (int r = 0; r < token.readings; ++r) {
    const NumberReading reading = token.reading[r];
    if (!is_letters(reading.alphabet)) {
      if (reading.value > 0) keys.push_back(joined(token, reading.value));
      continue;
    }
    if (keys.empty()) keys.push_back(letters_of(number));
    const bool is_roman =
        reading.alphabet == Alphabet::upper_roman || reading.alphabet == Alphabet::lower_roman;
    if (is_roman && !is_list_form(token.form) && token.suffix == 0) {
      keys.push_back(std::to_string(reading.value));
    }
  }
  return keys;
}

// "exhibit" of "EXHIBIT A-1", 附件 of 附件一.
std::string schedule_word(const std::string& number) {
  for (const std::string_view word : {"附件", "附录", "附表"}) {
    if (number.starts_with(word)) return std::string(word);
  }
  std::string word;
  for (const char c : number) {
    if (!is_upper(c) && !(c >= 'a' && c <= 'z')) break;
    word += is_upper(c) ? static_cast<char>(c | 0x20) : c;
  }
  return word;
}

std::string key_text(std::int32_t scope, int level, const std::string& key) {
  return std::to_string(scope) + "|" + std::to_string(level) + "|" + key;
}

std::string child_text(std::int32_t parent, const std::string& key) {
  return std::to_string(parent) + "|" + key;
}

std::optional<std::string> roman_as_digits(const std::string& key) {
  if (key.empty() || !is_upper(key[0])) return std::nullopt;
  const std::optional<std::int32_t> value = roman_value(key);
  return value ? std::optional(std::to_string(*value)) : std::nullopt;
}

}  // namespace

ClauseIndex::ClauseIndex(const Document& document, const std::vector<ItemMark>& marks)
    : document_(document),
      clauses_(document.clauses),
      levels_(clauses_.size(), Level::section),
      is_item_(clauses_.size(), false),
      scopes_(clauses_.size(), -1),
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
  }
  if (clause.kind == ClauseKind::preamble) return;
  const std::optional<NumberToken> token = token_of(clause.number);
  if (!token) {
    child_by_key_[child_text(parent, letters_of(clause.number))].push_back(
        static_cast<std::int32_t>(c));
    return;
  }
  levels_[c] = token->form < NumberForm::section ? static_cast<Level>(token->form) : Level::section;
  is_item_[c] = is_list_form(token->form) || token->form == NumberForm::subsection;
  for (const std::string& key : keys_of(clause.number, *token)) {
    child_by_key_[child_text(parent, key)].push_back(static_cast<std::int32_t>(c));
    if (token->components > 1) {  // 3.2 is the second of 3
      const std::string last = std::to_string(token->reading[0].value);
      child_by_key_[child_text(parent, last)].push_back(static_cast<std::int32_t>(c));
    }
    if (levels_[c] == Level::schedule) {
      add_key(-1, Level::schedule, schedule_word(clause.number) + " " + key, c);
      continue;
    }
    const bool stands_above =
        parent < 0 || clauses_[static_cast<std::size_t>(parent)].kind != ClauseKind::clause;
    if (!is_item_[c] || stands_above) add_key(scopes_[c], levels_[c], key, c);
    const bool counts = levels_[c] == Level::section && !is_item_[c] && scopes_[c] < 0;
    if (counts) {
      const std::int64_t first = token->components > 1 ? token->prefix[0] : token->reading[0].value;
      largest_number_ = std::max(largest_number_, first);
    }
  }
}

void ClauseIndex::add_key(std::int32_t scope, Level level, const std::string& key, std::size_t c) {
  by_key_[key_text(scope, static_cast<int>(level), key)].push_back(static_cast<std::int32_t>(c));
}

bool ClauseIndex::is_ancestor(std::int32_t above, std::int32_t below) const {
  const Span outer = at(above).text, inner = at(below).text;
  return above <= below && outer.begin <= inner.begin && inner.begin < outer.end;
}

// Of clauses that share a number: the one nearest in the tree to where the reference stands, else
// the least deep.
std::int32_t ClauseIndex::pick(std::int32_t scope, Level level, const std::string& key,
                               std::int32_t from) const {
  const auto found = by_key_.find(key_text(scope, static_cast<int>(level), key));
  if (found == by_key_.end()) return -1;
  const Places& places = found->second;
  if (places.size() == 1) return places[0];
  int steps = 0;
  for (std::int32_t up = from; up >= 0 && steps < kMostLevels; up = at(up).parent, ++steps) {
    const auto inside = std::lower_bound(places.begin(), places.end(), up);
    if (inside != places.end() && is_ancestor(up, *inside)) return *inside;
  }
  std::int32_t best = places[0];
  for (std::size_t i = 1; i < places.size() && i < static_cast<std::size_t>(kMostLevels); ++i) {
    if (at(places[i]).depth < at(best).depth) best = places[i];
  }
  return best;
}

std::int32_t ClauseIndex::top_in(const ReferenceStep& step, std::int32_t from,
                                 std::int32_t scope) const {
  std::vector<Level> levels;
  switch (step.unit) {
    case ReferenceUnit::schedule:
      levels = {Level::schedule};
      break;
    case ReferenceUnit::book:
      levels = {Level::book, Level::part};
      break;
    case ReferenceUnit::title:
      levels = {Level::title};
      break;
    case ReferenceUnit::part:
      levels = {Level::part, Level::book};
      break;
    case ReferenceUnit::chapter:
      levels = {Level::chapter};
      break;
    case ReferenceUnit::subchapter:
      levels = {Level::subchapter};
      break;
    case ReferenceUnit::article:
      levels = {Level::article, Level::section};
      break;
    default:
      levels = {Level::section, Level::article};
      break;
  }
  for (const Level level : levels) {
    const std::int32_t found = pick(scope, level, step.key, from);
    if (found >= 0) return found;
    if (const std::optional<std::string> digits = roman_as_digits(step.key)) {
      const std::int32_t numbered = pick(scope, level, *digits, from);
      if (numbered >= 0) return numbered;
    }
  }
  return by_components(step, from, scope);
}

// "3.2" where only the 3 is printed, and a 2 inside it; "1.a".
std::int32_t ClauseIndex::by_components(const ReferenceStep& step, std::int32_t from,
                                        std::int32_t scope) const {
  const std::size_t dot = step.key.rfind('.');
  if (dot == std::string::npos) return -1;
  ReferenceStep above = step;
  above.key = step.key.substr(0, dot);
  const std::int32_t parent = top_in(above, from, scope);
  return parent < 0 ? -1 : child(parent, step.key.substr(dot + 1));
}

std::int32_t ClauseIndex::top(const ReferenceStep& step, std::int32_t from,
                              std::int32_t scope) const {
  // "Clause 3" in a schedule is the body's, "paragraph 3" the schedule's own.
  const bool body_first = scope >= 0 && step.unit == ReferenceUnit::clause;
  const std::int32_t first = body_first ? -1 : scope;
  std::int32_t found = top_in(step, from, first);
  if (found < 0 && scope >= 0) found = top_in(step, from, body_first ? scope : -1);
  return found;
}

std::int32_t ClauseIndex::child(std::int32_t parent, const std::string& key) const {
  const auto found = child_by_key_.find(child_text(parent, key));
  return found == child_by_key_.end() ? -1 : found->second.front();
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

std::int32_t ClauseIndex::inside(std::int32_t parent, const ReferenceStep& step) const {
  if (step.unit == ReferenceUnit::han_paragraph) {
    const std::int32_t numbered = child(parent, step.key);
    if (numbered >= 0 && !is_item_[static_cast<std::size_t>(numbered)]) return numbered;
    std::int64_t wanted = 0;
    std::from_chars(step.key.data(), step.key.data() + step.key.size(), wanted);
    const Span text = at(parent).text;
    return wanted <= std::max<std::int64_t>(1, paragraphs_in(text.begin, text.end)) ? parent : -1;
  }
  const std::int32_t found = child(parent, step.key);
  if (found >= 0) return found;
  if (step.unit != ReferenceUnit::item) {
    const std::int32_t scope = at(parent).kind == ClauseKind::schedule
                                   ? parent
                                   : scopes_[static_cast<std::size_t>(parent)];
    const std::int32_t numbered = top_in(step, parent, scope);
    if (numbered >= 0 && is_ancestor(parent, numbered)) return numbered;
  }
  return marked(parent, step.key, at(parent).text.begin);
}

// "clause (b)": among the children of the clause that speaks, then of those above it.
std::int32_t ClauseIndex::near(const ReferenceStep& step, std::int32_t from,
                               std::int64_t place) const {
  int steps = 0;
  for (std::int32_t up = from; steps < kMostLevels; up = at(up).parent, ++steps) {
    const auto found = child_by_key_.find(child_text(up, step.key));
    if (found != child_by_key_.end()) {
      const auto behind = std::lower_bound(
          found->second.begin(), found->second.end(), place,
          [this](std::int32_t c, std::int64_t byte) { return at(c).text.begin < byte; });
      return behind == found->second.begin() ? *behind : *(behind - 1);
    }
    if (up < 0) break;
    const std::int32_t held = marked(up, step.key, place);
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
    if (!is_section || at(up).kind == ClauseKind::preamble) continue;
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
    const Places& siblings = children_[static_cast<std::size_t>(at(section).parent)];
    if (order >= count) return siblings[static_cast<std::size_t>(order - count)];
  }
  if (article < 0) return -1;
  return paragraphs_in(at(article).text.begin, place + 1) > count ? article : -1;
}

std::int32_t ClauseIndex::relative(const ReferenceStep& step, std::int32_t from,
                                   std::int64_t place) const {
  if (from < 0) return -1;
  if (step.kind == StepKind::previous && step.unit == ReferenceUnit::han_paragraph) {
    return paragraph_before(from, place, step.count);
  }
  const bool is_han = step.key == "条";
  const std::int32_t base = this_unit(is_han ? ReferenceUnit::han_paragraph : step.unit, from);
  if (step.kind == StepKind::this_one || base < 0) return base;
  const std::int32_t parent = at(base).parent;
  const Places& siblings =
      children_[parent < 0 ? clauses_.size() : static_cast<std::size_t>(parent)];
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
  const std::int32_t order =
      order_[static_cast<std::size_t>(base)] + (step.kind == StepKind::next ? 1 : -step.count);
  const bool is_there = order >= 0 && order < static_cast<std::int32_t>(siblings.size());
  if (is_there) return siblings[static_cast<std::size_t>(order)];
  // Before the first item stand the words of the clause itself; unnumbered paragraphs follow.
  return step.unit == ReferenceUnit::paragraph ? (parent >= 0 ? parent : base) : -1;
}

std::int32_t ClauseIndex::find(const ReferencePath& path, std::int64_t place) const {
  if (path.empty()) return -1;
  const std::int32_t from = document_.clause_at(place);
  const std::int32_t scope = from < 0 ? -1
                             : at(from).kind == ClauseKind::schedule
                                 ? from
                                 : scopes_[static_cast<std::size_t>(from)];
  const ReferenceStep& first = path[0];
  std::int32_t found = -1;
  if (first.kind != StepKind::numbered) {
    found = relative(first, from, place);
  } else if (first.unit == ReferenceUnit::schedule) {
    found = top_in(first, from, -1);
  } else if (first.unit == ReferenceUnit::item) {
    found = near(first, from, place);
    if (found < 0) found = top(first, from, scope);
  } else if (first.unit == ReferenceUnit::han_paragraph) {
    const std::int32_t article = this_unit(first.unit, from);
    found = article < 0 ? -1 : inside(article, first);
  } else {
    found = top(first, from, scope);
    if (found < 0 && first.unit == ReferenceUnit::paragraph) found = near(first, from, place);
  }
  for (std::size_t i = 1; i < path.size() && found >= 0; ++i) found = inside(found, path[i]);
  return found;
}

void ClauseIndex::between(std::int32_t first, std::int32_t last, std::int64_t room,
                          std::vector<std::int32_t>& targets) const {
  const std::int32_t parent = at(first).parent;
  const bool are_siblings = parent == at(last).parent && first <= last;
  std::vector<std::int32_t> found;
  if (are_siblings) {
    const Places& siblings =
        children_[parent < 0 ? clauses_.size() : static_cast<std::size_t>(parent)];
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

bool ClauseIndex::has_schedule(std::string_view key) const {
  return by_key_.contains(key_text(-1, static_cast<int>(Level::schedule), std::string(key)));
}

}  // namespace whereof::document
