#include "model/transformer_weights.h"

#include <string>

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
    return *found;
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
};

LayerWeights find_layer(const Finder& finder, const Hyperparameters& h, std::int64_t layer) {
  const std::string prefix = "blk." + std::to_string(layer) + ".";
  LayerWeights weights;
  weights.attention_norm = finder.vector(prefix + "attn_norm.weight", h.width);
  weights.feed_forward_norm = finder.vector(prefix + "ffn_norm.weight", h.width);
  weights.query = finder.matrix(prefix + "attn_q.weight", h.query_width(), h.width);
  weights.key = finder.matrix(prefix + "attn_k.weight", h.kv_width(), h.width);
  weights.value = finder.matrix(prefix + "attn_v.weight", h.kv_width(), h.width);
  if (h.family->has_projection_biases) {
    weights.query_bias = finder.vector(prefix + "attn_q.bias", h.query_width());
    weights.key_bias = finder.vector(prefix + "attn_k.bias", h.kv_width());
    weights.value_bias = finder.vector(prefix + "attn_v.bias", h.kv_width());
  }
  weights.attention_output = finder.matrix(prefix + "attn_output.weight", h.width, h.query_width());
  weights.gate = finder.matrix(prefix + "ffn_gate.weight", h.feed_forward_width, h.width);
  weights.up = finder.matrix(prefix + "ffn_up.weight", h.feed_forward_width, h.width);
  weights.down = finder.matrix(prefix + "ffn_down.weight", h.width, h.feed_forward_width);
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
  weights.embedding = finder.as_matrix(*embedding);
  weights.head = file.find_tensor("output.weight") == nullptr
                     ? weights.embedding
                     : finder.matrix("output.weight", weights.vocabulary_size, h.width);
  weights.output_norm = finder.vector("output_norm.weight", h.width);
  for (std::int64_t layer = 0; layer < h.layers; ++layer) {
    weights.layers.push_back(find_layer(finder, h, layer));
  }
  return weights;
}

}  // namespace whereof::model
