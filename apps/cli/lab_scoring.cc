// The four scoring forms on the same tiled softmax: their weights on one example, their gradients
// against central differences, and what they cost at equal width.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "lab.h"
#include "whereof/scoring.h"

namespace whereof::cli {
namespace {

constexpr ScoringForm kForms[] = {ScoringForm::dot, ScoringForm::general, ScoringForm::concat,
                                  ScoringForm::additive};

// Tensors of one head, all rows and the width of the projected space `dim` long.
class Example {
 public:
  Example(ScoringForm form, std::int64_t query_length, std::int64_t key_length, std::int64_t dim)
      : form_(form), output_({1, query_length, 1, dim}) {
    std::mt19937_64 random(17);
    const float weight_spread = 1 / std::sqrt(static_cast<float>(dim));
    const bool is_additive = form == ScoringForm::concat || form == ScoringForm::additive;
    const std::int64_t columns = form == ScoringForm::concat ? 2 * dim : dim;
    parts_.push_back(random_tensor({1, query_length, 1, dim}, random));
    parts_.push_back(random_tensor({1, key_length, 1, dim}, random));
    parts_.push_back(random_tensor({1, key_length, 1, dim}, random));
    parts_.push_back(form == ScoringForm::dot
                         ? LabTensor()
                         : random_tensor({1, 1, dim, columns}, random, weight_spread));
    parts_.push_back(form == ScoringForm::additive
                         ? random_tensor({1, 1, dim, dim}, random, weight_spread)
                         : LabTensor());
    parts_.push_back(is_additive ? random_tensor({1, 1, 1, dim}, random) : LabTensor());
    grad_output_ = random_tensor(output_.shape, random);
    log_sum_exp_.resize(static_cast<std::size_t>(query_length));
    for (const LabTensor& part : parts_) gradients_.push_back(LabTensor(part.shape));
  }

  std::vector<LabTensor>& parts() { return parts_; }
  std::vector<LabTensor>& gradients() { return gradients_; }
  LabTensor& output() { return output_; }

  void forward(const ScoringOptions& options = {}) {
    scoring_forward(form_,
                    {parts_[0].view(), parts_[1].view(), parts_[2].view(), parts_[3].view(),
                     parts_[4].view(), parts_[5].view()},
                    output_.view(), options, log_sum_exp_.data());
  }
  void backward(const ScoringOptions& options = {}) {
    scoring_backward(form_,
                     {parts_[0].view(), parts_[1].view(), parts_[2].view(), parts_[3].view(),
                      parts_[4].view(), parts_[5].view()},
                     output_.view(), log_sum_exp_.data(), grad_output_.view(),
                     {gradients_[0].view(), gradients_[1].view(), gradients_[2].view(),
                      gradients_[3].view(), gradients_[4].view(), gradients_[5].view()},
                     options);
  }
  // sum of output * grad_output, whose gradient by the output is grad_output
  double loss() {
    forward();
    double sum = 0;
    for (std::size_t i = 0; i < output_.data.size(); ++i) {
      sum += static_cast<double>(output_.data[i]) * static_cast<double>(grad_output_.data[i]);
    }
    return sum;
  }

 private:
  ScoringForm form_;
  std::vector<LabTensor> parts_;
  std::vector<LabTensor> gradients_;
  LabTensor output_;
  LabTensor grad_output_;
  std::vector<float> log_sum_exp_;
};

// Largest distance of a gradient from (loss(x + h) - loss(x - h)) / 2 h, as a share of the largest
// gradient, over every element of every input.
double gradient_error(ScoringForm form) {
  Example example(form, 5, 7, 6);
  example.forward();
  example.backward();
  const std::vector<LabTensor> gradients = example.gradients();
  double largest = 0;
  double worst = 0;
  for (std::size_t part = 0; part < gradients.size(); ++part) {
    for (std::size_t i = 0; i < gradients[part].data.size(); ++i) {
      float& x = example.parts()[part].data[i];
      const float at = x;
      x = at + 0.01F;
      const double above_at = static_cast<double>(x);
      const double above = example.loss();
      x = at - 0.01F;
      const double step = above_at - static_cast<double>(x);
      const double below = example.loss();
      x = at;
      const double gradient = static_cast<double>(gradients[part].data[i]);
      largest = std::max(largest, std::abs(gradient));
      worst = std::max(worst, std::abs(gradient - (above - below) / step));
    }
  }
  return worst / largest;
}

// Weights of the first query row over seven keys: values that are the identity show them.
std::string weights_text(ScoringForm form) {
  Example example(form, 1, 7, 7);
  example.parts()[2] = identity(7);
  example.forward();
  std::string text = fmt::format("    {:<9}", name_of(form));
  for (const float weight : example.output().data) text += fmt::format(" {:.3f}", weight);
  return text + "\n";
}

double row_sum(ScoringForm form) {
  Example example(form, 1, 7, 7);
  example.parts()[2] = identity(7);
  example.forward();
  double sum = 0;
  for (const float weight : example.output().data) sum += static_cast<double>(weight);
  return sum;
}

struct Times {
  double forward;
  double backward;
};

// Processor milliseconds of one thread, the fastest of five: 512 queries and keys of width 64.
Times times_of(ScoringForm form) {
  Example example(form, 512, 512, 64);
  const ScoringOptions options{.threads = 1, .instruction_set = {}, .stop = {}};
  Times fastest{1e9, 1e9};
  for (int repeat = 0; repeat < 5; ++repeat) {
    const double begin = processor_seconds();
    example.forward(options);
    const double between = processor_seconds();
    example.backward(options);
    fastest.forward = std::min(fastest.forward, 1e3 * (between - begin));
    fastest.backward = std::min(fastest.backward, 1e3 * (processor_seconds() - between));
  }
  return fastest;
}

}  // namespace

LabReport lab_scoring(const LabOptions&) {
  LabReport report{.title = "Scoring forms of Luong (2015) and Bahdanau (2014)",
                   .lines = {},
                   .drawing = "  Weights of one query over seven keys\n",
                   .plot = {}};
  Times dot{};
  for (const ScoringForm form : kForms) {
    const std::string name(name_of(form));
    report.lines.push_back(
        near(name + "_sum", name + ": sum of the weights of a row", row_sum(form), 1, 1e-6));
    report.lines.push_back(at_most(name + "_gradients",
                                   name + ": gradients against central differences",
                                   gradient_error(form), 2e-3));
    report.drawing += weights_text(form);
  }
  report.drawing += "  Processor ms of one thread, 512 queries and keys of width 64\n";
  for (const ScoringForm form : kForms) {
    const std::string name(name_of(form));
    const Times times = times_of(form);
    if (form == ScoringForm::dot) dot = times;
    report.drawing += fmt::format("    {:<9} forward {:8.3f}   backward {:8.3f}\n", name,
                                  times.forward, times.backward);
    if (form == ScoringForm::concat || form == ScoringForm::additive) {
      report.lines.push_back(at_least(name + "_time",
                                      name + ": forward time as a multiple of dot's",
                                      times.forward / dot.forward, 1.5));
    }
  }
  return report;
}

}  // namespace whereof::cli
