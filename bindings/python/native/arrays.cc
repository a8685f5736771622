#include "arrays.h"

#include <cmath>
#include <optional>

#include "whereof/error.h"

namespace nb = nanobind;

namespace whereof::python {
namespace {

constexpr int kProcessor = 1;  // DLPack's kDLCPU

std::string text_of_shape(const std::int64_t* shape, std::size_t rank) {
  std::string text = "(";
  for (std::size_t i = 0; i < rank; ++i) text += (i == 0 ? "" : ", ") + std::to_string(shape[i]);
  return text + (rank == 1 ? ",)" : ")");
}

std::string order_of(Layout layout) {
  return layout == Layout::bthd ? "[batch, length, heads, dim]" : "[batch, heads, length, dim]";
}

std::optional<ElementType> element_type_of(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const auto is = [&](Code code, int bits) {
    return type.code == static_cast<std::uint8_t>(code) && type.bits == bits && type.lanes == 1;
  };
  if (is(Code::Float, 32)) return ElementType::f32;
  if (is(Code::Float, 64)) return ElementType::f64;
  if (is(Code::Float, 16)) return ElementType::f16;
  if (is(Code::Bfloat, 16) || is(Code::UInt, 16)) return ElementType::bf16;
  if (is(Code::Int, 8)) return ElementType::i8;
  return std::nullopt;
}

std::string name_of_type(nb::dlpack::dtype type) {
  using Code = nb::dlpack::dtype_code;
  const auto code = static_cast<Code>(type.code);
  const std::string bits = std::to_string(type.bits);
  if (code == Code::Float) return "float" + bits;
  if (code == Code::Bfloat) return "bfloat" + bits;
  if (code == Code::Int) return "int" + bits;
  if (code == Code::UInt) return "uint" + bits;
  if (code == Code::Complex) return "complex" + bits;
  if (code == Code::Bool) return "bool";
  return "a type of " + bits + " bits";
}

template <typename Array>
Array array_of(const char* name, nb::handle object, const char* wanted) {
  Array array;
  if (nb::try_cast<Array>(object, array)) return array;
  PyErr_Clear();
  const nb::object type = nb::steal(PyType_GetQualName(Py_TYPE(object.ptr())));
  throw Error(ErrorKind::unsupported,
              std::string(name) + " is " + nb::str(type).c_str() + "; wanted " + wanted);
}

template <typename Array, typename View>
void fill(BasicArgument<Array, View>& argument) {
  const Array& array = argument.array;
  const std::string& name = argument.name;
  const std::string shape = " has shape " + text_of_shape(array.shape_ptr(), array.ndim());
  if (array.device_type() != kProcessor) {
    refuse(name + shape + " on device " + std::to_string(array.device_type()) +
           " of DLPack; wanted an array in the processor's memory");
  }
  if (array.ndim() != 4) {
    refuse(name + shape + "; wanted 4 dimensions, " + order_of(argument.layout));
  }
  const std::optional<ElementType> type = element_type_of(array.dtype());
  if (!type) {
    throw Error(ErrorKind::unsupported, name + shape + " and type " + name_of_type(array.dtype()) +
                                            "; wanted float32, float16, bfloat16 or float64");
  }
  View& view = argument.view;
  view.data = array.data();
  view.type = *type;
  const std::array<std::size_t, 4> order = argument.layout == Layout::bthd
                                               ? std::array<std::size_t, 4>{0, 1, 2, 3}
                                               : std::array<std::size_t, 4>{0, 2, 1, 3};
  for (std::size_t i = 0; i < 4; ++i) {
    view.shape[i] = array.shape_ptr()[order[i]];
    view.strides[i] = array.stride_ptr()[order[i]];
    if (view.shape[i] == 0) {
      refuse(name + shape + "; wanted no dimension of 0 in " + order_of(argument.layout));
    }
  }
  if (view.shape[3] > 1 && view.strides[3] != 1) {
    refuse(
        name + shape + " and stride " + std::to_string(view.strides[3]) +
        " along its last dimension; wanted contiguous rows (stride 1), as a contiguous copy has");
  }
}

template <typename Word, typename IsFinite>
void check_rows(const Input& input, IsFinite is_finite) {
  const ConstTensorView& view = input.view;
  for (std::int64_t b = 0; b < view.shape[0]; ++b) {
    for (std::int64_t t = 0; t < view.shape[1]; ++t) {
      for (std::int64_t h = 0; h < view.shape[2]; ++h) {
        const Word* row = static_cast<const Word*>(view.data) + view.row_offset(b, t, h);
        for (std::int64_t d = 0; d < view.shape[3]; ++d) {
          if (is_finite(row[d])) continue;
          refuse(input.described() + " and NaN or infinity at batch " + std::to_string(b) +
                 ", position " + std::to_string(t) + ", head " + std::to_string(h) + ", element " +
                 std::to_string(d) + "; wanted finite numbers");
        }
      }
    }
  }
}

}  // namespace

Layout layout_named(const std::string& name) {
  if (name == "bthd") return Layout::bthd;
  if (name == "bhtd") return Layout::bhtd;
  refuse("layout is \"" + name +
         "\"; wanted \"bthd\" for [batch, length, heads, dim] or \"bhtd\" for "
         "[batch, heads, length, dim]");
}

void refuse(const std::string& message) { throw Error(ErrorKind::invalid_argument, message); }

template <typename Array, typename View>
std::string BasicArgument<Array, View>::described() const {
  return name + " has shape " + text_of_shape(array.shape_ptr(), array.ndim()) + " as " +
         order_of(layout);
}

Input::Input(const char* name_in, nb::handle object, Layout layout_in) {
  name = name_in;
  layout = layout_in;
  array = array_of<nb::ndarray<nb::ro>>(
      name_in, object, "an array of NumPy, or another with DLPack or the buffer protocol");
  fill(*this);
}

Output::Output(const char* name_in, nb::handle object, Layout layout_in) {
  name = name_in;
  layout = layout_in;
  array = array_of<nb::ndarray<>>(name_in, object, "an array that may be written");
  fill(*this);
}

template <typename Argument>
void check_extent(const Argument& argument, Axis axis, std::int64_t wanted, const char* reason) {
  const std::int64_t found = argument.view.shape[axis];
  if (found == wanted) return;
  constexpr std::array<const char*, 4> kNames{"batch", "length", "heads", "dim"};
  refuse(argument.described() + ": " + kNames[axis] + " is " + std::to_string(found) + "; wanted " +
         std::to_string(wanted) + ", " + reason);
}
template void check_extent(const Input&, Axis, std::int64_t, const char*);
template void check_extent(const Output&, Axis, std::int64_t, const char*);

void check_attention_shapes(const Input& query, const Input& key, const Input& value) {
  const auto& shape = query.view.shape;
  check_extent(key, kBatch, shape[kBatch], "as query has");
  check_extent(key, kDim, shape[kDim], "as query has");
  check_extent(value, kBatch, shape[kBatch], "as query has");
  check_extent(value, kLength, key.view.shape[kLength], "as key has");
  check_extent(value, kHeads, key.view.shape[kHeads], "as key has");
  if (shape[kHeads] % key.view.shape[kHeads] != 0) {
    refuse(key.described() + ": heads is " + std::to_string(key.view.shape[kHeads]) +
           "; wanted a divisor of the " + std::to_string(shape[kHeads]) + " heads of query");
  }
  if (value.view.type != key.view.type) {
    refuse("value has type " + std::string(name_of(value.view.type)) + "; wanted " +
           std::string(name_of(key.view.type)) + ", as key has");
  }
}

void check_finite(const Input& input) {
  switch (input.view.type) {
    case ElementType::f32:
      check_rows<float>(input, [](float x) { return std::isfinite(x); });
      break;
    case ElementType::f64:
      check_rows<double>(input, [](double x) { return std::isfinite(x); });
      break;
    case ElementType::bf16:
      check_rows<std::uint16_t>(input, [](std::uint16_t x) { return (x & 0x7F80) != 0x7F80; });
      break;
    case ElementType::f16:
      check_rows<std::uint16_t>(input, [](std::uint16_t x) { return (x & 0x7C00) != 0x7C00; });
      break;
    case ElementType::i8:
      break;
  }
}

}  // namespace whereof::python
