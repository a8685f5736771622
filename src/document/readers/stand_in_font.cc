#include "document/readers/stand_in_font.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace whereof::document {
namespace {

constexpr std::string_view kName = "Stand-in";

// Character sets as Windows numbers them: Japanese, Korean, simplified and traditional Chinese.
constexpr bool is_east_asian(int charset) {
  return charset == 128 || charset == 129 || charset == 134 || charset == 136;
}

// Big-endian numbers of a TrueType table.
class Table {
 public:
  Table& u16(int value) {
    bytes_ += static_cast<char>(value >> 8 & 0xFF);
    bytes_ += static_cast<char>(value & 0xFF);
    return *this;
  }
  Table& u32(std::uint32_t value) {
    return u16(static_cast<int>(value >> 16)).u16(static_cast<int>(value & 0xFFFF));
  }
  Table& zeros(std::size_t count) {
    bytes_.append(count, '\0');
    return *this;
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Every character of the basic plane is shown by glyph 1 (format 12, one group a character).
Table character_map() {
  constexpr std::uint32_t kFirst = 0x20, kLast = 0xFFFE;
  constexpr std::uint32_t kGroups = kLast - kFirst + 1;
  Table map;
  map.u16(0).u16(1).u16(3).u16(10).u32(12);
  map.u16(12).u16(0).u32(16 + 12 * kGroups).u32(0).u32(kGroups);
  for (std::uint32_t c = kFirst; c <= kLast; ++c) map.u32(c).u32(c).u32(1);
  return map;
}

// A square of an em: PDFium drops text whose glyphs cover nothing.
Table square() {
  constexpr int kOnCurve = 0x01;
  Table glyph;
  glyph.u16(1).u16(0).u16(-120).u16(1000).u16(880);
  glyph.u16(3).u16(0);  // its last point; no instructions
  glyph.u16(kOnCurve << 8 | kOnCurve).u16(kOnCurve << 8 | kOnCurve);
  glyph.u16(0).u16(1000).u16(0).u16(-1000);
  glyph.u16(-120).u16(0).u16(1000).u16(0);
  return glyph;
}

// A TrueType font (ISO/IEC 14496-22) of 1000 units an em: glyph 0 is empty, glyph 1 the square.
std::string make_font() {
  constexpr std::uint32_t kMagic = 0x5F0F3CF5;
  const Table outline = square();
  const std::vector<std::pair<const char*, Table>> tables = {
      {"cmap", character_map()},
      {"glyf", outline},
      {"head", Table()
                   .u32(0x00010000)
                   .zeros(8)
                   .u32(kMagic)
                   .u16(0)
                   .u16(1000)
                   .zeros(16)
                   .u16(0)
                   .u16(-120)
                   .u16(1000)
                   .u16(880)
                   .zeros(10)},
      {"hhea", Table().u32(0x00010000).u16(880).u16(-120).u16(0).u16(1000).zeros(22).u16(1)},
      {"hmtx", Table().u16(1000).u16(0).u16(0)},
      {"loca", Table().u16(0).u16(0).u16(static_cast<int>(outline.bytes().size() / 2))},
      {"maxp", Table().u32(0x00010000).u16(2).zeros(26)},
  };
  Table font;
  font.u32(0x00010000).u16(static_cast<int>(tables.size())).u16(64).u16(2).u16(32);
  std::string directory = font.bytes(), body;
  const std::size_t begin = directory.size() + 16 * tables.size();
  for (const auto& [tag, table] : tables) {
    directory += tag;
    directory += Table()
                     .u32(0)
                     .u32(static_cast<std::uint32_t>(begin + body.size()))
                     .u32(static_cast<std::uint32_t>(table.bytes().size()))
                     .bytes();
    body += table.bytes();
    body.append((4 - body.size() % 4) % 4, '\0');
  }
  return directory + body;
}

const std::string& font_bytes() {
  static const std::string bytes = make_font();
  return bytes;
}

void* map_font(PdfFontSource*, int, int, int charset, int, const char*, int* is_exact) {
  if (is_exact != nullptr) *is_exact = 0;
  return is_east_asian(charset) ? const_cast<char*>(font_bytes().data()) : nullptr;
}

void* get_font(PdfFontSource*, const char*) { return nullptr; }

unsigned long font_data(PdfFontSource*, void*, unsigned table, unsigned char* out,
                        unsigned long bytes) {
  if (table != 0) return 0;  // single tables are asked for to find collections: it is none
  const std::string& font = font_bytes();
  if (out != nullptr && bytes >= font.size()) std::memcpy(out, font.data(), font.size());
  return font.size();
}

unsigned long face_name(PdfFontSource*, void*, char* out, unsigned long bytes) {
  if (out != nullptr && bytes > kName.size()) std::memcpy(out, kName.data(), kName.size() + 1);
  return kName.size() + 1;
}

constexpr int kChineseSimplified = 134;

int font_charset(PdfFontSource*, void*) { return kChineseSimplified; }

void remove_font(PdfFontSource*, void*) {}

}  // namespace

PdfFontSource* stand_in_fonts() {
  static PdfFontSource source{1,         nullptr,   nullptr,      map_font,   get_font,
                              font_data, face_name, font_charset, remove_font};
  return &source;
}

}  // namespace whereof::document
