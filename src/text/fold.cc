#include "text/fold.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unistr.h>

#include <algorithm>

#include "text/ascii_case.h"
#include "whereof/error.h"

namespace whereof::text {
namespace {

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

void check(UErrorCode status) {
  if (U_FAILURE(status)) {
    throw Error(ErrorKind::out_of_memory, std::string("ICU failed: ") + u_errorName(status));
  }
}

}  // namespace

std::string fold(std::string_view text) {
  std::string folded;
  if (is_ascii(text)) {
    folded.resize(text.size());
    std::transform(text.begin(), text.end(), folded.begin(), [](char c) { return ascii_lower(c); });
    return folded;
  }
  UErrorCode status = U_ZERO_ERROR;
  const icu::Normalizer2* decompose = icu::Normalizer2::getNFKDInstance(status);
  check(status);
  const auto source = icu::UnicodeString::fromUTF8(
      icu::StringPiece(text.data(), static_cast<std::int32_t>(text.size())));
  icu::UnicodeString parts = decompose->normalize(source, status);
  check(status);
  icu::UnicodeString bare;
  for (std::int32_t at = 0; at < parts.length();) {
    const UChar32 point = parts.char32At(at);
    at += U16_LENGTH(point);
    if (u_charType(point) != U_NON_SPACING_MARK) bare.append(point);
  }
  bare.foldCase();
  bare.toUTF8String(folded);
  return folded;
}

}  // namespace whereof::text
