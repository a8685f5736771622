// Which attention heads find what a question asks for: a readable file for each model, fitted on
// question sets (bench/choose_heads.py).
#ifndef WHEREOF_HEAD_WEIGHTS_H_
#define WHEREOF_HEAD_WEIGHTS_H_

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace whereof {

struct ModelDescription;

struct HeadWeight {
  std::int64_t layer = 0;
  std::int64_t head = 0;
  double weight = 0;  // more than 0
};

// Which heads find passages, and how much each counts.
struct HeadWeights {
  std::string source;  // the file; "all heads alike" when there is none for the model
  // How much the standardised full-text score counts beside attention.
  double full_text_weight = 0.5;
  std::vector<HeadWeight> heads;  // empty: all heads alike

  bool is_fitted() const noexcept { return !heads.empty(); }

  // Lines of "model NAME", "shape LAYERS HEADS", "full_text WEIGHT", "head LAYER HEAD WEIGHT"; # to
  // the end of a line is a comment. Throws Error: not_found, input_output, invalid_argument (the
  // line and what is wrong with it).
  static HeadWeights load(const std::filesystem::path& file, const ModelDescription& model);
  // The file that is named as the model's file is, or that names the model, in $WHEREOF_HEADS, else
  // in share/whereof/heads of the installation or the build. All heads alike when none is there.
  static HeadWeights of_model(const ModelDescription& model);
};

}  // namespace whereof

#endif  // WHEREOF_HEAD_WEIGHTS_H_
