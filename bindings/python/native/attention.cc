#include "whereof/attention.h"

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <vector>

#include "arrays.h"
#include "parts.h"
#include "running.h"
#include "whereof/attention_backward.h"
#include "whereof/cache_quantisation.h"
#include "whereof/error.h"

namespace nb = nanobind;

namespace whereof::python {
namespace {

using SpanRows = nb::ndarray<const std::int64_t, nb::shape<-1, 2>, nb::c_contig, nb::device::cpu>;
using Floats = nb::ndarray<float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;
using ConstFloats = nb::ndarray<const float, nb::ndim<3>, nb::c_contig, nb::device::cpu>;

std::vector<Span> spans_of(const std::optional<SpanRows>& rows) {
  std::vector<Span> spans;
  if (!rows) return spans;
  spans.reserve(rows->shape(0));
  for (std::size_t i = 0; i < rows->shape(0); ++i) {
    spans.push_back({rows->data()[2 * i], rows->data()[2 * i + 1]});
  }
  return spans;
}

std::optional<InstructionSet> set_named(const std::optional<std::string>& name) {
  if (!name) return std::nullopt;
  const std::optional<InstructionSet> set = instruction_set_named(*name);
  if (set) return set;
  std::string known;
  for (const InstructionSet each : runnable_instruction_sets()) {
    known += (known.empty() ? "" : ", ") + std::string(name_of(each));
  }
  refuse("instruction_set is \"" + *name + "\"; wanted one of " + known);
}

AttentionOptions options_of(std::optional<double> scale, float soft_cap, bool is_causal,
                            std::optional<std::int64_t> query_offset, std::int64_t window,
                            std::int64_t kept_sinks, std::vector<std::int64_t> query_lengths,
                            std::vector<std::int64_t> key_lengths,
                            std::vector<std::int64_t> document_starts,
                            const std::optional<SpanRows>& hidden, int threads,
                            const std::optional<std::string>& instruction_set) {
  AttentionOptions options;
  options.scale = scale;
  options.soft_cap = soft_cap;
  options.mask.is_causal = is_causal;
  options.mask.query_offset = query_offset;
  options.mask.window = window;
  options.mask.kept_sinks = kept_sinks;
  options.mask.query_lengths = std::move(query_lengths);
  options.mask.key_lengths = std::move(key_lengths);
  options.mask.document_starts = std::move(document_starts);
  options.mask.hidden = spans_of(hidden);
  options.threads = threads;
  options.instruction_set = set_named(instruction_set);
  return options;
}

EvidenceRequest request_of(const std::string& rows, const std::optional<SpanRows>& query_spans,
                           std::vector<std::int64_t> query_rows,
                           const std::optional<SpanRows>& key_spans, std::int64_t sink_length,
                           std::int64_t top_keys, bool column_sums) {
  EvidenceRequest request;
  request.rows = rows == "spans"    ? EvidenceRows::by_query_span
                 : rows == "single" ? EvidenceRows::single
                                    : EvidenceRows::all_summed;
  request.query_spans = spans_of(query_spans);
  request.query_rows = std::move(query_rows);
  request.key_spans = spans_of(key_spans);
  request.sink_length = sink_length;
  request.top_keys = top_keys;
  request.column_sums = column_sums;
  return request;
}

// Scores and weighted values of every pair, though a mask may leave fewer.
double operations_of(const ConstTensorView& query, const ConstTensorView& key,
                     const ConstTensorView& value) {
  constexpr double kOfDouble = 50;  // what f64 takes for one operation of a tile
  return (query.type == ElementType::f64 ? kOfDouble : 1) * 2.0 *
         static_cast<double>(query.shape[0] * query.shape[2]) *
         static_cast<double>(query.shape[1]) * static_cast<double>(key.shape[1]) *
         static_cast<double>(key.shape[3] + value.shape[3]);
}

std::string text_of(Span span) {
  return "(" + std::to_string(span.begin) + ", " + std::to_string(span.end) + ")";
}

// In the words of the caller: `name` is the argument, `of` whose length it is.
void check_spans(const char* name, const std::vector<Span>& spans, std::int64_t length,
                 const char* of) {
  std::int64_t previous_end = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const std::string which =
        std::string(name) + "[" + std::to_string(i) + "] is " + text_of(spans[i]);
    if (spans[i].is_empty()) refuse(which + "; wanted begin < end");
    if (spans[i].begin < 0 || spans[i].end > length) {
      refuse(which + "; wanted a span within the " + std::to_string(length) + " " + of);
    }
    if (spans[i].begin < previous_end) {
      refuse(which + "; wanted spans that ascend and are disjoint, and the one before ends at " +
             std::to_string(previous_end));
    }
    previous_end = spans[i].end;
  }
}

void check_request(const EvidenceRequest& request, const Input& query, const Input& key) {
  const std::int64_t rows = query.view.shape[kLength];
  check_spans("spans", request.key_spans, key.view.shape[kLength], "positions of key");
  check_spans("rows", request.query_spans, rows, "rows of query");
  std::int64_t least = 0;
  for (std::size_t i = 0; i < request.query_rows.size(); ++i) {
    const std::int64_t row = request.query_rows[i];
    if (row >= least && row < rows) {
      least = row + 1;
      continue;
    }
    refuse("rows[" + std::to_string(i) + "] is " + std::to_string(row) +
           "; wanted indices that ascend within the " + std::to_string(rows) + " rows of query");
  }
}

template <typename Array>
void check_log_sum_exp(const Array& figures, const Input& query) {
  const auto& shape = query.view.shape;
  const auto extent = [&](std::size_t i) { return static_cast<std::int64_t>(figures.shape(i)); };
  if (extent(0) == shape[kBatch] && extent(1) == shape[kHeads] && extent(2) == shape[kLength]) {
    return;
  }
  refuse("log_sum_exp has shape (" + std::to_string(extent(0)) + ", " + std::to_string(extent(1)) +
         ", " + std::to_string(extent(2)) + "); wanted (" + std::to_string(shape[kBatch]) + ", " +
         std::to_string(shape[kHeads]) + ", " + std::to_string(shape[kLength]) +
         ") as [batch, heads, length], of query");
}

std::optional<Evidence> forward(nb::handle query_array, nb::handle key_array,
                                nb::handle value_array, nb::handle output_array,
                                const std::string& layout_name, const AttentionOptions& asked,
                                const std::optional<Floats>& log_sum_exp,
                                const EvidenceRequest* request, bool checks_finite,
                                nb::handle key_scales, nb::handle value_scales) {
  const Layout layout = layout_named(layout_name);
  const Input query("query", query_array, layout);
  const Input key("key", key_array, layout);
  const Input value("value", value_array, layout);
  const Output output("out", output_array, layout);
  check_attention_shapes(query, key, value);
  check_extent(output, kBatch, query.view.shape[kBatch], "as query has");
  check_extent(output, kLength, query.view.shape[kLength], "as query has");
  check_extent(output, kHeads, query.view.shape[kHeads], "as query has");
  check_extent(output, kDim, value.view.shape[kDim], "as value has");
  if (log_sum_exp) check_log_sum_exp(*log_sum_exp, query);
  if (request != nullptr) check_request(*request, query, key);
  check_spans("hidden", asked.mask.hidden, key.view.shape[kLength], "positions of key");
  if (checks_finite) {
    for (const Input* input : {&query, &key, &value}) check_finite(*input);
  }
  AttentionOptions options = asked;
  std::optional<Input> key_scale;
  std::optional<Input> value_scale;
  if (!key_scales.is_none()) {
    key_scale.emplace("key scales", key_scales, layout);
    value_scale.emplace("value scales", value_scales, layout);
    options.cache_scales = CacheScales{key_scale->view, value_scale->view};
  }
  std::optional<Evidence> evidence;
  if (request != nullptr) evidence.emplace();
  run_released(operations_of(query.view, key.view, value.view), [&](const std::stop_token& stop) {
    options.stop = stop;
    attention_forward(query.view, key.view, value.view, output.view, options,
                      log_sum_exp ? log_sum_exp->data() : nullptr, request,
                      evidence ? &*evidence : nullptr);
  });
  return evidence;
}

void backward(nb::handle query_array, nb::handle key_array, nb::handle value_array,
              nb::handle output_array, const ConstFloats& log_sum_exp, nb::handle grad_output_array,
              nb::handle grad_query_array, nb::handle grad_key_array, nb::handle grad_value_array,
              const std::string& layout_name, const AttentionOptions& asked) {
  const Layout layout = layout_named(layout_name);
  const Input query("query", query_array, layout);
  const Input key("key", key_array, layout);
  const Input value("value", value_array, layout);
  const Input output("output", output_array, layout);
  const Input grad_output("grad_output", grad_output_array, layout);
  const Output grad_query("grad_query", grad_query_array, layout);
  const Output grad_key("grad_key", grad_key_array, layout);
  const Output grad_value("grad_value", grad_value_array, layout);
  check_attention_shapes(query, key, value);
  for (const Input* of_output : {&output, &grad_output}) {
    check_extent(*of_output, kBatch, query.view.shape[kBatch], "as query has");
    check_extent(*of_output, kLength, query.view.shape[kLength], "as query has");
    check_extent(*of_output, kHeads, query.view.shape[kHeads], "as query has");
    check_extent(*of_output, kDim, value.view.shape[kDim], "as value has");
  }
  check_log_sum_exp(log_sum_exp, query);
  AttentionOptions options = asked;
  run_released(2.5 * operations_of(query.view, key.view, value.view),
               [&](const std::stop_token& stop) {
                 options.stop = stop;
                 attention_backward(query.view, key.view, value.view, output.view,
                                    log_sum_exp.data(), grad_output.view, grad_query.view,
                                    grad_key.view, grad_value.view, options);
               });
}

double quantise(nb::handle rows, nb::handle stored, nb::handle scales,
                const std::string& layout_name) {
  const Layout layout = layout_named(layout_name);
  const Input from("rows", rows, layout);
  const Output to("stored", stored, layout);
  const Output units("scales", scales, layout);
  return quantise_cache(from.view, to.view, units.view).largest;
}

}  // namespace

void add_attention(nb::module_& module) {
  nb::class_<AttentionOptions>(module, "Options")
      .def(
          "__init__",
          [](AttentionOptions* self, std::optional<double> scale, float soft_cap, bool is_causal,
             std::optional<std::int64_t> query_offset, std::int64_t window, std::int64_t kept_sinks,
             std::vector<std::int64_t> query_lengths, std::vector<std::int64_t> key_lengths,
             std::vector<std::int64_t> document_starts, const std::optional<SpanRows>& hidden,
             int threads, const std::optional<std::string>& instruction_set) {
            new (self) AttentionOptions(
                options_of(scale, soft_cap, is_causal, query_offset, window, kept_sinks,
                           std::move(query_lengths), std::move(key_lengths),
                           std::move(document_starts), hidden, threads, instruction_set));
          },
          nb::arg("scale").none(), nb::arg("soft_cap"), nb::arg("is_causal"),
          nb::arg("query_offset").none(), nb::arg("window"), nb::arg("kept_sinks"),
          nb::arg("query_lengths"), nb::arg("key_lengths"), nb::arg("document_starts"),
          nb::arg("hidden").none(), nb::arg("threads"), nb::arg("instruction_set").none());
  nb::class_<EvidenceRequest>(module, "EvidenceRequest")
      .def(
          "__init__",
          [](EvidenceRequest* self, const std::string& rows,
             const std::optional<SpanRows>& query_spans, std::vector<std::int64_t> query_rows,
             const std::optional<SpanRows>& key_spans, std::int64_t sink_length,
             std::int64_t top_keys, bool column_sums) {
            new (self) EvidenceRequest(request_of(rows, query_spans, std::move(query_rows),
                                                  key_spans, sink_length, top_keys, column_sums));
          },
          nb::arg("rows"), nb::arg("query_spans").none(), nb::arg("query_rows"),
          nb::arg("key_spans").none(), nb::arg("sink_length"), nb::arg("top_keys"),
          nb::arg("column_sums"));
  module.def("forward", &forward, nb::arg("query"), nb::arg("key"), nb::arg("value"),
             nb::arg("output"), nb::arg("layout"), nb::arg("options"),
             nb::arg("log_sum_exp").none(), nb::arg("request").none(), nb::arg("checks_finite"),
             nb::arg("key_scales").none() = nb::none(),
             nb::arg("value_scales").none() = nb::none());
  module.def("backward", &backward, nb::arg("query"), nb::arg("key"), nb::arg("value"),
             nb::arg("output"), nb::arg("log_sum_exp"), nb::arg("grad_output"),
             nb::arg("grad_query"), nb::arg("grad_key"), nb::arg("grad_value"), nb::arg("layout"),
             nb::arg("options"));
  module.def("quantise", &quantise, nb::arg("rows"), nb::arg("stored"), nb::arg("scales"),
             nb::arg("layout"),
             "Writes rows as 8-bit integers and scales; the largest relative error.");
}

}  // namespace whereof::python
