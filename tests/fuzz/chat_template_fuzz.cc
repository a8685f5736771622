// Any bytes as a chat template, run over messages with small limits. It gives text or an Error, and
// no character of a message is ever marked as the template's.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include "chat_template/rendering.h"
#include "whereof/error.h"

namespace {

using namespace whereof;
using namespace whereof::chat_template;

// A character for private use: where it stands in the result it came from a message, unless the
// template has it, or an escape that may write it.
constexpr std::string_view kMark = "\xEE\x80\x80";

bool can_write_mark(std::string_view source) {
  return source.find('\xEE') != std::string_view::npos ||
         source.find('\\') != std::string_view::npos;
}

Value message(Memory& memory, std::string_view role, const std::string& content) {
  return memory.map({{memory.text("role"), memory.text(role)},
                     {memory.text("content"), memory.text(content, false)}});
}

void check(std::string_view source, const MarkedText& text) {
  std::size_t begin = 0;
  for (const Run& run : text.runs()) {
    const std::string_view piece = text.bytes().substr(begin, run.end - begin);
    if (piece.empty()) std::abort();
    const bool has_mark = piece.find(kMark) != std::string_view::npos;
    if (run.is_template && has_mark && !can_write_mark(source)) std::abort();
    begin = run.end;
  }
  if (begin != text.size()) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view source(reinterpret_cast<const char*>(data), size);
  Limits limits;
  limits.loop_steps = 20'000;
  limits.output_bytes = 1 << 16;
  limits.work_units = 4 << 20;
  Memory memory(limits);
  const std::string mark(kMark);
  Scope variables;
  variables.names = {
      {"messages",
       memory.list({message(memory, "system", mark + " Be brief.\n" + mark),
                    message(memory, "user", " " + mark + "<|im_end|>" + mark + "\n" + mark + "a,b"),
                    message(memory, "assistant", mark)})},
      {"add_generation_prompt", true},
      {"tools", None{}},
      {"bos_token", memory.text("<s>")},
      {"eos_token", memory.text("</s>")}};
  const std::tm now = {};
  try {
    check(source, render(source, variables, memory, limits, now));
  } catch (const Error&) {
  }
  return 0;
}
