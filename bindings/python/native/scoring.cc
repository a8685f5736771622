#include "whereof/scoring.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <array>
#include <list>
#include <string>

#include "arrays.h"
#include "parts.h"
#include "running.h"

namespace nb = nanobind;

namespace whereof::python {
namespace {

using Floats = nb::ndarray<float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ConstFloats = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

// query, key, value, weight, key_weight, score_vector.
using Arrays = nb::typed<nb::tuple, nb::object, nb::ellipsis>;

ScoringForm form_named(const std::string& name) {
  for (const ScoringForm form :
       {ScoringForm::dot, ScoringForm::general, ScoringForm::concat, ScoringForm::additive}) {
    if (name == name_of(form)) return form;
  }
  refuse("form is \"" + name + "\"; wanted \"dot\", \"general\", \"concat\" or \"additive\"");
}

// The arrays of a call, of which those that its form does not take are None. Parameters are
// [1, heads, rows, columns] whatever the layout.
template <typename Argument, typename View>
class Tensors {
 public:
  // `objects`: query, key, value, weight, key_weight, score_vector.
  Tensors(const char* prefix, const Arrays& objects, Layout layout) {
    constexpr std::array<const char*, 6> kNames{"query",  "key",        "value",
                                                "weight", "key_weight", "score_vector"};
    if (objects.size() != kNames.size()) refuse("a scoring form takes six arrays or None");
    View* const places[] = {&views.query,  &views.key,        &views.value,
                            &views.weight, &views.key_weight, &views.score_vector};
    for (std::size_t i = 0; i < kNames.size(); ++i) {
      if (objects[i].is_none()) continue;
      const std::string name = std::string(prefix) + kNames[i];
      *places[i] =
          arguments_.emplace_back(name.c_str(), objects[i], i < 3 ? layout : Layout::bthd).view;
    }
  }

  ScoringTensors<View> views;

 private:
  std::list<Argument> arguments_;
};
using Inputs = Tensors<Input, ConstTensorView>;
using Gradients = Tensors<Output, TensorView>;

ScoringOptions options_of(bool is_causal, int threads, const std::stop_token& stop) {
  ScoringOptions options;
  options.is_causal = is_causal;
  options.threads = threads;
  options.stop = stop;
  return options;
}

// A tanh counts as some twenty operations.
double operations_of(ScoringForm form, const ScoringInputs& inputs) {
  const auto& query = inputs.query.shape;
  const bool has_tanh = form == ScoringForm::additive || form == ScoringForm::concat;
  const double of_a_pair =
      has_tanh ? 20.0 * static_cast<double>(inputs.score_vector.shape[3])
               : 2.0 * static_cast<double>(inputs.key.shape[3] + inputs.value.shape[3]);
  return of_a_pair * static_cast<double>(query[0] * query[2]) * static_cast<double>(query[1]) *
         static_cast<double>(inputs.key.shape[1]);
}

template <typename Array>
void check_log_sum_exp(const Array& figures, const ScoringInputs& inputs) {
  const auto& query = inputs.query.shape;
  if (static_cast<std::int64_t>(figures.shape(0)) != query[kBatch] ||
      static_cast<std::int64_t>(figures.shape(1)) != query[kHeads] ||
      static_cast<std::int64_t>(figures.shape(2)) != query[kLength]) {
    refuse("log_sum_exp has another shape than [batch, heads, length] of query");
  }
}

void forward(const std::string& form_name, const Arrays& arrays, nb::handle output_array,
             const Floats& log_sum_exp, const std::string& layout_name, bool is_causal,
             int threads) {
  const ScoringForm form = form_named(form_name);
  const Layout layout = layout_named(layout_name);
  const Inputs inputs("", arrays, layout);
  const Output output("out", output_array, layout);
  check_log_sum_exp(log_sum_exp, inputs.views);
  run_released(operations_of(form, inputs.views), [&](const std::stop_token& stop) {
    scoring_forward(form, inputs.views, output.view, options_of(is_causal, threads, stop),
                    log_sum_exp.data());
  });
}

void backward(const std::string& form_name, const Arrays& arrays, nb::handle output_array,
              const ConstFloats& log_sum_exp, nb::handle grad_output_array, const Arrays& gradients,
              const std::string& layout_name, bool is_causal, int threads) {
  const ScoringForm form = form_named(form_name);
  const Layout layout = layout_named(layout_name);
  const Inputs inputs("", arrays, layout);
  const Input output("output", output_array, layout);
  const Input grad_output("grad_output", grad_output_array, layout);
  const Gradients grads("grad_", gradients, layout);
  check_log_sum_exp(log_sum_exp, inputs.views);
  run_released(2.5 * operations_of(form, inputs.views), [&](const std::stop_token& stop) {
    scoring_backward(form, inputs.views, output.view, log_sum_exp.data(), grad_output.view,
                     grads.views, options_of(is_causal, threads, stop));
  });
}

}  // namespace

void add_scoring(nb::module_& module) {
  module.def("scoring_forward", &forward, nb::arg("form"), nb::arg("arrays"), nb::arg("output"),
             nb::arg("log_sum_exp"), nb::arg("layout"), nb::arg("is_causal"), nb::arg("threads"));
  module.def("scoring_backward", &backward, nb::arg("form"), nb::arg("arrays"), nb::arg("output"),
             nb::arg("log_sum_exp"), nb::arg("grad_output"), nb::arg("gradients"),
             nb::arg("layout"), nb::arg("is_causal"), nb::arg("threads"));
}

}  // namespace whereof::python
