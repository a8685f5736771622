#include "model/hyperparameters.h"

#include <cmath>
#include <string>

#include "whereof/error.h"

namespace whereof::model {
namespace {

// Upper bounds that no published model comes near: they keep products of sizes far from overflow.
constexpr std::int64_t kMostLayers = 4096;
constexpr std::int64_t kMostHeads = 4096;
constexpr std::int64_t kMostHeadDim = 4096;
constexpr std::int64_t kMostWidth = std::int64_t{1} << 20;
constexpr std::int64_t kMostWindow = std::int64_t{1} << 27;

class Reader {
 public:
  Reader(const GgufFile& file, std::string_view architecture)
      : file_(file), prefix_(std::string(architecture) + ".") {}

  std::int64_t size(std::string_view name, std::int64_t most) const {
    const auto value = file_.integer(prefix_ + std::string(name));
    if (!value) missing(name);
    return checked(name, *value, most);
  }

  std::int64_t size_or(std::string_view name, std::int64_t otherwise, std::int64_t most) const {
    const auto value = file_.integer(prefix_ + std::string(name));
    return checked(name, value.value_or(otherwise), most);
  }

  double positive_real(std::string_view name, std::optional<double> otherwise) const {
    auto value = file_.real(prefix_ + std::string(name));
    if (!value) value = otherwise;
    if (!value) missing(name);
    if (!std::isfinite(*value) || *value <= 0) {
      fail(ErrorKind::bad_model, name, "is " + std::to_string(*value) + ", wanted above 0");
    }
    return *value;
  }

  void refuse_rope_scaling() const {
    const auto type = file_.string(prefix_ + "rope.scaling.type");
    if (type && *type != "none") {
      fail(ErrorKind::unsupported, "rope.scaling.type",
           "is \"" + std::string(*type) + "\": only unscaled rotary positions are supported");
    }
    if (file_.find_tensor("rope_freqs.weight") != nullptr) {
      throw Error(
          ErrorKind::unsupported,
          where() + "tensor rope_freqs.weight: scaled rotary frequencies are not supported");
    }
  }

  void refuse_integer(std::string_view name, std::string_view what) const {
    const auto value = file_.integer(prefix_ + std::string(name));
    if (value.value_or(0) > 0) {
      fail(ErrorKind::unsupported, name,
           "is " + std::to_string(*value) + ": " + std::string(what) + " are not supported");
    }
  }

  [[noreturn]] void fail(ErrorKind kind, std::string_view name, const std::string& what) const {
    throw Error(kind, where() + prefix_ + std::string(name) + " " + what);
  }

 private:
  std::string where() const { return file_.path().string() + ": "; }

  [[noreturn]] void missing(std::string_view name) const {
    throw Error(ErrorKind::bad_model,
                where() + "key " + prefix_ + std::string(name) + " is missing");
  }

  std::int64_t checked(std::string_view name, std::int64_t value, std::int64_t most) const {
    if (value < 1 || value > most) {
      fail(ErrorKind::bad_model, name,
           "is " + std::to_string(value) + ", wanted 1 to " + std::to_string(most));
    }
    return value;
  }

  const GgufFile& file_;
  std::string prefix_;
};

std::string_view architecture_of(const GgufFile& file) {
  const auto architecture = file.string("general.architecture");
  if (!architecture) {
    throw Error(ErrorKind::bad_model,
                file.path().string() + ": key general.architecture is missing");
  }
  return *architecture;
}

}  // namespace

Hyperparameters read_hyperparameters(const GgufFile& file) {
  const std::string_view architecture = architecture_of(file);
  Hyperparameters h;
  h.family = find_family(architecture);
  if (h.family == nullptr) {
    throw Error(ErrorKind::unsupported, file.path().string() + ": architecture \"" +
                                            std::string(architecture) +
                                            "\" is not supported; llama and qwen2 are");
  }
  const Reader reader(file, architecture);
  reader.refuse_rope_scaling();
  reader.refuse_integer("expert_count", "mixtures of experts");
  reader.refuse_integer("attention.sliding_window", "sliding windows");
  h.layers = reader.size("block_count", kMostLayers);
  h.width = reader.size("embedding_length", kMostWidth);
  h.feed_forward_width = reader.size("feed_forward_length", kMostWidth);
  h.query_heads = reader.size("attention.head_count", kMostHeads);
  h.kv_heads = reader.size_or("attention.head_count_kv", h.query_heads, kMostHeads);
  h.head_dim = reader.size_or("attention.key_length", h.width / h.query_heads, kMostHeadDim);
  h.rotary_dim = reader.size_or("rope.dimension_count", h.head_dim, kMostHeadDim);
  h.window_tokens = reader.size("context_length", kMostWindow);
  h.rope_base = reader.positive_real("rope.freq_base", 10000.0);
  h.norm_epsilon =
      static_cast<float>(reader.positive_real("attention.layer_norm_rms_epsilon", std::nullopt));
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
  return h;
}

}  // namespace whereof::model
