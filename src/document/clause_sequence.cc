// The idea. A stack holds the open units. For each candidate every way to fit it is scored: go on
// with an open sequence (the next number, a small jump, a repeat), be the child that its own prefix
// names (3.2 under 3), go on with a sequence that was left when its parent closed (articles count
// on through chapters), or begin a sequence inside what is open. The best fit wins; below a
// threshold that depends on how the number stands in its line, the candidate is no unit. Where two
// readings are possible, (i) after (h) or under (h), the number that comes next decides.
#include "document/clause_sequence.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>

#include "document/clause_places.h"

namespace whereof::document {
namespace {

constexpr std::int32_t kNever = CandidatePlaces::kNever;
constexpr int kExact = 100;      // the next number of an open sequence, or a child by its prefix
constexpr int kRemembered = 90;  // the next of a sequence that its parent's end had closed
constexpr int kStart = 70;       // the first number of a new sequence
constexpr int kJump = 50;
constexpr int kRepeat = 20;
constexpr int kLongestJump = 20;
constexpr std::int64_t kLongestItem = 1500;  // bytes, of a list in running text: "(a) x, (b) y"

struct Frame {
  std::int32_t unit = 0;
  std::int32_t candidate = 0;
  NumberReading reading;
  std::uint64_t style = 0;
};

// One way to fit a candidate: pop the stack down to `keep` frames, then push.
struct Fit {
  int score = 0;
  std::size_t keep = 0;
  NumberReading reading;
};

int rank_of(const NumberToken& number) {
  return static_cast<int>(number.form) * 8 +
         (number.form == NumberForm::decimal || number.form == NumberForm::section
              ? number.components - 1
              : 0);
}

class Nester {
 public:
  Nester(const std::vector<Candidate>& candidates, const std::vector<std::int64_t>& closers,
         std::int64_t text_end)
      : candidates_(candidates), closers_(closers), text_end_(text_end), places_(candidates) {}

  std::vector<Unit> run() {
    std::size_t closer = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      for (; closer < closers_.size() && closers_[closer] <= candidates_[i].begin; ++closer) {
        if (!units_.empty()) reset(closers_[closer]);
      }
      consider(static_cast<std::int32_t>(i));
    }
    const bool closes = closer < closers_.size() && !units_.empty();
    pop_to(0, closes ? closers_[closer] : text_end_);
    return std::move(units_);
  }

 private:
  const Candidate& at(std::int32_t i) const { return candidates_[static_cast<std::size_t>(i)]; }

  // Will this sequence go on after candidate i, before one of its style begins anew?
  bool goes_on(const Frame& frame, std::int32_t i) const {
    const std::int32_t next = places_.next_sibling(frame.candidate, frame.reading, i);
    if (next == kNever) return false;
    if (!is_list_form(at(frame.candidate).number.form)) return true;
    const std::int32_t anew =
        places_.next_with(number_key(at(frame.candidate).number, {frame.reading.alphabet, 1}), i);
    return next < anew;
  }

  void pop_to(std::size_t keep, std::int64_t end) {
    while (stack_.size() > keep) {
      units_[static_cast<std::size_t>(stack_.back().unit)].end = end;
      stack_.pop_back();
    }
  }

  void reset(std::int64_t end) {
    pop_to(0, end);
    remembered_.clear();
    parents_.clear();
  }

  void push(std::int32_t i, const Fit& fit) {
    const Candidate& candidate = at(i);
    pop_to(fit.keep, candidate.begin);
    Unit unit;
    unit.candidate = i;
    unit.parent = stack_.empty() ? -1 : stack_.back().unit;
    unit.depth = static_cast<std::int32_t>(stack_.size());
    unit.reading = fit.reading;
    unit.begin = candidate.begin;
    unit.end = text_end_;
    const std::uint64_t style = style_key(candidate.number, fit.reading);
    remembered_[style] = fit.reading.value;
    parents_[style] = stack_.empty() ? 0 : stack_.back().style;
    forget_children(candidate.number, fit.reading);
    stack_.push_back({static_cast<std::int32_t>(units_.size()), i, fit.reading, style});
    units_.push_back(unit);
    last_ = i;
  }

  // A new 3. has no 3.1 yet, whatever an earlier 3. had.
  void forget_children(const NumberToken& number, NumberReading reading) {
    if (is_list_form(number.form) || number.components == kMaxNumberComponents) return;
    NumberToken child = number;
    child.prefix[child.components - 1] = reading.value;
    ++child.components;
    child.form = NumberForm::decimal;
    child.word = 0;
    remembered_.erase(style_key(child, {Alphabet::digit, 1}));
    child.form = NumberForm::section;
    remembered_.erase(style_key(child, {Alphabet::digit, 1}));
  }

  void consider(std::int32_t i) {
    const Candidate& candidate = at(i);
    if (candidate.standing == Standing::chained && (i == 0 || last_ != i - 1)) return;
    if (candidate.number.form == NumberForm::schedule) {
      consider_schedule(i);
      return;
    }
    Fit best;
    for (int r = 0; r < candidate.number.readings; ++r) {
      Fit fit = best_fit(i, candidate.number.reading[r]);
      if (fit.score > 0 && candidate.number.readings > 1) fit.score += reading_bonus(i, r);
      if (fit.score > best.score) best = fit;
    }
    if (best.score > 0 && best.keep < static_cast<std::size_t>(kMaxClauseDepth)) push(i, best);
  }

  // Of two readings the one whose next number comes first.
  int reading_bonus(std::int32_t i, int r) const {
    const NumberToken& number = at(i).number;
    const std::int32_t mine = places_.next_sibling(i, number.reading[r], i);
    const std::int32_t other = places_.next_sibling(i, number.reading[1 - r], i);
    return mine < other ? 40 : 0;
  }

  // A schedule ends what was open and begins its own numbering. Before the first unit it names the
  // file ("Exhibit A" on a cover), again and again it is a page heading, and one that comes again
  // soon after other schedules stands in a list of them.
  void consider_schedule(std::int32_t i) {
    const Candidate& candidate = at(i);
    if (units_.empty()) return;
    const NumberReading reading = candidate.number.reading[0];
    const std::uint64_t key = number_key(candidate.number, reading);
    for (const Frame& frame : stack_) {
      const NumberToken& open = at(frame.candidate).number;
      if (open.form == NumberForm::schedule && number_key(open, frame.reading) == key &&
          open.suffix == candidate.number.suffix) {
        return;
      }
    }
    const auto next = static_cast<std::size_t>(i) + 1;
    const bool is_listed =
        next < candidates_.size() && candidates_[next].number.form == NumberForm::schedule &&
        candidates_[next].begin - candidate.begin < 240 && places_.next_with(key, i) != kNever;
    if (is_listed) return;
    reset(candidate.begin);
    push(i, {kExact, 0, reading});
  }

  // Lowest stack index above the schedule.
  std::size_t floor() const {
    return !stack_.empty() && at(stack_[0].candidate).number.form == NumberForm::schedule ? 1 : 0;
  }

  Fit best_fit(std::int32_t i, NumberReading reading) const {
    const Candidate& candidate = at(i);
    Fit best = continue_fit(i, reading);
    const auto offer = [&best](Fit fit) {
      if (fit.score > best.score) best = fit;
    };
    if (candidate.number.components > 1) {
      offer(prefix_fit(i, reading));
    } else if (candidate.standing != Standing::words || opens_heading(i)) {
      offer(remembered_fit(i, reading));
      offer(start_fit(i, reading));
    }
    return best;
  }

  // "4. Compensation; Allocation of Costs (a) In full consideration": right behind its heading.
  bool opens_heading(std::int32_t i) const {
    return !stack_.empty() && is_near(i, stack_.back().candidate) &&
           is_list_form(at(i).number.form) &&
           !is_list_form(at(stack_.back().candidate).number.form);
  }

  bool may_jump(std::int32_t i, NumberReading reading, std::int32_t step) const {
    const Candidate& candidate = at(i);
    if (candidate.is_automatic) return true;
    if (candidate.standing != Standing::paragraph || step > kLongestJump) return false;
    const bool confirmed = places_.next_sibling(i, reading, i) <= i + 64;
    return confirmed || (step <= 3 && !is_list_form(candidate.number.form));
  }

  // The next, a jump or a repeat in one of the open sequences.
  Fit continue_fit(std::int32_t i, NumberReading reading) const {
    const Candidate& candidate = at(i);
    const std::uint64_t style = style_key(candidate.number, reading);
    Fit best;
    for (std::size_t k = stack_.size(); k-- > 0;) {
      const Frame& frame = stack_[k];
      if (frame.style != style) continue;
      const Candidate& last = at(frame.candidate);
      const std::int32_t step = reading.value - frame.reading.value;
      int score = 0;
      if (step == 1 || (step == 0 && candidate.number.suffix == last.number.suffix + 1)) {
        score = kExact;
        if (candidate.standing == Standing::words && candidate.number.components < 2) score = 0;
        if (comes_stronger(i, reading) || comes_more_alike(i, reading, last)) score = 0;
        if (candidate.standing == Standing::list_comma &&
            (k + 1 != stack_.size() || candidate.begin - last.begin > kLongestItem)) {
          score = 0;
        }
      } else if (step > 1 && may_jump(i, reading, step)) {
        score = kJump - std::min(step, 10);
      } else if (step == 0 && candidate.standing == Standing::paragraph && candidate.has_capitals &&
                 last.has_capitals) {
        score = kRepeat;
      }
      if (score == 0 || is_inside(i, k + 1)) continue;
      score += likeness(candidate, last);
      if (score > best.score) best = {score, k, reading};
    }
    return best;
  }

  // A row "9." of a table in 7.2 is no clause 9 where 7.3 comes before 9.1 does: would this number
  // close a clause, from `keep` on, that goes on behind it?
  bool is_inside(std::int32_t i, std::size_t keep) const {
    const NumberToken& number = at(i).number;
    if (number.form != NumberForm::decimal || number.components > 1) return false;
    for (std::size_t k = keep; k < stack_.size(); ++k) {
      const Frame& frame = stack_[k];
      if (at(frame.candidate).number.components < 2) continue;
      if (places_.is_taken_up(frame.candidate, frame.reading, i)) return true;
    }
    return false;
  }

  // In running text: does the same number open a paragraph soon, before the one after it comes?
  bool comes_stronger(std::int32_t i, NumberReading reading) const {
    if (at(i).standing <= Standing::chained) return false;
    const NumberToken& number = at(i).number;
    const std::int32_t stop =
        std::min(places_.next_sibling(i, reading, i),
                 places_.next_with(number_key(number, {reading.alphabet, 1}), i));
    std::int32_t twin = places_.next_sibling(i, reading, i, 0);
    for (int looked = 0; twin < stop && looked < 4; ++looked) {
      if (at(twin).standing == Standing::paragraph) return true;
      twin = places_.next_sibling(i, reading, twin, 0);
    }
    return false;
  }

  // A row "8." of a table where 7 was a heading in capitals: does an 8 in capitals come, before the
  // numbering begins anew?
  bool comes_more_alike(std::int32_t i, NumberReading reading, const Candidate& elder) const {
    const NumberToken& number = at(i).number;
    if (number.form != NumberForm::decimal || number.components > 1) return false;
    if (at(i).has_capitals || !elder.has_capitals) return false;
    const std::int32_t anew = places_.next_with(number_key(number, {reading.alphabet, 1}), i);
    const std::int32_t twin = places_.next_sibling(i, reading, i, 0);
    return twin < anew && at(twin).has_capitals && at(twin).standing == Standing::paragraph;
  }

  // Siblings look alike: same weight, same capitals, same indentation, all or none of them at the
  // head of a paragraph.
  static int likeness(const Candidate& a, const Candidate& b) {
    int points = 0;
    if (a.is_bold == b.is_bold) ++points;
    if (a.has_capitals == b.has_capitals) ++points;
    if ((a.standing <= Standing::chained) == (b.standing <= Standing::chained)) points += 3;
    if (a.left > 0 && b.left > 0 && a.left - b.left < 6 && b.left - a.left < 6) points += 2;
    return points;
  }

  bool has_prefix(const NumberToken& parent, NumberReading value, const NumberToken& child) const {
    if (parent.components + 1 != child.components) return false;
    const bool holds_decimals =
        parent.form == NumberForm::decimal || parent.form == NumberForm::section ||
        parent.form == NumberForm::article || parent.form == NumberForm::chapter ||
        parent.form == NumberForm::part || parent.form == NumberForm::comma;
    if (!holds_decimals) return false;
    for (int c = 0; c + 1 < parent.components; ++c) {
      if (parent.prefix[c] != child.prefix[c]) return false;
    }
    return value.value == child.prefix[child.components - 2];
  }

  // 3.2 under 3, by its own prefix; also where the heading of 3 was missed.
  Fit prefix_fit(std::int32_t i, NumberReading reading) const {
    const Candidate& candidate = at(i);
    const NumberToken& number = candidate.number;
    const bool first = reading.value <= 1;
    for (std::size_t k = stack_.size(); k-- > 0;) {
      if (!has_prefix(at(stack_[k].candidate).number, stack_[k].reading, number)) continue;
      if (candidate.standing == Standing::words &&
          (k + 1 != stack_.size() || !first || !is_near(i, stack_[k].candidate))) {
        return {};
      }
      if (was_child(stack_[k], number, reading)) return {};
      if (first) return {kExact, k + 1, reading};
      const bool is_confirmed = places_.next_sibling(i, reading, i) <= i + 64;
      if (reading.value <= 3 && is_confirmed && candidate.standing <= Standing::sentence_end) {
        return {kJump, k + 1, reading};
      }
      return may_jump(i, reading, reading.value) ? Fit{kJump, k + 1, reading} : Fit{};
    }
    if (candidate.standing > Standing::sentence_end) return {};
    return orphan_fit(i, reading);
  }

  // Within the heading: "2. PROVISION OF DOCUMENTATION 2.1 Provision by the Manufacturer".
  bool is_near(std::int32_t i, std::int32_t heading) const {
    return at(i).line == at(heading).line && at(i).begin - at(heading).begin < 160;
  }

  // Has this parent had children of the style already, up to this number or further?
  bool was_child(const Frame& parent, const NumberToken& number, NumberReading reading) const {
    const auto found = remembered_.find(style_key(number, reading));
    const auto of = parents_.find(style_key(number, reading));
    return found != remembered_.end() && of != parents_.end() && of->second == parent.style &&
           found->second >= reading.value;
  }

  // A decimal whose parent has no heading of its own: 2.5 is followed by 3.1.
  Fit orphan_fit(std::int32_t i, NumberReading reading) const {
    const NumberToken& number = at(i).number;
    const int rank = rank_of(number);
    std::size_t keep = stack_.size();
    std::int32_t open_prefix = -1;
    for (std::size_t k = floor(); k < stack_.size(); ++k) {
      const NumberToken& open = at(stack_[k].candidate).number;
      if (open.form == number.form && open.components >= 2 && open_prefix < 0) {
        open_prefix = open.prefix[0];
      }
      if (open.form == NumberForm::decimal && open.components == 1 && open_prefix < 0) {
        open_prefix = stack_[k].reading.value;
      }
      if (!is_list_form(open.form) && rank_of(open) < rank &&
          (open.components == 1 && open.form < NumberForm::section)) {
        continue;
      }
      keep = std::min(keep, k);
    }
    const std::int32_t first = number.prefix[0];
    const bool follows =
        open_prefix < 0 ? first == 1 : first > open_prefix && first <= open_prefix + 3;
    const bool paragraph = at(i).standing == Standing::paragraph;
    const bool confirmed = places_.next_sibling(i, reading, i) <= i + 64;
    if (follows && reading.value <= 1 && (paragraph || confirmed)) return {kStart, keep, reading};
    if (follows && paragraph && confirmed) return {kJump - 10, keep, reading};
    if (open_prefix < 0 && paragraph && confirmed) return {kJump - 20, keep, reading};
    return {};
  }

  // Articles that count on through chapters: the next of a style that is not open now.
  Fit remembered_fit(std::int32_t i, NumberReading reading) const {
    const NumberToken& number = at(i).number;
    if (is_list_form(number.form) || at(i).standing > Standing::sentence_end) return {};
    const std::uint64_t style = style_key(number, reading);
    for (const Frame& frame : stack_) {
      if (frame.style == style) return {};
    }
    const auto found = remembered_.find(style);
    if (found == remembered_.end()) return {};
    const std::int32_t step = reading.value - found->second;
    const std::size_t keep = place_for(i, style);
    if (step == 1) return {kRemembered, keep, reading};
    if (step == 0 && number.suffix > 0) return {kRemembered, keep, reading};
    return step > 1 && may_jump(i, reading, step) ? Fit{kJump - std::min(step, 10), keep, reading}
                                                  : Fit{};
  }

  // Is the scheme of this numbering known, so that a 1. inside a list is the list's? Not while only
  // parties and recitals have been seen.
  bool is_settled() const {
    const NumberForm outermost = at(stack_[floor()].candidate).number.form;
    return !is_list_form(outermost) || outermost == NumberForm::comma;
  }

  // How many frames stay open when a sequence of this style begins.
  std::size_t place_for(std::int32_t i, std::uint64_t style) const {
    const Candidate& candidate = at(i);
    const int rank = rank_of(candidate.number);
    const bool is_list = is_list_form(candidate.number.form);
    const auto parent = parents_.find(style);
    std::size_t keep = stack_.size();
    for (; keep > floor(); --keep) {
      const Frame& top = stack_[keep - 1];
      const NumberToken& open = at(top.candidate).number;
      const bool nested_before = parent != parents_.end() && parent->second == top.style;
      if (is_list) {
        // Lists stand inside all else; after an unnumbered heading beside an older list.
        if (!is_list_form(open.form) || !candidate.follows_banner || goes_on(top, i)) break;
      } else if (is_list_form(open.form)) {
        if (candidate.number.form == NumberForm::decimal && is_settled()) break;
        const bool may_nest = open.form == NumberForm::comma || open.form == NumberForm::dot ||
                              !is_part_form(candidate.number.form);
        if (may_nest && (nested_before || goes_on(top, i)))
          break;  // 第一条 under 一、; 1. under (a)
      } else if (rank_of(open) < rank) {
        break;
      }
    }
    return keep;
  }

  // Does a 1. that comes while n. is open begin a numbering beside it rather than a list inside?
  // When its own sequence reaches n before the next n + 1 comes, and it looks like its elders.
  bool begins_anew(std::int32_t i, NumberReading reading, const Frame& open) const {
    const std::int32_t outer_next = places_.next_sibling(open.candidate, open.reading, i);
    if (outer_next == kNever) return true;
    if (open.reading.value < 4 && !at(i).follows_banner) return false;
    std::int32_t place = i;
    for (std::int32_t value = reading.value; value < open.reading.value; ++value) {
      place = places_.next_with(number_key(at(i).number, {reading.alphabet, value + 1}), place);
      if (place >= outer_next) return false;
    }
    const Candidate& elder = at(open.candidate);
    return at(i).is_bold == elder.is_bold && at(i).has_capitals == elder.has_capitals;
  }

  // 1, (a), （一）, Article I: the first of a new sequence; or one that begins in its middle, where
  // its next number confirms it.
  Fit start_fit(std::int32_t i, NumberReading reading) const {
    const Candidate& candidate = at(i);
    const NumberToken& number = candidate.number;
    const std::uint64_t style = style_key(number, reading);
    if (number.form == NumberForm::book && reading.value == 0) {  // 物权编
      return {kExact, floor(), reading};
    }
    const bool inside_text = candidate.standing > Standing::chained;
    const std::int32_t next = places_.next_sibling(i, reading, i);
    if (inside_text && next == kNever) return {};
    if (candidate.standing == Standing::list_comma) return {};
    if (reading.value > 1) {
      if (candidate.is_automatic) return {kJump, place_for(i, style), reading};
      const bool known = remembered_.contains(style);
      if (candidate.standing != Standing::paragraph || known || next > i + 64) return {};
      const bool skeleton = !is_list_form(number.form);
      return skeleton ? Fit{kJump - 20, place_for(i, style), reading} : Fit{};
    }
    for (std::size_t k = stack_.size(); k-- > 0;) {
      if (stack_[k].style != style) continue;
      // A list inside a list of the same style is rare; a new list beside the old one is not. In
      // the running text of an item that heads a paragraph it is the item's own.
      if (is_list_form(number.form)) {
        const bool is_own = inside_text && at(stack_[k].candidate).standing <= Standing::chained;
        return {kStart - 10, is_own ? stack_.size() : k, reading};
      }
      if (inside_text) return {};
      const bool anew = begins_anew(i, reading, stack_[k]) && !is_inside(i, k + 1);
      if (anew && stack_[k].reading.value < 2) return {};
      return {kStart - 10, anew ? k : stack_.size(), reading};
    }
    return {kStart, place_for(i, style), reading};
  }

  const std::vector<Candidate>& candidates_;
  const std::vector<std::int64_t>& closers_;
  std::int64_t text_end_;
  CandidatePlaces places_;
  std::vector<Unit> units_;
  std::vector<Frame> stack_;
  std::unordered_map<std::uint64_t, std::int32_t> remembered_;  // style: its last value
  std::unordered_map<std::uint64_t, std::uint64_t> parents_;    // style: the style it was under
  std::int32_t last_ = -1;                                      // the candidate of the newest unit
};

}  // namespace

std::vector<Unit> nest_candidates(const std::vector<Candidate>& candidates,
                                  const std::vector<std::int64_t>& closers, std::int64_t text_end) {
  return Nester(candidates, closers, text_end).run();
}

}  // namespace whereof::document
