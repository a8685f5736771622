#include "clause_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

#include "clause_report.h"
#include "svg_plot.h"

namespace whereof::cli {
namespace {

constexpr float kMargin = 1.5f;  // points around what a box holds
constexpr std::array kColours = {"#1f5fa8", "#b2520f", "#2e7d32", "#7b3fa0", "#00798c", "#a0154b"};

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t three = 0;
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - at);
    for (std::size_t i = 0; i < 3; ++i) {
      three = three << 8 | (i < count ? static_cast<unsigned char>(bytes[at + i]) : 0);
    }
    for (std::size_t i = 0; i < 4; ++i) {
      out += i <= count ? kDigits[three >> (18 - 6 * i) & 63U] : '=';
    }
  }
  return out;
}

// Lines of one block: below one another, at most an empty line between. The next column begins
// above.
bool continues(const Box& block, const Box& line) {
  return line.top > block.top && line.top - block.bottom < 1.5f * (line.bottom - line.top);
}

// What the clause has of its own on this page, without running titles and the like.
std::vector<Box> blocks_of(const Document& document, const Clause& clause, std::int32_t page) {
  std::vector<Box> blocks;
  const Span within = document.pages[static_cast<std::size_t>(page)].text;
  const Span span{std::max(within.begin, clause.own_text.begin),
                  std::min(within.end, clause.own_text.end)};
  auto line = std::upper_bound(document.lines.begin(), document.lines.end(), span.begin,
                               [](std::int64_t byte, const Line& l) { return byte < l.text.end; });
  for (; line != document.lines.end() && line->text.begin < span.end; ++line) {
    const bool is_content = line->kind == LineKind::body || line->kind == LineKind::table ||
                            line->kind == LineKind::footnote;
    if (!is_content) continue;
    const Span part{std::max(span.begin, line->text.begin), std::min(span.end, line->text.end)};
    for (const auto& [on_page, box] : document.boxes_of(part)) {
      if (on_page != page) continue;
      if (blocks.empty() || !continues(blocks.back(), box)) {
        blocks.push_back(box);
        continue;
      }
      Box& block = blocks.back();
      block = {std::min(block.left, box.left), block.top, std::max(block.right, box.right),
               std::max(block.bottom, box.bottom)};
    }
  }
  return blocks;
}

std::string drawn(const Box& block, const char* colour) {
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"2\" fill=\"none\" "
      "stroke=\"{}\" stroke-width=\"0.9\"/>\n",
      block.left - kMargin, block.top - kMargin, block.right - block.left + 2 * kMargin,
      block.bottom - block.top + 2 * kMargin, colour);
}

}  // namespace

std::string clause_picture(const Document& document, std::int32_t page, const PageImage& image) {
  const Page& place = document.pages[static_cast<std::size_t>(page)];
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.1f} {1:.1f}\" font-family=\"sans-serif\" font-size=\"7\">\n"
      "<image width=\"{2:.2f}\" height=\"{3:.2f}\" href=\"data:image/png;base64,{4}\"/>\n",
      place.width, place.height, static_cast<float>(image.columns) * image.points_a_pixel,
      static_cast<float>(image.rows) * image.points_a_pixel, base64(png_of(image)));
  for (std::size_t c = 0; c < document.clauses.size(); ++c) {
    const Clause& clause = document.clauses[c];
    if (clause.first_page > page || clause.last_page < page) continue;
    const std::vector<Box> blocks = blocks_of(document, clause, page);
    if (blocks.empty()) continue;
    const char* const colour = kColours[static_cast<std::size_t>(clause.depth) % kColours.size()];
    for (const Box& block : blocks) svg += drawn(block, colour);
    svg +=
        fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" fill=\"{}\">{}</text>\n",
                    blocks.front().left - 2 * kMargin, blocks.front().top + 7, colour,
                    svg_escaped(name_of_clause(document, static_cast<std::int32_t>(c))));
  }
  return svg + "</svg>\n";
}

}  // namespace whereof::cli
