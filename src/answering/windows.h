// A document that is longer than the model's window: full attention inside windows, retrieval
// outside.
//
//   whole prompt   frame | passage 0, 1, 2, ...                        | question
//   window w       frame | passages of cut w, as many as fit |            read once, kept
//   a prompt       frame | chosen passages, from their windows         | question
//
// Keys and values of a chosen passage are those of its window, where it was read with all that
// stands before it there; its keys are rotated on to where it stands in the prompt. So a question
// reads nothing again but itself. Windows that are not kept are read first.
#ifndef WHEREOF_ANSWERING_WINDOWS_H_
#define WHEREOF_ANSWERING_WINDOWS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "answering/language.h"
#include "answering/prompt.h"
#include "answering/window_cuts.h"
#include "whereof/answer.h"
#include "whereof/kv_store.h"
#include "whereof/model.h"

namespace whereof::answering {

class WindowedDocument {
 public:
  // whole is the prompt of `all` passages of the document, which are at least one. The document,
  // the model and the options outlive it; of options only threads, store, kv_type, fault, progress
  // and stop are looked at. Throws Error(over_window) for a passage that fits no window.
  WindowedDocument(const Document& document, std::span<const Passage> all, const Prompt& whole,
                   const Manner& manner, const Model& model, const AskOptions& options);

  // What a question attends to: passages of `all`, in document order. Nothing at first.
  void choose(std::span<const Passage> passages);
  std::int64_t chosen_tokens() const noexcept { return chosen_tokens_; }

  // The chosen passages and a question.
  Prompt prompt_for(std::string_view question) const;

  struct WindowState {
    std::int64_t tokens = 0;
    std::int64_t kept = 0;  // of these, in the store
  };
  // Of the windows that hold what is chosen.
  std::vector<WindowState> chosen_windows() const;

  // Puts the frame and what is chosen into an empty context whose capacity is that of a prompt:
  // what all prompts begin with. Reads windows that are not kept, in a context of its own. Returns
  // how many tokens. Throws as Context does, and Error(failed_check) for a window whose keys do not
  // stand where they belong.
  std::int64_t fill(Context& context, const std::shared_ptr<const Model>& model);

  // Reads all windows into the store.
  ReadAhead read_all(const std::shared_ptr<const Model>& model);

  // KeptReading::trouble of the windows that were read.
  const std::string& trouble() const noexcept { return trouble_; }

 private:
  // Of one window: what is chosen, in its own positions.
  struct Part {
    std::size_t window = 0;
    Span tokens;
  };
  std::vector<TokenId> tokens_of(std::size_t window) const;
  std::int64_t tokens_in(std::size_t window) const;
  std::unique_ptr<KeptReading> kept_reading(std::size_t window) const;
  std::vector<Part> parts() const;
  bool append_kept(Context& context, std::span<const TokenId> tokens, KeptReading* kept,
                   std::span<const Part> parts) const;
  // An empty context for windows.
  std::unique_ptr<Context> window_context(const std::shared_ptr<const Model>& model,
                                          std::int64_t capacity) const;
  // Reads a window into the empty context, kept or not.
  void read(Context& context, std::span<const TokenId> tokens, KeptReading* kept);

  const Document& document_;
  Passage last_;                         // of all
  std::vector<TokenId> tokens_;          // of the whole prompt, up to the question
  std::vector<ReadSentence> sentences_;  // of the whole prompt
  std::vector<Span> passages_;           // positions of each in the whole prompt
  std::vector<std::int64_t> begins_;     // byte of the document where each begins
  Manner manner_;
  const Model& model_;
  const AskOptions& options_;
  std::vector<WindowCut> cuts_;
  std::vector<Span> chosen_;  // of passages_
  std::int64_t chosen_tokens_ = 0;
  std::int64_t tokens_read_ = 0;     // for the progress: of windows
  std::int64_t tokens_to_read_ = 0;  // likewise
  std::string trouble_;
};

}  // namespace whereof::answering

#endif  // WHEREOF_ANSWERING_WINDOWS_H_
