#include "clause_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "clause_report.h"
#include "svg_plot.h"
#include "terminal.h"

namespace whereof::cli {
namespace {

constexpr std::size_t kMostRows = 80;
constexpr double kRowHeight = 17;
constexpr double kTop = 64;
constexpr double kArcs = 220;  // width that the widest arc takes on each side
constexpr double kNames = 340;
constexpr std::size_t kLongestName = 42;  // characters, two for a Chinese one

// Cut where it would be wider than its column.
std::string fitted(const std::string& text) {
  std::size_t width = 0;
  for (std::size_t n = 0; n < text.size();) {
    const auto first = static_cast<unsigned char>(text[n]);
    const std::size_t bytes = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    width += bytes >= 3 ? 2 : 1;
    if (width > kLongestName) return text.substr(0, n) + "…";
    n += bytes;
  }
  return text;
}

class Graph {
 public:
  Graph(const Document& document, const std::vector<Reference>& references)
      : document_(document), rows_(document.clauses.size(), -1) {
    choose_rows();
    for (const Reference& reference : references) {
      if (reference.document >= 0 || reference.clause < 0) continue;
      const std::int32_t from = rows_[static_cast<std::size_t>(reference.clause)];
      for (const std::int32_t target : reference.targets) {
        const std::int32_t to = rows_[static_cast<std::size_t>(target)];
        if (from >= 0 && to >= 0 && from != to) ++counts_[{from, to}];
      }
    }
  }

  std::string svg() const {
    const double height = kTop + kRowHeight * static_cast<double>(clauses_.size()) + 16;
    const double width = 2 * kArcs + kNames;
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n"
        "<text x=\"{2:.0f}\" y=\"24\" font-size=\"15\" text-anchor=\"middle\">{3}</text>\n"
        "<text x=\"{4:.0f}\" y=\"46\" text-anchor=\"middle\" fill=\"#b2520f\">refers to a clause "
        "above</text>\n"
        "<text x=\"{5:.0f}\" y=\"46\" text-anchor=\"middle\" fill=\"#1f5fa8\">refers to a clause "
        "below</text>\n",
        width, height, width / 2, svg_escaped(shown(document_.name)), kArcs / 2,
        kArcs + kNames + kArcs / 2);
    for (const auto& [ends, count] : counts_) svg += arc(ends.first, ends.second, count);
    for (std::size_t row = 0; row < clauses_.size(); ++row) svg += name(row);
    return svg + "</svg>\n";
  }

 private:
  static double place(std::int32_t row) { return kTop + kRowHeight * (row + 0.5); }

  void choose_rows() {
    std::int32_t depth = 0;
    for (std::int32_t deeper = 1; deeper < 8; ++deeper) {
      std::size_t count = 0;
      for (const Clause& clause : document_.clauses) count += clause.depth <= deeper ? 1 : 0;
      if (count > kMostRows) break;
      depth = deeper;
    }
    for (std::size_t c = 0; c < document_.clauses.size(); ++c) {
      const Clause& clause = document_.clauses[c];
      if (clause.depth > depth) {
        rows_[c] = rows_[static_cast<std::size_t>(clause.parent)];
        continue;
      }
      rows_[c] = static_cast<std::int32_t>(clauses_.size());
      clauses_.push_back(c);
    }
  }

  std::string arc(std::int32_t from, std::int32_t to, int count) const {
    const bool is_down = to > from;
    const double side = is_down ? kArcs + kNames : kArcs;
    const double rows = static_cast<double>(std::max<std::size_t>(clauses_.size(), 2) - 1);
    const double reach =
        (is_down ? 1 : -1) * (14 + (kArcs - 30) * std::abs(to - from) / rows) * 4 / 3;
    const double begin = place(from), end = place(to);
    const char* colour = is_down ? "#1f5fa8" : "#b2520f";
    return fmt::format(
        "<path d=\"M{0:.1f},{1:.1f} C{2:.1f},{1:.1f} {2:.1f},{3:.1f} {0:.1f},{3:.1f}\" "
        "fill=\"none\" "
        "stroke=\"{4}\" stroke-opacity=\"0.45\" stroke-width=\"{5:.1f}\"/>\n"
        "<circle cx=\"{0:.1f}\" cy=\"{3:.1f}\" r=\"2.6\" fill=\"{4}\"/>\n",
        side, begin, side + reach, end, colour, std::min(1.0 + 0.7 * (count - 1), 6.0));
  }

  std::string name(std::size_t row) const {
    const Clause& clause = document_.clauses[clauses_[row]];
    const std::string own = name_of_clause(document_, static_cast<std::int32_t>(clauses_[row]));
    std::string words = clause.number.empty() ? "(" + own + ")" : own;
    if (!clause.heading.empty()) words += "  " + shown(clause.heading);
    const double indent = 10 * clause.depth;
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", kArcs + 12 + indent,
                       place(static_cast<std::int32_t>(row)) + 4, svg_escaped(fitted(words)));
  }

  const Document& document_;
  std::vector<std::int32_t> rows_;    // one a clause: the row it counts for
  std::vector<std::size_t> clauses_;  // one a row
  std::map<std::pair<std::int32_t, std::int32_t>, int> counts_;
};

}  // namespace

std::string clause_graph(const Document& document, const std::vector<Reference>& references) {
  return Graph(document, references).svg();
}

}  // namespace whereof::cli
