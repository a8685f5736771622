#include "answering/earlier_questions.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "answering/answer_together.h"

namespace whereof::answering {
namespace {

constexpr std::size_t kMostEarlier = 3;
constexpr std::size_t kEarlierBytes = 4096;
constexpr double kOwnFactor = 1.25;

double share_of(double own, double its, double most_share) {
  return its > 0 ? std::clamp(1 - kOwnFactor * own / its, 0.0, most_share) : 0;
}

}  // namespace

double best_of(const std::vector<Hit>& hits) { return hits.empty() ? 0 : hits.front().score; }

std::vector<std::string> questions_that_count(std::span<const std::string> earlier) {
  std::vector<std::string> counted;
  std::size_t bytes = 0;
  for (std::size_t i = earlier.size(); i > 0 && counted.size() < kMostEarlier; --i) {
    const std::string_view question = trimmed(earlier[i - 1]);
    if (question.empty()) continue;
    bytes += question.size();
    if (bytes > kEarlierBytes) break;
    counted.emplace_back(question);
  }
  std::reverse(counted.begin(), counted.end());
  return counted;
}

std::vector<Hit> search(Library& library, std::string_view question,
                        std::span<const std::string> earlier, std::int64_t limit,
                        std::string_view content_hash, double most_share,
                        std::string_view more_words) {
  std::vector<Hit> hits = library.search(question, limit, content_hash, more_words);
  const std::vector<std::string> counted = questions_that_count(earlier);
  if (counted.empty()) return hits;
  const double own =
      more_words.empty() ? best_of(hits) : best_of(library.search(question, 1, content_hash));
  std::map<std::pair<std::string, std::int32_t>, std::size_t> places;  // of each passage in hits
  for (std::size_t i = 0; i < hits.size(); ++i) {
    places.emplace(std::pair(hits[i].content_hash, hits[i].passage), i);
  }
  double between = 1;
  for (auto before = counted.rbegin(); before != counted.rend(); ++before) {
    std::vector<Hit> found = library.search(*before, limit, content_hash);
    const double share = between * share_of(own, best_of(found), most_share);
    between /= 2;
    if (share <= 0) continue;
    for (Hit& hit : found) {
      hit.score *= share;
      const auto [place, is_new] =
          places.emplace(std::pair(hit.content_hash, hit.passage), hits.size());
      if (is_new) {
        hit.coverage = 0;
        hits.push_back(std::move(hit));
      } else {
        hits[place->second].score += hit.score;
      }
    }
  }
  std::stable_sort(hits.begin(), hits.end(),
                   [](const Hit& a, const Hit& b) { return a.score > b.score; });
  if (std::ssize(hits) > limit) hits.resize(static_cast<std::size_t>(limit));
  return hits;
}

}  // namespace whereof::answering
