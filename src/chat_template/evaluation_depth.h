// Counts how deep the evaluator is, and stops it before its stack ends.
#ifndef WHEREOF_CHAT_TEMPLATE_EVALUATION_DEPTH_H_
#define WHEREOF_CHAT_TEMPLATE_EVALUATION_DEPTH_H_

#include <cstdint>
#include <string>

#include "chat_template/limits.h"

namespace whereof::chat_template {

class EvaluationDepth {
 public:
  EvaluationDepth(std::int64_t& depth, std::int64_t most, const char* what) : depth_(depth) {
    if (depth_ >= most) {
      refuse(std::string(what) + " lie over " + std::to_string(most) + " deep");
    }
    ++depth_;
  }
  ~EvaluationDepth() { --depth_; }
  EvaluationDepth(const EvaluationDepth&) = delete;
  EvaluationDepth& operator=(const EvaluationDepth&) = delete;

 private:
  std::int64_t& depth_;
};

// Statements and expressions that run inside each other, for each level that a template may have:
// macros put their own levels on top of each other.
constexpr std::int64_t kLevelsEach = 8;

}  // namespace whereof::chat_template

#endif  // WHEREOF_CHAT_TEMPLATE_EVALUATION_DEPTH_H_
