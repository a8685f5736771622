// What was fitted for a model: which attention heads find what a question asks for, what its
// signals say of an answer, and from where on an alarm is raised. A readable file for each model,
// which `whereof calibrate` writes (whereof/calibration_fit.h).
//
// With s the signals on their scales, the probability that the document answers the question:
//
//     p = 1 / (1 + exp(-(bias + sum over signals of weight z)))
//     z = (s - mean) / deviation, kept within -4 .. 4
//
// A verdict of at least supported_from is "supported", of at least weak_from "weak".
#ifndef WHEREOF_CALIBRATION_H_
#define WHEREOF_CALIBRATION_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/answer_signals.h"

namespace whereof {

struct ModelDescription;

struct HeadWeight {
  std::int64_t layer = 0;
  std::int64_t head = 0;
  double weight = 0;  // more than 0
};

// Which heads find passages, and how much each counts.
struct HeadWeights {
  std::string source;  // the file; "all heads alike" when none are fitted
  // How much the standardised full-text score counts beside attention.
  double full_text_weight = 0.5;
  std::vector<HeadWeight> heads;  // empty: all heads alike

  bool is_fitted() const noexcept { return !heads.empty(); }
};

// What a signal is before it is standardised.
enum class SignalScale {
  plain,
  log,    // ln(max(x, 1e-6))
  logit,  // ln(x / (1 - x)), x kept within 1e-6 .. 1 - 1e-6
};
std::string_view name_of(SignalScale scale) noexcept;
double on_scale(SignalScale scale, double value) noexcept;

struct SignalWeight {
  SignalName signal;
  SignalScale scale = SignalScale::plain;
  double weight = 0;
  double mean = 0;
  double deviation = 1;  // more than 0
};

// z above.
double standardised(const SignalWeight& weight, const AnswerSignals& signals) noexcept;

struct Calibration {
  std::string source;  // the file; "not calibrated" when there is none for the model
  // The lines of comment at the file's begin: how it was fitted, on what, and what it reaches on
  // what it was not fitted on.
  std::vector<std::string> notes;
  HeadWeights heads;
  std::vector<SignalWeight> signals;
  double bias = 0;
  double supported_from = 0;  // probabilities, weak_from <= supported_from
  double weak_from = 0;
  std::map<std::string, double, std::less<>> alarms;  // thresholds by name

  // Whether signals are fitted, so that support_probability() and the cuts mean something. Heads
  // may be fitted without.
  bool is_fitted() const noexcept { return !signals.empty(); }
  // The threshold of that name, else the other value.
  double alarm(std::string_view name, double otherwise) const;

  // Lines of "model NAME", "shape LAYERS HEADS", "full_text WEIGHT", "head LAYER HEAD WEIGHT",
  // "signal NAME SCALE WEIGHT MEAN DEVIATION", "bias VALUE", "supported_from PROBABILITY",
  // "weak_from PROBABILITY", "alarm NAME VALUE"; # to the end of a line is a comment. Throws Error:
  // not_found, input_output, invalid_argument (the line, the value and what is wanted).
  static Calibration load(const std::filesystem::path& file, const ModelDescription& model);
  // The file that is named as the model's file is, or that names the model: in
  // $WHEREOF_CALIBRATION where that is set, else in the user's own folder (may be empty), else in
  // share/whereof/calibration of the installation or the build. Not calibrated when none is there.
  static Calibration of_model(const ModelDescription& model,
                              const std::filesystem::path& own_folder = {});
  // Such a file, whole or not at all; an older one of the name is replaced. Throws
  // Error(input_output).
  void save(const std::filesystem::path& file, const ModelDescription& model) const;
};

// p above, of a calibration that is_fitted(); 0.5 else. Of an extract, the signals that need an
// answer count as at their means (z = 0). Pure.
double support_probability(const AnswerSignals& signals, const Calibration& calibration,
                           bool is_extract = false);

}  // namespace whereof

#endif  // WHEREOF_CALIBRATION_H_
