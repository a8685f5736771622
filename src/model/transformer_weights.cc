#include "model/transformer_weights.h"

#include <string>
#include <unordered_set>

#include "linear/dequantise.h"
#include "whereof/error.h"

namespace whereof::model {
namespace {

std::string text_of(std::span<const std::int64_t> shape) {
  std::string text = "[";
  for (const std::int64_t size : shape) {
    text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  }
  return text + "]";
}

class Finder {
 public:
  explicit Finder(const GgufFile& file) : file_(file) {}

  // shape innermost first, as the file writes it.
  const GgufTensor& tensor(const std::string& name, std::vector<std::int64_t> shape) const {
    const GgufTensor* found = file_.find_tensor(name);
    if (found == nullptr) fail("tensor " + name + " is missing");
    check(*found, shape);
    return use(*found);
  }

  const GgufTensor& use(const GgufTensor& found) const {
    used_.insert(&found);
    return found;
  }

  void expect_all_used() const {
    for (const GgufTensor& tensor : file_.tensors()) {
      // What divides the rotations is read with the hyperparameters.
      if (used_.contains(&tensor) || tensor.name.starts_with("rope_f")) continue;
      throw Error(ErrorKind::unsupported, file_.path().string() + ": tensor " + tensor.name +
                                              " is none that this architecture is known to have");
    }
  }

  linear::WeightMatrix matrix(const std::string& name, std::int64_t rows,
                              std::int64_t columns) const {
    return as_matrix(tensor(name, {columns, rows}));
  }

  std::vector<float> vector(const std::string& name, std::int64_t size) const {
    const GgufTensor& found = tensor(name, {size});
    std::vector<float> values(static_cast<std::size_t>(size));
    linear::dequantise_row(found.type, found.data.data(), size, values.data());
    return values;
  }

  linear::WeightMatrix as_matrix(const GgufTensor& found) const {
    const linear::WeightMatrix matrix{found.type, found.data.data(), found.rows(), found.columns()};
    if (found.columns() % block_elements(found.type) != 0 ||
        static_cast<std::int64_t>(found.data.size()) < matrix.rows * matrix.row_bytes()) {
      fail("tensor " + found.name + " holds " + std::to_string(found.data.size()) +
           " bytes, wanted " + std::to_string(matrix.rows * matrix.row_bytes()));
    }
    return matrix;
  }

  void check(const GgufTensor& found, std::span<const std::int64_t> shape) const {
    std::vector<std::int64_t> trimmed = found.shape;
    while (trimmed.size() > shape.size() && trimmed.back() == 1) trimmed.pop_back();
    if (!std::equal(trimmed.begin(), trimmed.end(), shape.begin(), shape.end())) {
      fail("tensor " + found.name + " has shape " + text_of(found.shape) + ", wanted " +
           text_of(shape));
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ErrorKind::bad_model, file_.path().string() + ": " + what);
  }

 private:
  const GgufFile& file_;
  mutable std::unordered_set<const GgufTensor*> used_;
};

// Rows [begin, begin + count) of a matrix.
linear::WeightMatrix rows_of(linear::WeightMatrix matrix, std::int64_t begin, std::int64_t count) {
  matrix.data += begin * matrix.row_bytes();
  matrix.rows = count;
  return matrix;
}

void find_projections(const Finder& finder, const Hyperparameters& h, const std::string& prefix,
                      LayerWeights& weights) {
  const std::int64_t query = h.query_width();
  const std::int64_t kv = h.kv_width();
  const std::int64_t wide = h.feed_forward_width;
  if (h.family->has_fused_projections) {
    const auto all = finder.matrix(prefix + "attn_qkv.weight", query + 2 * kv, h.width);
    weights.query = rows_of(all, 0, query);
    weights.key = rows_of(all, query, kv);
    weights.value = rows_of(all, query + kv, kv);
    const auto both = finder.matrix(prefix + "ffn_up.weight", 2 * wide, h.width);
    weights.gate = rows_of(both, 0, wide);
    weights.up = rows_of(both, wide, wide);
  } else {
    weights.query = finder.matrix(prefix + "attn_q.weight", query, h.width);
    weights.key = finder.matrix(prefix + "attn_k.weight", kv, h.width);
    weights.value = finder.matrix(prefix + "attn_v.weight", kv, h.width);
    weights.gate = finder.matrix(prefix + "ffn_gate.weight", wide, h.width);
    weights.up = finder.matrix(prefix + "ffn_up.weight", wide, h.width);
  }
  weights.attention_output = finder.matrix(prefix + "attn_output.weight", h.width, query);
  weights.down = finder.matrix(prefix + "ffn_down.weight", h.width, wide);
}

LayerWeights find_layer(const Finder& finder, const Hyperparameters& h, std::int64_t layer) {
  const std::string prefix = "blk." + std::to_string(layer) + ".";
  LayerWeights weights;
  weights.attention_norm = finder.vector(prefix + "attn_norm.weight", h.width);
  weights.feed_forward_norm = finder.vector(prefix + "ffn_norm.weight", h.width);
  find_projections(finder, h, prefix, weights);
  if (h.family->has_projection_biases) {
    weights.query_bias = finder.vector(prefix + "attn_q.bias", h.query_width());
    weights.key_bias = finder.vector(prefix + "attn_k.bias", h.kv_width());
    weights.value_bias = finder.vector(prefix + "attn_v.bias", h.kv_width());
  }
  if (h.family->has_head_norms) {
    weights.query_norm = finder.vector(prefix + "attn_q_norm.weight", h.head_dim);
    weights.key_norm = finder.vector(prefix + "attn_k_norm.weight", h.head_dim);
  }
  if (h.family->has_post_norms) {
    weights.post_attention_norm = finder.vector(prefix + "post_attention_norm.weight", h.width);
    weights.post_feed_forward_norm = finder.vector(prefix + "post_ffw_norm.weight", h.width);
  }
  return weights;
}

}  // namespace

TransformerWeights find_weights(const GgufFile& file, const Hyperparameters& h) {
  const Finder finder(file);
  TransformerWeights weights;
  const GgufTensor* embedding = file.find_tensor("token_embd.weight");
  if (embedding == nullptr) finder.fail("tensor token_embd.weight is missing");
  weights.vocabulary_size = embedding->rows();
  finder.check(*embedding, std::vector<std::int64_t>{h.width, weights.vocabulary_size});
  weights.embedding = finder.as_matrix(finder.use(*embedding));
  weights.head = file.find_tensor("output.weight") == nullptr
                     ? weights.embedding
                     : finder.matrix("output.weight", weights.vocabulary_size, h.width);
  weights.output_norm = finder.vector("output_norm.weight", h.width);
  for (std::int64_t layer = 0; layer < h.layers; ++layer) {
    weights.layers.push_back(find_layer(finder, h, layer));
  }
  finder.expect_all_used();
  return weights;
}

}  // namespace whereof::model
