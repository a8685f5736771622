// A Model with what a Context needs of it.
#ifndef WHEREOF_MODEL_LOADED_MODEL_H_
#define WHEREOF_MODEL_LOADED_MODEL_H_

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "model/hyperparameters.h"
#include "model/transformer_weights.h"
#include "whereof/gguf.h"
#include "whereof/model.h"

namespace whereof::model {

class LoadedModel final : public Model {
 public:
  explicit LoadedModel(std::shared_ptr<const GgufFile> file);

  // Throws Error(bad_model) when the file was cut while it was mapped.
  void check_intact() const { file_->check_intact(); }

  const ModelDescription& description() const override { return description_; }
  const Tokenizer& tokenizer() const override { return *tokenizer_; }
  std::vector<PromptPiece> chat_prompt(std::span<const ChatMessage> messages) const override;

  // SHA-256 in hex over the sizes and samples of every tensor: two files with the same one give the
  // same keys and values. (A gigabyte of weights is not read to the end for it.)
  std::string fingerprint() const;

  const Hyperparameters& hyperparameters() const noexcept { return hyperparameters_; }
  const TransformerWeights& weights() const noexcept { return weights_; }
  // Of its keys in a cache of i8 (key_units.h); computed when first asked for.
  const std::vector<float>& key_units() const;

 private:
  mutable std::once_flag has_key_units_;
  mutable std::vector<float> key_units_;
  std::shared_ptr<const GgufFile> file_;  // owns the mapping that weights_ views
  Hyperparameters hyperparameters_;
  TransformerWeights weights_;
  std::shared_ptr<const Tokenizer> tokenizer_;
  ModelDescription description_;
};

// What Model::open made; Error(invalid_argument), naming who needs it, for a Model of other making.
const LoadedModel& loaded(const Model& model, const char* who);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_LOADED_MODEL_H_
