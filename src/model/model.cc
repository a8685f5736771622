#include "whereof/model.h"

#include <algorithm>
#include <string>

#include "chat_template/chat.h"
#include "model/key_units.h"
#include "model/loaded_model.h"
#include "text/sha256.h"
#include "whereof/error.h"

namespace whereof {
namespace model {
namespace {

constexpr std::string_view kChatTemplateKey = "tokenizer.chat_template";

ModelDescription describe(const GgufFile& file, const Hyperparameters& sizes,
                          const TransformerWeights& weights) {
  ModelDescription description;
  description.name = std::string(
      file.string("general.name").value_or(std::string_view(file.path().stem().native())));
  description.architecture = std::string(sizes.family->architecture);
  description.path = file.path();
  description.file_bytes = file.file_bytes();
  description.layers = sizes.layers;
  description.width = sizes.width;
  description.feed_forward_width = sizes.feed_forward_width;
  description.query_heads = sizes.query_heads;
  description.kv_heads = sizes.kv_heads;
  description.head_dim = sizes.head_dim;
  description.vocabulary_size = weights.vocabulary_size;
  description.window_tokens = sizes.window_tokens;
  description.rope_base = sizes.rope_base;
  description.has_chat_template = file.string(kChatTemplateKey).has_value();
  for (const GgufTensor& tensor : file.tensors()) {
    description.parameters += tensor.columns() * tensor.rows();
  }
  return description;
}

chat_template::SpecialTokenTexts special_token_texts(const GgufFile& file) {
  const auto tokens =
      file.strings("tokenizer.ggml.tokens").value_or(std::vector<std::string_view>());
  const auto text_of = [&](std::string_view key) -> std::optional<std::string> {
    const auto id = file.integer(key);
    if (!id || *id < 0 || *id >= std::ssize(tokens)) return std::nullopt;
    return std::string(tokens[static_cast<std::size_t>(*id)]);
  };
  return {text_of("tokenizer.ggml.bos_token_id"), text_of("tokenizer.ggml.eos_token_id"),
          text_of("tokenizer.ggml.unknown_token_id"), text_of("tokenizer.ggml.padding_token_id")};
}

}  // namespace

LoadedModel::LoadedModel(std::shared_ptr<const GgufFile> file)
    : file_(std::move(file)),
      hyperparameters_(read_hyperparameters(*file_)),
      weights_(find_weights(*file_, hyperparameters_)),
      tokenizer_(Tokenizer::from_gguf(*file_)),
      description_(describe(*file_, hyperparameters_, weights_)) {
  if (tokenizer_->vocabulary_size() > weights_.vocabulary_size) {
    throw Error(ErrorKind::bad_model,
                file_->path().string() + ": the tokenizer has " +
                    std::to_string(tokenizer_->vocabulary_size()) +
                    " tokens, wanted at most the rows of token_embd.weight, " +
                    std::to_string(weights_.vocabulary_size));
  }
}

const std::vector<float>& LoadedModel::key_units() const {
  std::call_once(has_key_units_,
                 [this] { key_units_ = model::key_units(hyperparameters_, weights_); });
  return key_units_;
}

std::string LoadedModel::fingerprint() const {
  constexpr std::size_t kSamples = 16;
  constexpr std::size_t kSampleBytes = 64;
  const ModelDescription& d = description_;
  std::string text = d.architecture;
  for (const std::int64_t number : {d.file_bytes, d.layers, d.width, d.feed_forward_width,
                                    d.query_heads, d.kv_heads, d.head_dim, d.window_tokens}) {
    text += ' ' + std::to_string(number);
  }
  const Hyperparameters& h = hyperparameters_;
  for (const double number :
       {h.rope_base, h.window_rope_base, h.rotary_scaling.factor, h.rotary_scaling.magnitude,
        static_cast<double>(h.attention_window)}) {
    text += ' ' + std::to_string(number);
  }
  for (const GgufTensor& tensor : file_->tensors()) {
    text += ' ' + tensor.name + ' ' + std::string(name_of(tensor.type));
    for (const std::int64_t extent : tensor.shape) text += ' ' + std::to_string(extent);
    const auto* bytes = reinterpret_cast<const char*>(tensor.data.data());
    const std::size_t step = tensor.data.size() / kSamples + 1;
    for (std::size_t at = 0; at < tensor.data.size(); at += step) {
      text.append(bytes + at, std::min(kSampleBytes, tensor.data.size() - at));
    }
  }
  return text::sha256_hex(text);
}

std::vector<Model::PromptPiece> LoadedModel::chat_prompt(
    std::span<const ChatMessage> messages) const {
  const auto text = file_->string(kChatTemplateKey);
  if (!text) {
    throw Error(ErrorKind::unsupported,
                file_->path().string() + ": the file holds no chat template: a base model");
  }
  return chat_template::render_chat(*text, messages, special_token_texts(*file_));
}

const LoadedModel& loaded(const Model& model, const char* who) {
  const auto* found = dynamic_cast<const LoadedModel*>(&model);
  if (found == nullptr) {
    throw Error(ErrorKind::invalid_argument,
                std::string(who) + " needs a Model that Model::open returned");
  }
  return *found;
}

}  // namespace model

std::shared_ptr<const Model> Model::open(const std::filesystem::path& path) {
  return std::make_shared<model::LoadedModel>(GgufFile::open(path));
}

}  // namespace whereof
