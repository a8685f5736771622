// Any bytes as a model file: opened, all metadata read, the tensors touched, the tokenizer built
// and used, the chat template rendered. Each step gives a value or an Error.
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "chat_template/chat.h"
#include "whereof/error.h"
#include "whereof/gguf.h"
#include "whereof/tokenizer.h"

namespace {

using namespace whereof;

template <typename Work>
void attempt(const Work& work) {
  try {
    work();
  } catch (const Error&) {
  }
}

void use_metadata(const GgufFile& file) {
  for (const std::string_view key : file.keys()) {
    attempt([&] { file.integer(key); });
    attempt([&] { file.real(key); });
    attempt([&] { file.boolean(key); });
    attempt([&] { file.string(key); });
    attempt([&] { file.strings(key); });
    attempt([&] { file.integers(key); });
    attempt([&] { file.reals(key); });
  }
}

void use_tensors(const GgufFile& file) {
  const std::byte* sum_keeper = nullptr;
  for (const GgufTensor& tensor : file.tensors()) {
    if (file.find_tensor(tensor.name) != &tensor) std::abort();
    for (const std::byte& byte : tensor.data) {
      if (byte == std::byte{1}) sum_keeper = &byte;
    }
  }
  static_cast<void>(sum_keeper);
}

void use_tokenizer(const GgufFile& file) {
  constexpr std::string_view kText = "Clause 3.2(b): it's  第三条\n\n<|im_end|> \xFF";
  const auto tokenizer = Tokenizer::from_gguf(file);
  for (const SpecialTokens special : {SpecialTokens::as_text, SpecialTokens::recognised}) {
    const Encoding encoding = tokenizer->encode(kText, special);
    if (encoding.ids.size() != encoding.ends.size()) std::abort();
    for (const TokenId id : encoding.ids) {
      if (id < 0 || id >= tokenizer->vocabulary_size()) std::abort();
      if (special == SpecialTokens::as_text && tokenizer->is_control(id)) std::abort();
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const int descriptor = memfd_create("model", MFD_CLOEXEC);
  if (descriptor < 0 || write(descriptor, data, size) != static_cast<ssize_t>(size)) std::abort();
  attempt([&] {
    const auto file = GgufFile::open("/proc/self/fd/" + std::to_string(descriptor));
    use_metadata(*file);
    use_tensors(*file);
    attempt([&] { use_tokenizer(*file); });
    attempt([&] {
      const std::vector<ChatMessage> messages = {{"user", "Who bears the Losses?"}};
      chat_template::render_chat(file->string("tokenizer.chat_template").value_or(""), messages,
                                 {});
    });
    file->check_intact();
  });
  close(descriptor);
  return 0;
}
