#include "whereof/tensor_view.h"

namespace whereof {

std::string_view name_of(ElementType type) noexcept {
  switch (type) {
    case ElementType::f32:
      return "f32";
    case ElementType::bf16:
      return "bf16";
    case ElementType::f16:
      return "f16";
    case ElementType::i8:
      return "i8";
    case ElementType::f64:
      return "f64";
  }
  return "unknown";
}

}  // namespace whereof
