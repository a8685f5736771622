#include "model/families/family.h"

#include <array>

namespace whereof::model {

const Family* find_family(std::string_view architecture) noexcept {
  for (const Family* family : std::array{&kLlama, &kQwen2}) {
    if (family->architecture == architecture) return family;
  }
  return nullptr;
}

}  // namespace whereof::model
