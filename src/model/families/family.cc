#include "model/families/family.h"

#include <array>

namespace whereof::model {
namespace {

constexpr std::array kFamilies = {&kGemma2, &kGemma3, &kLlama, &kPhi3, &kQwen2, &kQwen3};

}  // namespace

const Family* find_family(std::string_view architecture) noexcept {
  for (const Family* family : kFamilies) {
    if (family->architecture == architecture) return family;
  }
  return nullptr;
}

std::string supported_architectures() {
  std::string names;
  for (const Family* family : kFamilies) {
    names += (names.empty() ? "" : ", ") + std::string(family->architecture);
  }
  return names;
}

}  // namespace whereof::model
