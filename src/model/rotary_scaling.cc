#include "model/rotary_scaling.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include "linear/dequantise.h"
#include "whereof/rotary.h"

namespace whereof::model {
namespace {

using Kind = RotaryScaling::Kind;

constexpr std::int64_t kMostWindow = std::int64_t{1} << 27;

// The tensor's values, or none where it is absent.
std::vector<float> factors_of(const GgufFile& file, const std::string& name,
                              std::int64_t rotary_dim) {
  const GgufTensor* tensor = file.find_tensor(name);
  if (tensor == nullptr) return {};
  const auto fail = [&](const std::string& what) {
    throw Error(ErrorKind::bad_model, file.path().string() + ": tensor " + name + " " + what);
  };
  if (tensor->type != GgufTensorType::f32 || tensor->columns() != rotary_dim / 2 ||
      tensor->rows() != 1) {
    fail("holds " + std::to_string(tensor->columns()) + " x " + std::to_string(tensor->rows()) +
         " values of type " + std::string(name_of(tensor->type)) + ", wanted " +
         std::to_string(rotary_dim / 2) + " of type f32");
  }
  std::vector<float> values(static_cast<std::size_t>(tensor->columns()));
  linear::dequantise_row(tensor->type, tensor->data.data(), tensor->columns(), values.data());
  for (const float value : values) {
    if (!std::isfinite(value) || value <= 0) {
      fail("holds " + std::to_string(value) + ", wanted values above 0");
    }
  }
  return values;
}

Kind read_kind(const MetadataReader& reader, bool has_factor) {
  const auto type = reader.file().string(reader.key("rope.scaling.type"));
  // Files of the first converters name a factor and no type.
  if (!type) return has_factor ? Kind::linear : Kind::none;
  if (*type == "none" || *type == "longrope") return Kind::none;  // longrope is in its tensors
  if (*type == "linear") return Kind::linear;
  if (*type == "yarn") return Kind::yarn;
  if (*type == "llama3") return Kind::llama3;
  reader.fail(
      ErrorKind::unsupported, "rope.scaling.type",
      "is \"" + std::string(*type) + "\"; none, linear, yarn, llama3 and longrope are supported");
}

void read_yarn(const MetadataReader& reader, RotaryScaling& scaling) {
  scaling.magnitude *=
      reader.positive_real_or("rope.scaling.yarn_attn_factor", 1 + 0.1 * std::log(scaling.factor));
  scaling.yarn_mix = reader.positive_real_or("rope.scaling.yarn_ext_factor", 1.0);
  scaling.beta_fast = reader.positive_real_or("rope.scaling.yarn_beta_fast", 32.0);
  scaling.beta_slow = reader.positive_real_or("rope.scaling.yarn_beta_slow", 1.0);
}

void read_llama3(const MetadataReader& reader, RotaryScaling& scaling) {
  scaling.low_frequency_factor = reader.positive_real_or("rope.scaling.low_freq_factor", 1.0);
  scaling.high_frequency_factor = reader.positive_real_or("rope.scaling.high_freq_factor", 4.0);
  if (scaling.high_frequency_factor <= scaling.low_frequency_factor) {
    reader.fail(ErrorKind::bad_model, "rope.scaling.high_freq_factor",
                "is " + std::to_string(scaling.high_frequency_factor) +
                    ", wanted above low_freq_factor, " +
                    std::to_string(scaling.low_frequency_factor));
  }
}

void read_factors(const MetadataReader& reader, std::int64_t rotary_dim, RotaryScaling& scaling) {
  const GgufFile& file = reader.file();
  scaling.factors = factors_of(file, "rope_freqs.weight", rotary_dim);
  scaling.long_factors = scaling.factors;
  if (scaling.factors.empty()) {
    scaling.factors = factors_of(file, "rope_factors_short.weight", rotary_dim);
    scaling.long_factors = factors_of(file, "rope_factors_long.weight", rotary_dim);
  }
  const bool wants_both =
      file.string(reader.key("rope.scaling.type")).value_or("none") == "longrope" ||
      !scaling.factors.empty() || !scaling.long_factors.empty();
  if (wants_both && (scaling.factors.empty() || scaling.long_factors.empty())) {
    throw Error(ErrorKind::bad_model, file.path().string() + ": tensor rope_factors_" +
                                          (scaling.factors.empty() ? "short" : "long") +
                                          ".weight is missing");
  }
}

double turns_in(std::int64_t window, double theta) {
  return static_cast<double>(window) * theta / (2 * std::numbers::pi);
}

// The number of the pair, as a real, that turns `turns` times in the window.
double pair_of_turns(double turns, std::int64_t window, std::int64_t rotary_dim, double base) {
  return static_cast<double>(rotary_dim) *
         std::log(static_cast<double>(window) / (turns * 2 * std::numbers::pi)) /
         (2 * std::log(base));
}

// How much of pair i stays unscaled.
double yarn_share(const RotaryScaling& s, std::int64_t i, std::int64_t rotary_dim, double base) {
  const double first =
      std::max(0.0, std::floor(pair_of_turns(s.beta_fast, s.original_window, rotary_dim, base)));
  const double last =
      std::min(static_cast<double>(rotary_dim - 1),
               std::ceil(pair_of_turns(s.beta_slow, s.original_window, rotary_dim, base)));
  const double along = (static_cast<double>(i) - first) / std::max(0.001, last - first);
  return s.yarn_mix * (1 - std::clamp(along, 0.0, 1.0));
}

double llama3_share(const RotaryScaling& s, double theta) {
  const double along = (turns_in(s.original_window, theta) - s.low_frequency_factor) /
                       (s.high_frequency_factor - s.low_frequency_factor);
  return std::clamp(along, 0.0, 1.0);
}

}  // namespace

RotaryScaling read_rotary_scaling(const MetadataReader& reader, std::int64_t rotary_dim,
                                  std::int64_t context_length) {
  RotaryScaling scaling;
  const double older_name = reader.positive_real_or("rope.scale_linear", 1.0);
  scaling.factor = reader.positive_real_or("rope.scaling.factor", older_name);
  scaling.kind = read_kind(reader, scaling.factor != 1);
  if (scaling.kind == Kind::none) scaling.factor = 1;
  if (scaling.factor < 1) {
    reader.fail(ErrorKind::bad_model, "rope.scaling.factor",
                "is " + std::to_string(scaling.factor) + ", wanted at least 1");
  }
  const std::int64_t original =
      reader.size_or_zero("rope.scaling.original_context_length", kMostWindow);
  scaling.original_window = original == 0 ? context_length : original;
  const double lengthened = scaling.factor * static_cast<double>(original);
  scaling.window_tokens =
      std::max(context_length,
               static_cast<std::int64_t>(std::min(lengthened, static_cast<double>(kMostWindow))));
  scaling.magnitude = reader.positive_real_or("rope.scaling.attn_factor", 1.0);
  if (scaling.kind == Kind::yarn) read_yarn(reader, scaling);
  if (scaling.kind == Kind::llama3) read_llama3(reader, scaling);
  read_factors(reader, rotary_dim, scaling);
  return scaling;
}

RotaryThetas scaled_thetas(const RotaryScaling& scaling, std::int64_t rotary_dim, double base,
                           std::int64_t capacity) {
  RotaryThetas result;
  result.thetas = rotary_thetas(rotary_dim, base);
  const std::vector<float>& factors =
      scaling.has_factors_of_length(capacity) ? scaling.long_factors : scaling.factors;
  for (std::size_t i = 0; i < result.thetas.size(); ++i) {
    double& theta = result.thetas[i];
    double share = 0;  // of the unscaled theta
    if (scaling.kind == Kind::yarn) {
      share = yarn_share(scaling, static_cast<std::int64_t>(i), rotary_dim, base);
    }
    if (scaling.kind == Kind::llama3) share = llama3_share(scaling, theta);
    if (scaling.kind != Kind::none) theta *= share + (1 - share) / scaling.factor;
    if (!factors.empty()) theta /= static_cast<double>(factors[i]);
  }
  result.magnitude = scaling.magnitude;
  return result;
}

}  // namespace whereof::model
