#include "attention/argument_checks.h"

#include <algorithm>
#include <cstdlib>

#include "whereof/error.h"

namespace whereof::attention {
namespace {

std::string text_of(const std::array<std::int64_t, 4>& shape) {
  std::string text = "[";
  for (std::size_t i = 0; i < shape.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  }
  return text + "]";
}

std::string text_of(Span span) {
  return "[" + std::to_string(span.begin) + ", " + std::to_string(span.end) + ")";
}

struct Extent {
  std::intptr_t begin = 0;
  std::intptr_t end = 0;
};

// The bytes between the first and the last that a view reaches.
Extent extent_of(const ConstTensorView& view) {
  std::int64_t lowest = 0;
  std::int64_t highest = 0;
  for (std::size_t i = 0; i < view.shape.size(); ++i) {
    const std::int64_t reach = (view.shape[i] - 1) * view.strides[i];
    (reach < 0 ? lowest : highest) += reach;
  }
  const auto data = reinterpret_cast<std::intptr_t>(view.data);
  const std::int64_t bytes = bytes_of(view.type);
  return {data + lowest * bytes, data + (highest + 1) * bytes};
}

}  // namespace

void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) throw Error(ErrorKind::cancelled, "stopped as asked");
}

void check_view(const char* name, const ConstTensorView& view,
                std::initializer_list<ElementType> types) {
  if (std::find(types.begin(), types.end(), view.type) == types.end()) {
    std::string wanted;
    for (const ElementType type : types) wanted += " " + std::string(name_of(type));
    throw Error(ErrorKind::unsupported, std::string(name) + " has type " +
                                            std::string(name_of(view.type)) + "; wanted one of" +
                                            wanted);
  }
  for (const std::int64_t extent : view.shape) {
    if (extent < 0) {
      refuse(std::string(name) + " has shape " + text_of(view.shape) +
             "; no dimension may be negative");
    }
  }
  if (view.is_empty()) return;
  if (view.data == nullptr) {
    refuse(std::string(name) + " of shape " + text_of(view.shape) + " has no data");
  }
  if (view.shape[3] > 1 && view.strides[3] != 1) {
    refuse(std::string(name) + " has innermost stride " + std::to_string(view.strides[3]) +
           "; rows must be contiguous (stride 1)");
  }
}

void check_shape(const char* name, const std::array<std::int64_t, 4>& found,
                 const std::array<std::int64_t, 4>& wanted) {
  if (found == wanted) return;
  refuse(std::string(name) + " has shape " + text_of(found) + "; wanted " + text_of(wanted));
}

void check_doubles(const char* name, const ConstTensorView& view, const char* other_name,
                   const ConstTensorView& other) {
  if ((view.type == ElementType::f64) == (other.type == ElementType::f64)) return;
  refuse(std::string(name) + " is " + std::string(name_of(view.type)) + " and " + other_name + " " +
         std::string(name_of(other.type)) + "; f64 goes with f64 alone");
}

void check_no_overlap(const char* output_name, const TensorView& output, const char* input_name,
                      const ConstTensorView& input) {
  if (output.is_empty() || input.is_empty()) return;
  const Extent a = extent_of(output);
  const Extent b = extent_of(input);
  if (a.begin < b.end && b.begin < a.end) {
    refuse(std::string(output_name) + " overlaps " + input_name +
           " in memory; it must overlap no input");
  }
}

void check_rows_apart(const char* name, const TensorView& output) {
  if (output.is_empty()) return;
  for (std::size_t i = 0; i < 3; ++i) {
    if (output.shape[i] > 1 && std::abs(output.strides[i]) < output.shape[3]) {
      refuse(std::string(name) + " has stride " + std::to_string(output.strides[i]) +
             " in dimension " + std::to_string(i) + "; its rows of " +
             std::to_string(output.shape[3]) + " elements overlap");
    }
  }
}

void check_spans(const char* name, const std::vector<Span>& spans, std::int64_t length) {
  std::int64_t previous_end = 0;
  for (std::size_t i = 0; i < spans.size(); ++i) {
    const Span span = spans[i];
    const std::string which = std::string(name) + "[" + std::to_string(i) + "] is " + text_of(span);
    if (span.is_empty()) refuse(which + "; no span may be empty");
    if (span.begin < 0 || span.end > length) {
      refuse(which + "; it leaves the sequence of length " + std::to_string(length));
    }
    if (span.begin < previous_end) {
      refuse(which + "; spans must be ascending and disjoint, and the one before ends at " +
             std::to_string(previous_end));
    }
    previous_end = span.end;
  }
}

void check_query_rows(const std::vector<std::int64_t>& rows, std::int64_t query_length) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string which = "query_rows[" + std::to_string(i) + "] is " + std::to_string(rows[i]);
    if (rows[i] < 0 || rows[i] >= query_length) {
      refuse(which + "; the call has " + std::to_string(query_length) + " query rows");
    }
    if (i > 0 && rows[i] <= rows[i - 1]) {
      refuse(which + "; rows must be ascending, and the one before is " +
             std::to_string(rows[i - 1]));
    }
  }
}

void check_lengths(const char* name, const std::vector<std::int64_t>& lengths, std::int64_t batch,
                   std::int64_t most) {
  if (lengths.empty()) return;
  if (static_cast<std::int64_t>(lengths.size()) != batch) {
    refuse(std::string(name) + " has " + std::to_string(lengths.size()) +
           " entries; wanted one for each of the " + std::to_string(batch) + " sequences");
  }
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    if (lengths[i] >= 0 && lengths[i] <= most) continue;
    refuse(std::string(name) + "[" + std::to_string(i) + "] is " + std::to_string(lengths[i]) +
           "; wanted 0 to " + std::to_string(most));
  }
}

void check_starts(const char* name, const std::vector<std::int64_t>& starts) {
  for (std::size_t i = 0; i < starts.size(); ++i) {
    const bool is_right = i == 0 ? starts[i] == 0 : starts[i] > starts[i - 1];
    if (is_right) continue;
    refuse(std::string(name) + "[" + std::to_string(i) + "] is " + std::to_string(starts[i]) +
           "; starts must ascend, and the first must be 0");
  }
}

}  // namespace whereof::attention
