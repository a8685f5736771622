#include "document/readers/encoding.h"

#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

#include "text/ascii_case.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

constexpr std::size_t kSampleBytes = 64 << 10;  // for guessing

struct CloseConverter {
  void operator()(UConverter* converter) const { ucnv_close(converter); }
};
struct CloseDetector {
  void operator()(UCharsetDetector* detector) const { ucsdet_close(detector); }
};

std::string convert(std::string_view bytes, const char* encoding, const std::string& name) {
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UConverter, CloseConverter> from(ucnv_open(encoding, &error));
  const std::unique_ptr<UConverter, CloseConverter> to(ucnv_open("UTF-8", &error));
  if (U_FAILURE(error)) {
    throw Error(ErrorKind::unsupported, name + ": ICU has no converter for " + encoding);
  }
  std::string utf8;
  utf8.reserve(bytes.size() + bytes.size() / 2);
  std::array<UChar, 4096> pivot;
  UChar* pivot_source = pivot.data();
  UChar* pivot_target = pivot.data();
  const char* source = bytes.data();
  const char* const source_end = source + bytes.size();
  std::array<char, 8192> buffer;
  bool reset = true;
  do {
    char* target = buffer.data();
    error = U_ZERO_ERROR;
    ucnv_convertEx(to.get(), from.get(), &target, buffer.data() + buffer.size(), &source,
                   source_end, pivot.data(), &pivot_source, &pivot_target,
                   pivot.data() + pivot.size(), reset ? 1 : 0, 1, &error);
    reset = false;
    utf8.append(buffer.data(), target);
  } while (error == U_BUFFER_OVERFLOW_ERROR);
  if (U_FAILURE(error)) {
    throw Error(ErrorKind::bad_document, name + ": cannot be decoded as " + encoding);
  }
  return utf8;
}

// UTF-16 without a mark: nearly every second byte of Latin text is zero.
const char* utf16_by_zeros(std::string_view sample) {
  std::array<std::size_t, 2> zeros = {0, 0};
  for (std::size_t i = 0; i < sample.size(); ++i) zeros[i % 2] += sample[i] == 0 ? 1 : 0;
  if (zeros[1] * 4 > sample.size() && zeros[0] * 20 < sample.size()) return "UTF-16LE";
  if (zeros[0] * 4 > sample.size() && zeros[1] * 20 < sample.size()) return "UTF-16BE";
  return nullptr;
}

// The share of bytes above 0x7F that are halves of a GB 2312 character: 0xA1-0xF7, 0xA1-0xFE.
double gb2312_share(std::string_view sample) {
  std::size_t high = 0, paired = 0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const auto lead = static_cast<unsigned char>(sample[i]);
    if (lead < 0x80) continue;
    ++high;
    if (i + 1 == sample.size()) break;
    const auto trail = static_cast<unsigned char>(sample[i + 1]);
    const bool is_common = (lead >= 0xB0 && lead <= 0xF7) || (lead >= 0xA1 && lead <= 0xA3);
    if (is_common && trail >= 0xA1 && trail <= 0xFE) {
      ++high;
      paired += 2;
      ++i;
    }
  }
  return high == 0 ? 0 : static_cast<double>(paired) / static_cast<double>(high);
}

std::string detect(std::string_view sample) {
  if (gb2312_share(sample) > 0.9) return "GB18030";
  UErrorCode error = U_ZERO_ERROR;
  const std::unique_ptr<UCharsetDetector, CloseDetector> detector(ucsdet_open(&error));
  if (U_FAILURE(error)) return "windows-1252";
  ucsdet_setText(detector.get(), sample.data(), static_cast<std::int32_t>(sample.size()), &error);
  std::int32_t count = 0;
  const UCharsetMatch** matches = ucsdet_detectAll(detector.get(), &count, &error);
  for (std::int32_t i = 0; U_SUCCESS(error) && i < count; ++i) {
    const char* const found = ucsdet_getName(matches[i], &error);
    const std::int32_t confidence = ucsdet_getConfidence(matches[i], &error);
    if (U_FAILURE(error) || confidence < 50) break;
    for (const std::string_view wide : {"GB18030", "Big5", "Shift_JIS", "EUC-KR", "EUC-JP"}) {
      if (wide == found) return found;
    }
  }
  return "windows-1252";
}

// A UTF-8 file with a few damaged bytes is still one: each valid sequence of several bytes proves
// more than a bad byte disproves.
bool is_nearly_utf8(std::string_view bytes) {
  std::size_t valid = 0, invalid = 0;
  for (std::size_t at = 0; at < bytes.size();) {
    const text::CodePoint point = text::decode_at(bytes, at);
    if (!point.is_valid) ++invalid;
    if (point.is_valid && point.bytes > 1) ++valid;
    at += static_cast<std::size_t>(point.bytes);
  }
  return invalid * 50 < valid;
}

// The converter for a label of the Encoding standard; nothing for labels that it does not know,
// among them encodings in which text can hide (UTF-7, SCSU).
const char* converter_of(std::string_view label) {
  struct Label {
    std::string_view label;
    const char* converter;
  };
  constexpr std::array<Label, 38> kLabels = {{{"utf-8", "UTF-8"},
                                              {"utf8", "UTF-8"},
                                              {"utf-16", "UTF-8"},  // in bytes of ASCII: untrue
                                              {"utf-16le", "UTF-8"},
                                              {"utf-16be", "UTF-8"},
                                              {"us-ascii", "windows-1252"},
                                              {"ascii", "windows-1252"},
                                              {"iso-8859-1", "windows-1252"},
                                              {"latin1", "windows-1252"},
                                              {"windows-1252", "windows-1252"},
                                              {"cp1252", "windows-1252"},
                                              {"iso-8859-2", "ISO-8859-2"},
                                              {"windows-1250", "windows-1250"},
                                              {"iso-8859-5", "ISO-8859-5"},
                                              {"windows-1251", "windows-1251"},
                                              {"koi8-r", "KOI8-R"},
                                              {"iso-8859-7", "ISO-8859-7"},
                                              {"windows-1253", "windows-1253"},
                                              {"iso-8859-9", "windows-1254"},
                                              {"windows-1254", "windows-1254"},
                                              {"windows-1255", "windows-1255"},
                                              {"windows-1256", "windows-1256"},
                                              {"windows-1257", "windows-1257"},
                                              {"iso-8859-15", "ISO-8859-15"},
                                              {"macintosh", "macintosh"},
                                              {"gb2312", "GB18030"},
                                              {"gbk", "GB18030"},
                                              {"gb18030", "GB18030"},
                                              {"x-gbk", "GB18030"},
                                              {"gb_2312-80", "GB18030"},
                                              {"hz-gb-2312", "HZ"},
                                              {"big5", "Big5"},
                                              {"big5-hkscs", "Big5-HKSCS"},
                                              {"shift_jis", "Shift_JIS"},
                                              {"x-sjis", "Shift_JIS"},
                                              {"euc-jp", "EUC-JP"},
                                              {"iso-2022-jp", "ISO-2022-JP"},
                                              {"euc-kr", "EUC-KR"}}};
  const std::string lower = text::ascii_lower(label);
  const auto* const found = std::find_if(kLabels.begin(), kLabels.end(),
                                         [&](const Label& one) { return one.label == lower; });
  return found == kLabels.end() ? nullptr : found->converter;
}

bool is_ascii(std::string_view bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](char c) { return (c & 0x80) == 0; });
}

}  // namespace

DecodedText decode_text(std::string_view bytes, const std::string& name,
                        std::string_view declared) {
  if (bytes.starts_with(std::string_view("\xFF\xFE\x00\x00", 4)) && bytes.size() % 4 == 0) {
    return {convert(bytes, "UTF-32LE", name), "UTF-32LE", false};
  }
  if (bytes.starts_with("\xFF\xFE")) return {convert(bytes, "UTF-16LE", name), "UTF-16LE", false};
  if (bytes.starts_with("\xFE\xFF")) return {convert(bytes, "UTF-16BE", name), "UTF-16BE", false};
  const std::string_view sample = bytes.substr(0, kSampleBytes);
  if (const char* utf16 = utf16_by_zeros(sample)) return {convert(bytes, utf16, name), utf16, true};
  const char* const converter = converter_of(declared);
  if (converter != nullptr && std::string_view(converter) != "UTF-8") {
    // Text of a single-byte encoding is never valid UTF-8 by chance; Chinese text may be.
    const bool is_utf8 =
        !is_ascii(bytes) && text::is_valid(bytes) && std::string_view(converter) == "windows-1252";
    if (!is_utf8) return {convert(bytes, converter, name), converter, false};
  }
  if (text::is_valid(bytes)) return {std::string(bytes), "UTF-8", false};
  if (bytes.starts_with("\xEF\xBB\xBF") || is_nearly_utf8(bytes)) {
    return {std::string(bytes), "UTF-8", true};
  }
  const std::string encoding = detect(sample);
  return {convert(bytes, encoding.c_str(), name), encoding, true};
}

}  // namespace whereof::document
