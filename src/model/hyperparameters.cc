#include "model/hyperparameters.h"

#include <cmath>
#include <string>

#include "model/metadata_reader.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

// Upper bounds that no published model comes near: they keep products of sizes far from overflow.
constexpr std::int64_t kMostLayers = 4096;
constexpr std::int64_t kMostHeads = 4096;
constexpr std::int64_t kMostHeadDim = 4096;
constexpr std::int64_t kMostWidth = std::int64_t{1} << 20;
constexpr std::int64_t kMostWindow = std::int64_t{1} << 27;

std::string_view architecture_of(const GgufFile& file) {
  const auto architecture = file.string("general.architecture");
  if (!architecture) {
    throw Error(ErrorKind::bad_model,
                file.path().string() + ": key general.architecture is missing");
  }
  return *architecture;
}

void read_sizes(const MetadataReader& reader, Hyperparameters& h) {
  h.layers = reader.size("block_count", kMostLayers);
  h.width = reader.size("embedding_length", kMostWidth);
  h.feed_forward_width = reader.size("feed_forward_length", kMostWidth);
  h.query_heads = reader.size("attention.head_count", kMostHeads);
  h.kv_heads = reader.size_or("attention.head_count_kv", h.query_heads, kMostHeads);
  h.head_dim = reader.size_or("attention.key_length", h.width / h.query_heads, kMostHeadDim);
  h.rotary_dim = reader.size_or("rope.dimension_count", h.head_dim, kMostHeadDim);
  if (h.query_heads % h.kv_heads != 0) {
    reader.fail(ErrorKind::bad_model, "attention.head_count",
                "is " + std::to_string(h.query_heads) + ", wanted a multiple of head_count_kv, " +
                    std::to_string(h.kv_heads));
  }
  if (h.rotary_dim > h.head_dim || h.rotary_dim % 2 != 0) {
    reader.fail(ErrorKind::bad_model, "rope.dimension_count",
                "is " + std::to_string(h.rotary_dim) + ", wanted an even number up to " +
                    std::to_string(h.head_dim));
  }
  if (reader.size_or("attention.value_length", h.head_dim, kMostHeadDim) != h.head_dim) {
    reader.fail(ErrorKind::unsupported, "attention.value_length",
                "differs from attention.key_length, " + std::to_string(h.head_dim));
  }
}

// The layers with a window by the file's pattern (a list, or the period of those without) or by the
// family's.
std::vector<bool> windowed_layers(const MetadataReader& reader, const Hyperparameters& h) {
  constexpr std::string_view kPattern = "attention.sliding_window_pattern";
  std::vector<bool> has_window;
  if (reader.file().is_array(reader.key(kPattern))) {
    const auto pattern = *reader.file().integers(reader.key(kPattern));
    if (static_cast<std::int64_t>(pattern.size()) < h.layers) {
      reader.fail(ErrorKind::bad_model, kPattern,
                  "has " + std::to_string(pattern.size()) + " entries, wanted " +
                      std::to_string(h.layers) + ", one for each layer");
    }
    for (std::int64_t layer = 0; layer < h.layers; ++layer) {
      has_window.push_back(pattern[static_cast<std::size_t>(layer)] != 0);
    }
    return has_window;
  }
  const std::int64_t of_file = reader.size_or_zero(kPattern, kMostLayers);
  const std::int64_t period = of_file == 0 ? h.family->full_layer_period : of_file;
  for (std::int64_t layer = 0; layer < h.layers; ++layer) {
    has_window.push_back(period == 0 || layer % period != period - 1);
  }
  return has_window;
}

void read_windows(const MetadataReader& reader, Hyperparameters& h) {
  constexpr std::string_view kWindow = "attention.sliding_window";
  const bool is_named = reader.file().integer(reader.key(kWindow)).has_value();
  h.attention_window =
      is_named ? reader.size_or_zero(kWindow, kMostWindow) : h.family->default_window;
  h.has_window.assign(static_cast<std::size_t>(h.layers), false);
  const bool hides_keys = h.attention_window > 0 && h.attention_window < h.window_tokens;
  if (h.family->has_window && h.attention_window > 0) h.has_window = windowed_layers(reader, h);
  if (!h.family->has_window && hides_keys) {
    reader.fail(ErrorKind::unsupported, kWindow,
                "is " + std::to_string(h.attention_window) + ": windows are not supported in " +
                    std::string(h.family->architecture));
  }
}

void read_scales(const MetadataReader& reader, Hyperparameters& h) {
  const Family& family = *h.family;
  if (family.has_scaled_embedding) h.embedding_scale = std::sqrt(static_cast<float>(h.width));
  const std::int64_t scaled_by =
      h.layers == family.layers_of_width_scale ? h.width / h.query_heads : h.head_dim;
  h.score_scale = static_cast<float>(
      reader.positive_real_or("attention.scale", 1 / std::sqrt(static_cast<double>(scaled_by))));
  h.score_soft_cap = static_cast<float>(
      reader.positive_real_or_zero("attn_logit_softcapping", family.default_score_soft_cap));
  h.logit_soft_cap = static_cast<float>(
      reader.positive_real_or_zero("final_logit_softcapping", family.default_logit_soft_cap));
}

}  // namespace

// Layers with a window and a base of their own are not scaled.
RotaryThetas Hyperparameters::rotary_thetas_of(std::int64_t layer, std::int64_t capacity) const {
  if (has_window[static_cast<std::size_t>(layer)] && window_rope_base != rope_base) {
    return {rotary_thetas(rotary_dim, window_rope_base), 1};
  }
  return scaled_thetas(rotary_scaling, rotary_dim, rope_base, capacity);
}

Hyperparameters read_hyperparameters(const GgufFile& file) {
  const std::string_view architecture = architecture_of(file);
  Hyperparameters h;
  h.family = find_family(architecture);
  if (h.family == nullptr) {
    throw Error(ErrorKind::unsupported,
                file.path().string() + ": architecture \"" + std::string(architecture) +
                    "\" is not supported; these are: " + supported_architectures());
  }
  const MetadataReader reader(file, architecture);
  if (const std::int64_t experts = reader.size_or_zero("expert_count", kMostWidth); experts > 0) {
    reader.fail(ErrorKind::unsupported, "expert_count",
                "is " + std::to_string(experts) + ": mixtures of experts are not supported");
  }
  read_sizes(reader, h);
  h.rope_base = reader.positive_real_or("rope.freq_base", 10000.0);
  h.window_rope_base = reader.positive_real_or(
      "rope.freq_base_swa",
      h.family->window_rope_base > 0 ? h.family->window_rope_base : h.rope_base);
  h.rotary_scaling =
      read_rotary_scaling(reader, h.rotary_dim, reader.size("context_length", kMostWindow));
  h.window_tokens = h.rotary_scaling.window_tokens;
  h.norm_epsilon = static_cast<float>(reader.positive_real("attention.layer_norm_rms_epsilon"));
  read_windows(reader, h);
  read_scales(reader, h);
  return h;
}

}  // namespace whereof::model
