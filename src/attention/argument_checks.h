// Checks of what a caller hands in; each throws an Error that names the argument, the value found
// and the value wanted.
#ifndef WHEREOF_ATTENTION_ARGUMENT_CHECKS_H_
#define WHEREOF_ATTENTION_ARGUMENT_CHECKS_H_

#include <array>
#include <cstdint>
#include <initializer_list>
#include <stop_token>
#include <string>
#include <vector>

#include "whereof/span.h"
#include "whereof/tensor_view.h"

namespace whereof::attention {

[[noreturn]] void refuse(const std::string& message);  // Error(invalid_argument)

// Error(cancelled) once stop has been requested.
void check_stop(const std::stop_token& stop);

// Type, extents, data and innermost stride. Throws Error(unsupported) for a type that is not
// listed.
void check_view(const char* name, const ConstTensorView& view,
                std::initializer_list<ElementType> types = {ElementType::f32, ElementType::bf16});
void check_shape(const char* name, const std::array<std::int64_t, 4>& found,
                 const std::array<std::int64_t, 4>& wanted);
// f64 goes with f64 alone.
void check_doubles(const char* name, const ConstTensorView& view, const char* other_name,
                   const ConstTensorView& other);
void check_no_overlap(const char* output_name, const TensorView& output, const char* input_name,
                      const ConstTensorView& input);
// Rows of an output that share memory would be written twice.
void check_rows_apart(const char* name, const TensorView& output);

// Ascending, disjoint, none empty, inside [0, length).
void check_spans(const char* name, const std::vector<Span>& spans, std::int64_t length);
// Ascending row indices in [0, query_length).
void check_query_rows(const std::vector<std::int64_t>& rows, std::int64_t query_length);
// Empty, or one length for each sequence, in [0, most].
void check_lengths(const char* name, const std::vector<std::int64_t>& lengths, std::int64_t batch,
                   std::int64_t most);
// Empty, or ascending from 0.
void check_starts(const char* name, const std::vector<std::int64_t>& starts);

}  // namespace whereof::attention

#endif  // WHEREOF_ATTENTION_ARGUMENT_CHECKS_H_
