#include "document/readers/margin_numbers.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace whereof::document {
namespace {

constexpr std::size_t kLeastNumbers = 10;
constexpr std::size_t kMostDigits = 3;
constexpr float kLeastGap = 0.6f;  // of the character size, behind the number
constexpr float kUneven = 0.25f;   // of the distance of two numbers

struct Number {
  std::size_t line = 0;
  std::size_t digits = 0;
  int value = 0;
  float baseline = 0;
};

bool begins_with_number(const LayoutLine& line, Number& number) {
  if (line.kind != LineKind::body) return false;
  std::size_t digits = 0;
  int value = 0;
  for (; digits < line.glyphs.size(); ++digits) {
    const char32_t c = line.glyphs[digits].value;
    if (c < U'0' || c > U'9' || (digits > 0 && line.glyphs[digits].space_before)) break;
    if (digits == kMostDigits) return false;
    value = value * 10 + static_cast<int>(c - U'0');
  }
  if (digits == 0) return false;
  if (digits < line.glyphs.size()) {
    const Glyph& next = line.glyphs[digits];
    const float gap = next.along_begin - line.glyphs[digits - 1].along_end;
    if (!next.space_before || gap < kLeastGap * next.size) return false;
  }
  number.digits = digits;
  number.value = value;
  number.baseline = line.glyphs.front().baseline;
  return true;
}

bool is_even(const Number& first, const Number& second, const Number& third) {
  const float a = second.baseline - first.baseline, b = third.baseline - second.baseline;
  return a > 0 && std::abs(a - b) < kUneven * a;
}

// The numbers of a page that count up evenly; empty where they are no line numbers.
std::vector<Number> line_numbers(const LaidOutPage& page) {
  std::vector<Number> found;
  for (std::size_t i = 0; i < page.lines.size(); ++i) {
    Number number;
    number.line = i;
    if (begins_with_number(page.lines[i], number)) found.push_back(number);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Number& a, const Number& b) { return a.baseline < b.baseline; });
  std::size_t begin = 0, best_begin = 0, best = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool counts = i > begin && found[i].value == found[i - 1].value + 1;
    const bool goes_on = counts && (i - begin < 2 || is_even(found[i - 2], found[i - 1], found[i]));
    if (!goes_on) begin = i;
    if (i + 1 - begin <= best) continue;
    best = i + 1 - begin;
    best_begin = begin;
  }
  if (best < kLeastNumbers) return {};
  const auto first = found.begin() + static_cast<std::ptrdiff_t>(best_begin);
  return {first, first + static_cast<std::ptrdiff_t>(best)};
}

}  // namespace

void drop_margin_numbers(std::vector<LaidOutPage>& pages) {
  std::vector<std::vector<Number>> numbers;
  std::size_t with_numbers = 0;
  for (const LaidOutPage& page : pages) {
    numbers.push_back(line_numbers(page));
    with_numbers += numbers.back().empty() ? 0 : 1;
  }
  if (with_numbers < 2 || with_numbers * 2 < pages.size()) return;
  for (std::size_t p = 0; p < pages.size(); ++p) {
    for (const Number& number : numbers[p]) {
      LayoutLine& line = pages[p].lines[number.line];
      line.glyphs.erase(line.glyphs.begin(),
                        line.glyphs.begin() + static_cast<std::ptrdiff_t>(number.digits));
      if (line.glyphs.empty()) continue;
      line.glyphs.front().space_before = false;
      line.begin = line.glyphs.front().along_begin;
    }
    std::erase_if(pages[p].lines, [](const LayoutLine& line) { return line.glyphs.empty(); });
  }
}

}  // namespace whereof::document
