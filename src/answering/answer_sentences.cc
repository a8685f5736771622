#include "answering/answer_sentences.h"

#include <vector>

#include "text/sentences.h"
#include "whereof/span.h"

namespace whereof::answering {
namespace {

// Whether a sentence ends somewhere depends on fewer bytes around it.
constexpr std::size_t kLooked = 512;

}  // namespace

// Whether a number stands at the begin of a line matters: what is cut off leaves a word there.
void AnswerSentences::keep_from(std::size_t begin) {
  std::size_t before = begin;
  while (before > 0 && (open_[before - 1] == ' ' || open_[before - 1] == '\t')) --before;
  const bool begins_line = before == 0 || open_[before - 1] == '\n';
  open_.erase(0, begin);
  if (!begins_line) open_.insert(0, "x ");
}

std::size_t AnswerSentences::append(std::string_view bytes) {
  open_ += bytes;
  const std::vector<Span> spans = text::sentences(open_);
  if (spans.size() > 1) {
    count_ += spans.size() - 1;
    keep_from(static_cast<std::size_t>(spans.back().begin));
  }
  if (open_.size() > 2 * kLooked) keep_from(open_.size() - kLooked);
  return count_;
}

}  // namespace whereof::answering
