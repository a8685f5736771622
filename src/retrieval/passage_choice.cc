// Breadth first from the ranked passages: their own needs (distance 1) in the order of the
// passages, then the needs of those, and so on, each taken while it fits. The ranked ones have the
// larger part of the room to themselves, so that a passage full of defined terms cannot push the
// next best one out.
#include "whereof/passage_choice.h"

#include <algorithm>
#include <map>
#include <utility>

#include "retrieval/closure.h"

namespace whereof {

std::string_view name_of(PassageReason reason) noexcept {
  switch (reason) {
    case PassageReason::named:
      return "named";
    case PassageReason::full_text:
      return "full_text";
    case PassageReason::defines:
      return "defines";
    case PassageReason::referred_to:
      return "referred_to";
    case PassageReason::refers:
      return "refers";
  }
  return "full_text";
}

std::string reason_text(const ChosenPassage& passage, bool is_chinese) {
  const std::string& subject = passage.subject;
  switch (passage.reason) {
    case PassageReason::named:
      return is_chinese ? "问题中点名" : "named in the question";
    case PassageReason::full_text:
      return is_chinese ? "全文检索" : "full text";
    case PassageReason::defines:
      return is_chinese ? "定义“" + subject + "”" : "defines “" + subject + "”";
    case PassageReason::referred_to:
      if (subject.empty())
        return is_chinese ? "首条之前提及" : "what precedes the clauses refers to it";
      return is_chinese ? subject + "提及" : subject + " refers to it";
    case PassageReason::refers:
      return is_chinese ? "提及" + subject : "refers to " + subject;
  }
  return {};
}

namespace {

// Bytes of the document that are taken, as disjoint spans.
class Taken {
 public:
  bool covers(Span span) const {
    auto after = spans_.upper_bound(span.begin);
    if (after == spans_.begin()) return false;
    return std::prev(after)->second >= span.end;
  }
  void add(Span span) {
    auto at = spans_.upper_bound(span.begin);
    if (at != spans_.begin() && std::prev(at)->second >= span.begin) --at;
    while (at != spans_.end() && at->first <= span.end) {
      span.begin = std::min(span.begin, at->first);
      span.end = std::max(span.end, at->second);
      at = spans_.erase(at);
    }
    spans_[span.begin] = span.end;
  }

 private:
  std::map<std::int64_t, std::int64_t> spans_;  // begin to end
};

class Choice {
 public:
  Choice(std::string_view question, std::span<const RankedForChoice> ranked,
         const ChoiceOptions& options)
      : question_(question), ranked_(ranked), options_(options) {}

  std::vector<ChosenPassage> run(const Document& document) {
    const double share = std::clamp(options_.closure_share, 0.0, 1.0);
    const auto closure_room = static_cast<std::int64_t>(
        static_cast<double>(std::max<std::int64_t>(options_.room, 0)) * share);
    take_ranked(options_.room - closure_room);
    if (closure_room > 0 && !chosen_.empty()) {
      const retrieval::Closure closure(document);
      take_needs(closure);
      // What the closure left goes to further ranked passages, each with what it leans on.
      while (take_ranked_one(options_.room)) take_needs(closure);
    } else {
      take_ranked(options_.room);
    }
    return in_document_order();
  }

 private:
  // Whether another ranked passage fitted.
  bool take_ranked_one(std::int64_t room) {
    for (; next_ < ranked_.size(); ++next_) {
      const RankedForChoice& ranked = ranked_[next_];
      if (taken_.covers(ranked.where.text)) continue;
      const std::int64_t cost = cost_of(ranked.where.text);
      if (used_ + cost > room && !chosen_.empty()) return false;
      take({ranked.where, ranked.is_named ? PassageReason::named : PassageReason::full_text, "", 0},
           cost);
      ++next_;
      return true;
    }
    return false;
  }

  void take_ranked(std::int64_t room) {
    while (take_ranked_one(room)) {
    }
  }

  void take(ChosenPassage passage, std::int64_t cost) {
    used_ += cost;
    taken_.add(passage.where.text);
    chosen_.push_back(std::move(passage));
  }

  // Breadth first from all that was chosen since the last call. Within a level the first need of
  // every passage comes before the second of any.
  void take_needs(const retrieval::Closure& closure) {
    if (walked_ == 0) take_level({closure.needs_of_question(question_)}, 1);
    while (walked_ < chosen_.size()) {
      std::vector<std::vector<ChosenPassage>> level;
      const std::int32_t distance = chosen_[walked_].distance;
      for (; walked_ < chosen_.size() && chosen_[walked_].distance == distance; ++walked_) {
        level.push_back(closure.needs_of(chosen_[walked_].where.text));
      }
      take_level(level, distance + 1);
    }
  }

  void take_level(const std::vector<std::vector<ChosenPassage>>& level, std::int32_t distance) {
    std::size_t longest = 0;
    for (const auto& needs : level) longest = std::max(longest, needs.size());
    for (std::size_t i = 0; i < longest; ++i) {
      for (const auto& needs : level) {
        if (i < needs.size()) take_need(needs[i], distance);
      }
    }
  }

  void take_need(ChosenPassage need, std::int32_t distance) {
    if (need.where.text.is_empty() || taken_.covers(need.where.text)) return;
    const std::int64_t cost = cost_of(need.where.text);
    if (used_ + cost > options_.room) return;
    need.distance = distance;
    take(std::move(need), cost);
  }

  // Counted once: many passages may lean on the same one.
  std::int64_t cost_of(Span text) {
    const auto [known, is_new] = costs_.try_emplace(std::pair(text.begin, text.end), 0);
    if (is_new) known->second = options_.cost(text);
    return known->second;
  }

  // What lies in another one is dropped, what overlaps the one before is cut there.
  std::vector<ChosenPassage> in_document_order() {
    std::stable_sort(
        chosen_.begin(), chosen_.end(), [](const ChosenPassage& a, const ChosenPassage& b) {
          const Span& one = a.where.text;
          const Span& other = b.where.text;
          return one.begin != other.begin ? one.begin < other.begin : one.end > other.end;
        });
    std::vector<ChosenPassage> disjoint;
    for (ChosenPassage& passage : chosen_) {
      Span& text = passage.where.text;
      if (!disjoint.empty()) text.begin = std::max(text.begin, disjoint.back().where.text.end);
      if (!text.is_empty()) disjoint.push_back(std::move(passage));
    }
    return disjoint;
  }

  const std::string_view question_;
  const std::span<const RankedForChoice> ranked_;
  const ChoiceOptions& options_;
  std::vector<ChosenPassage> chosen_;
  Taken taken_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> costs_;
  std::int64_t used_ = 0;
  std::size_t next_ = 0;    // of ranked_
  std::size_t walked_ = 0;  // of chosen_: their needs were looked at
};

}  // namespace

std::vector<ChosenPassage> choose_passages(const Document& document, std::string_view question,
                                           std::span<const RankedForChoice> ranked,
                                           const ChoiceOptions& options) {
  return Choice(question, ranked, options).run(document);
}

}  // namespace whereof
