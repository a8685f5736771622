// A line plot as SVG: axes with ticks, a title, a legend.
#ifndef WHEREOF_CLI_SVG_PLOT_H_
#define WHEREOF_CLI_SVG_PLOT_H_

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace whereof::cli {

struct Curve {
  std::string name;
  std::vector<std::pair<double, double>> points;  // ascending in x
};

struct Axis {
  std::string label;
  bool is_logarithmic = false;  // powers of `base` become ticks; all values must be positive
  double base = 10;
};

struct Plot {
  std::string title;
  Axis x;
  Axis y;
  std::vector<Curve> curves;
};

// A document of 640 by 400.
std::string svg_of(const Plot& plot);

// Text as it may stand in SVG.
std::string svg_escaped(std::string_view text);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_SVG_PLOT_H_
