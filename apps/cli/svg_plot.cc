#include "svg_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace whereof::cli {
namespace {

constexpr double kWidth = 640;
constexpr double kHeight = 400;
constexpr double kLeft = 76;
constexpr double kRight = 604;
constexpr double kTop = 62;
constexpr double kBottom = 344;
// Told apart by people who see few colours (Okabe and Ito).
constexpr const char* kColours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000"};

// Values to places between `from` and `to`, and where ticks stand.
class Scale {
 public:
  Scale(const Axis& axis, double lowest, double highest, double from, double to)
      : axis_(axis), from_(from), to_(to) {
    if (axis.is_logarithmic) {
      low_ = std::floor(in_powers(lowest) + 1e-9);
      high_ = std::ceil(in_powers(highest) - 1e-9);
      step_ = std::max(1.0, std::ceil((high_ - low_) / 9));
    } else {
      const double span = highest > lowest ? highest - lowest : 1;
      const double power = std::pow(10, std::floor(std::log10(span / 4)));
      const double units = span / 4 / power;
      step_ = (units < 1.5 ? 1 : units < 3.5 ? 2 : units < 7.5 ? 5 : 10) * power;
      low_ = std::floor(lowest / step_ + 1e-9) * step_;
      high_ = std::ceil(highest / step_ - 1e-9) * step_;
    }
    if (high_ <= low_) high_ = low_ + step_;
  }

  double place(double value) const {
    const double at = axis_.is_logarithmic ? in_powers(value) : value;
    return from_ + (at - low_) / (high_ - low_) * (to_ - from_);
  }
  std::vector<double> ticks() const {
    std::vector<double> values;
    for (double at = low_; at <= high_ + 1e-9 * step_; at += step_) {
      values.push_back(axis_.is_logarithmic ? std::pow(axis_.base, at) : at);
    }
    return values;
  }

 private:
  double in_powers(double value) const { return std::log(value) / std::log(axis_.base); }

  const Axis& axis_;
  double from_;
  double to_;
  double low_ = 0;
  double high_ = 0;
  double step_ = 1;
};

std::string text_at(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     svg_escaped(text));
}

std::string line(double x1, double y1, double x2, double y2, const char* colour) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\"/>\n", x1, y1, x2,
      y2, colour);
}

std::string axes(const Plot& plot, const Scale& x, const Scale& y) {
  std::string svg;
  for (const double tick : x.ticks()) {
    svg += line(x.place(tick), kTop, x.place(tick), kBottom, "#ddd");
    svg += text_at(x.place(tick), kBottom + 18, "middle", fmt::format("{:.6g}", tick));
  }
  for (const double tick : y.ticks()) {
    svg += line(kLeft, y.place(tick), kRight, y.place(tick), "#ddd");
    svg += text_at(kLeft - 8, y.place(tick) + 4, "end", fmt::format("{:.3g}", tick));
  }
  svg += line(kLeft, kBottom, kRight, kBottom, "#000");
  svg += line(kLeft, kTop, kLeft, kBottom, "#000");
  svg += text_at((kLeft + kRight) / 2, kHeight - 14, "middle", plot.x.label);
  svg += fmt::format(
      "<text transform=\"rotate(-90)\" x=\"{:.1f}\" y=\"18\" text-anchor=\"middle\">{}</text>\n",
      -(kTop + kBottom) / 2, svg_escaped(plot.y.label));
  return svg;
}

std::string curve_of(const Curve& curve, const Scale& x, const Scale& y, const char* colour) {
  std::string places;
  std::string dots;
  for (const auto& [at, value] : curve.points) {
    places +=
        fmt::format("{}{:.1f},{:.1f}", places.empty() ? "" : " ", x.place(at), y.place(value));
    dots += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>\n",
                        x.place(at), y.place(value), colour);
  }
  return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n",
                     places, colour) +
         dots;
}

}  // namespace

std::string svg_escaped(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '&') {
      safe += "&amp;";
    } else if (c == '<') {
      safe += "&lt;";
    } else if (c == '"') {
      safe += "&quot;";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string svg_of(const Plot& plot) {
  std::vector<double> xs;
  std::vector<double> ys;
  for (const Curve& curve : plot.curves) {
    for (const auto& [at, value] : curve.points) {
      xs.push_back(at);
      ys.push_back(value);
    }
  }
  if (xs.empty()) xs = ys = {1};
  const auto [x_low, x_high] = std::minmax_element(xs.begin(), xs.end());
  const auto [y_low, y_high] = std::minmax_element(ys.begin(), ys.end());
  const Scale x(plot.x, *x_low, *x_high, kLeft, kRight);
  const Scale y(plot.y, *y_low, *y_high, kBottom, kTop);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" "
      "viewBox=\"0 0 {0} {1}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#fff\"/>\n",
      kWidth, kHeight);
  svg += "<g font-size=\"15\">" + text_at(kWidth / 2, 24, "middle", plot.title) + "</g>\n";
  svg += axes(plot, x, y);
  const double legend_step = (kRight - kLeft) / static_cast<double>(plot.curves.size());
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const char* colour = kColours[i % std::size(kColours)];
    const double legend = kLeft + static_cast<double>(i) * legend_step;
    svg += curve_of(plot.curves[i], x, y, colour);
    svg += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"14\" height=\"4\" fill=\"{}\"/>\n",
                       legend, kTop - 20, colour);
    svg += text_at(legend + 20, kTop - 14, "start", plot.curves[i].name);
  }
  return svg + "</svg>\n";
}

}  // namespace whereof::cli
