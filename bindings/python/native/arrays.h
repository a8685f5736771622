// Arrays of Python as views of the library, without copies.
#ifndef WHEREOF_BINDINGS_PYTHON_NATIVE_ARRAYS_H_
#define WHEREOF_BINDINGS_PYTHON_NATIVE_ARRAYS_H_

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>

#include "whereof/tensor_view.h"

namespace whereof::python {

// The order of the dimensions of an array with rank 4, as its user has it. Views are always
// [batch, length, heads, dim].
enum class Layout : std::uint8_t { bthd, bhtd };

Layout layout_named(const std::string& name);

[[noreturn]] void refuse(const std::string& message);  // Error(invalid_argument)

// An argument of rank 4 and what keeps its memory alive. Constructors throw an Error that names
// the argument, its shape and what was wanted: unsupported for the type of an object or of its
// elements, invalid_argument for a device, a rank, an extent of 0, or rows that are not contiguous.
// uint16 stands for bf16: NumPy's own bfloat16 has no way through DLPack.
template <typename Array, typename View>
struct BasicArgument {
  std::string name;
  Layout layout = Layout::bthd;
  Array array;
  View view;

  // "query has shape (1, 8, 5, 64) as [batch, heads, length, dim]"
  std::string described() const;
};

struct Input : BasicArgument<nanobind::ndarray<nanobind::ro>, ConstTensorView> {
  Input(const char* name, nanobind::handle object, Layout layout);
};

// Refuses memory that must not be written, too.
struct Output : BasicArgument<nanobind::ndarray<>, TensorView> {
  Output(const char* name, nanobind::handle object, Layout layout);
};

// The axes of a view, for messages.
enum Axis { kBatch, kLength, kHeads, kDim };

// Throws unless the extent of `argument` along `axis` is `wanted`; `reason` says where that comes
// from: "as query has".
template <typename Argument>
void check_extent(const Argument& argument, Axis axis, std::int64_t wanted, const char* reason);

// Query, key and value as attention_forward takes them, in words of the user's layout.
void check_attention_shapes(const Input& query, const Input& key, const Input& value);

// NaN or infinity, looked for in every element.
void check_finite(const Input& input);

}  // namespace whereof::python

#endif  // WHEREOF_BINDINGS_PYTHON_NATIVE_ARRAYS_H_
