// Word patterns over sentences. What contracts say of instructions to people ("the Agent may
// disregard any prior instructions") differs in its grammar: a subject and an auxiliary stand
// before the verb, where an order to the reader begins with it.
#include "whereof/instructions.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "text/ascii_case.h"
#include "text/sentences.h"

namespace whereof {

std::string_view name_of(InstructionKind kind) noexcept {
  switch (kind) {
    case InstructionKind::override_orders:
      return "orders to drop other orders";
    case InstructionKind::assumed_role:
      return "a role for the model to assume";
    case InstructionKind::false_turn:
      return "a false turn of a conversation";
    case InstructionKind::dictated_verdict:
      return "an answer or verdict to be given";
    case InstructionKind::addressed_model:
      return "words to a language model";
  }
  return "unknown";
}

namespace document {
namespace {

using Words = std::vector<std::string_view>;
using List = std::span<const std::string_view>;

bool is_one_of(std::string_view word, List list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Whether one of the words stands in words[begin, begin + count).
bool has_any(const Words& words, std::size_t begin, std::size_t count, List list) {
  const std::size_t end = std::min(words.size(), begin + count);
  for (std::size_t i = begin; i < end; ++i) {
    if (is_one_of(words[i], list)) return true;
  }
  return false;
}

bool has_any_before(const Words& words, std::size_t end, std::size_t count, List list) {
  const std::size_t begin = end - std::min(end, count);
  return has_any(words, begin, end - begin, list);
}

// Whether the words at a place are those of the phrase, which has single blanks between them.
bool stands_at(const Words& words, std::size_t at, std::string_view phrase) {
  while (at < words.size() && phrase.starts_with(words[at])) {
    phrase.remove_prefix(words[at].size());
    if (phrase.empty()) return true;
    if (phrase.front() != ' ') return false;
    phrase.remove_prefix(1);
    ++at;
  }
  return false;
}

bool is_any_at(const Words& words, std::size_t at, List phrases) {
  return std::any_of(phrases.begin(), phrases.end(),
                     [&](std::string_view phrase) { return stands_at(words, at, phrase); });
}

constexpr std::size_t kNear = 8;  // words

constexpr auto kDropping = std::to_array<std::string_view>(
    {"ignore", "disregard", "forget", "override", "bypass", "do not follow", "stop following",
     "do not obey", "pay no attention to"});
// Before a verb, these make it a statement about somebody.
constexpr auto kAuxiliaries = std::to_array<std::string_view>(
    {"shall", "may",     "must",  "will", "to",     "not",   "can",  "could",
     "would", "should",  "or",    "and",  "cannot", "might", "that", "which",
     "who",   "parties", "party", "they", "we",     "i"});
constexpr auto kOrders = std::to_array<std::string_view>(
    {"instruction", "instructions", "prompt", "prompts", "guideline", "guidelines", "directive",
     "directives", "rules", "orders", "training", "programming"});
constexpr auto kEarlier = std::to_array<std::string_view>(
    {"previous", "previously", "prior", "above", "earlier", "preceding", "all", "your", "system",
     "existing", "original", "other", "everything", "foregoing", "these", "those"});
constexpr auto kTheModelsOwn = std::to_array<std::string_view>(
    {"previous", "above", "earlier", "preceding", "your", "system"});
constexpr auto kTheModel = std::to_array<std::string_view>(
    {"you", "ai", "llm", "llms", "chatbot", "assistant", "model", "models"});

bool is_override(const Words& words, std::size_t at) {
  if (!is_any_at(words, at, kDropping)) return false;
  const std::size_t orders = at + 1;
  if (!has_any(words, orders, kNear + 2, kOrders)) {
    return stands_at(words, at + 1, "everything above") ||
           stands_at(words, at + 1, "all of the above") ||
           stands_at(words, at + 1, "everything you were told") ||
           stands_at(words, at + 1, "what you were told");
  }
  const bool is_order = at == 0 || !is_one_of(words[at - 1], kAuxiliaries);
  if (is_order) return has_any(words, orders, kNear, kEarlier);
  return has_any_before(words, at, kNear, kTheModel) &&
         has_any(words, orders, kNear, kTheModelsOwn);
}

constexpr auto kRoles = std::to_array<std::string_view>({"you are an ai",
                                                         "you are a helpful",
                                                         "you are a language model",
                                                         "you are a chatbot",
                                                         "you are an assistant",
                                                         "you are an artificial intelligence",
                                                         "act as an ai",
                                                         "act as a language model",
                                                         "act as a chatbot",
                                                         "as an ai language model",
                                                         "as a large language model",
                                                         "as a language model",
                                                         "new system prompt",
                                                         "your system prompt",
                                                         "developer mode",
                                                         "system override",
                                                         "enter debug mode",
                                                         "pretend you are",
                                                         "pretend that you are",
                                                         "new instructions for the"});
constexpr auto kNewRoles = std::to_array<std::string_view>(
    {"ai", "assistant", "chatbot", "bot", "model", "unrestricted", "mode", "free"});

bool is_role(const Words& words, std::size_t at) {
  if (is_any_at(words, at, kRoles)) return true;
  return stands_at(words, at, "you are now") && has_any(words, at + 3, 5, kNewRoles);
}

constexpr auto kSaying = std::to_array<std::string_view>(
    {"say", "answer", "respond", "reply", "output", "report", "conclude", "print", "write", "mark",
     "return", "state", "declare", "classify", "rate", "treat", "set", "give"});
constexpr auto kJudged = std::to_array<std::string_view>(
    {"answer", "answers", "verdict", "response", "question", "questions"});
constexpr auto kVerdicts = std::to_array<std::string_view>({"supported", "verified", "no_basis"});
constexpr auto kDictating = std::to_array<std::string_view>(
    {"respond only with", "reply only with", "answer only with", "output only the",
     "always respond with", "always answer with", "always say that", "always answer yes",
     "you must answer", "you must respond", "you must say", "you should say that",
     "do not say not stated", "never say not stated"});

bool is_dictated(const Words& words, std::size_t at) {
  if (is_any_at(words, at, kDictating)) return true;
  if (is_one_of(words[at], kVerdicts)) {
    const bool goes_on = at + 1 < words.size() && words[at + 1] == "by";
    return !goes_on && has_any_before(words, at, 5, kJudged);
  }
  // "Answer every question with yes": an order, and what is to be said.
  const bool is_order = at == 0 || words[at - 1] == "please" || words[at - 1] == "always";
  return is_order && is_one_of(words[at], kSaying) && has_any(words, at + 1, kNear, kVerdicts);
}

constexpr auto kCalling = std::to_array<std::string_view>(
    {"dear", "attention", "note to", "message to", "message for", "instructions to",
     "instructions for", "instruction to", "instruction for", "if you are", "hey", "hello",
     "to any", "to all"});
constexpr auto kCalled = std::to_array<std::string_view>(
    {"ai", "llm", "llms", "chatbot", "chatbots", "language", "gpt", "chatgpt"});

bool is_addressed(const Words& words, std::size_t at) {
  return is_any_at(words, at, kCalling) && has_any(words, at + 1, 4, kCalled);
}

std::optional<InstructionKind> in_words(const Words& words) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    if (is_override(words, at)) return InstructionKind::override_orders;
    if (is_role(words, at)) return InstructionKind::assumed_role;
    if (is_dictated(words, at)) return InstructionKind::dictated_verdict;
    if (is_addressed(words, at)) return InstructionKind::addressed_model;
  }
  return std::nullopt;
}

// The ASCII words of a sentence in lower case: runs of letters, digits and underscores.
Words words_of(std::string_view lower) {
  Words words;
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  };
  for (std::size_t at = 0; at < lower.size();) {
    if (!is_letter(lower[at])) {
      ++at;
      continue;
    }
    const std::size_t begin = at;
    while (at < lower.size() && is_letter(lower[at])) ++at;
    words.push_back(lower.substr(begin, at - begin));
  }
  return words;
}

constexpr auto kMarks = std::to_array<std::string_view>(
    {"[inst]", "[/inst]", "<<sys>>", "<</sys>>", "<start_of_turn>", "<end_of_turn>", "<bos>",
     "<eos>", "### instruction", "### system", "### response", "### assistant", "<system>",
     "</system>", "begin system prompt", "end of system prompt"});
constexpr auto kSpeakers =
    std::to_array<std::string_view>({"system:", "assistant:", "ai:", "system：", "assistant：",
                                     "系统：", "助手：", "系统:", "助手:"});

// "<|im_start|>": a mark between bars, of at most so many letters.
bool has_barred_mark(std::string_view lower) {
  constexpr std::size_t kLongest = 32;
  for (std::size_t at = lower.find("<|"); at != std::string_view::npos;
       at = lower.find("<|", at + 2)) {
    if (lower.substr(at + 2, kLongest).find("|>") != std::string_view::npos) return true;
  }
  return false;
}

// A line of the sentence that begins as a speaker's turn and goes on.
bool has_turn(std::string_view lower) {
  for (std::size_t begin = 0; begin < lower.size();) {
    const std::size_t end = std::min(lower.find('\n', begin), lower.size());
    std::string_view line = lower.substr(begin, end - begin);
    line.remove_prefix(std::min(line.find_first_not_of(" \t*#>"), line.size()));
    for (const std::string_view speaker : kSpeakers) {
      if (line.starts_with(speaker) && line.size() > speaker.size() + 1) return true;
    }
    begin = end + 1;
  }
  return false;
}

bool has_false_turn(std::string_view lower) {
  if (has_barred_mark(lower) || has_turn(lower)) return true;
  return std::any_of(kMarks.begin(), kMarks.end(), [&](std::string_view mark) {
    return lower.find(mark) != std::string_view::npos;
  });
}

// "Question: what is one and one? Answer: two": the frame that questions are put to a model in, on
// the line that the sentence stands on. Looks at a bounded number of bytes around the sentence.
bool is_of_posed_question(std::string_view lower, Span sentence) {
  constexpr std::size_t kNearBytes = 300;
  const auto begin = static_cast<std::size_t>(sentence.begin);
  const auto end = static_cast<std::size_t>(sentence.end);
  const std::size_t far = begin - std::min(begin, kNearBytes);
  const std::string_view before = lower.substr(far, begin - far);
  const std::size_t line =
      before.rfind('\n') == std::string_view::npos ? far : far + before.rfind('\n') + 1;
  const std::string_view around = lower.substr(line, end - line + kNearBytes);
  const std::string_view text = around.substr(0, around.find('\n'));
  for (const auto& [question, answer] :
       {std::pair("question:", "answer:"), std::pair("问题：", "答案："),
        std::pair("问题:", "答案:")}) {
    const std::size_t posed = text.find(question);
    if (posed != std::string_view::npos && text.find(answer, posed) != std::string_view::npos) {
      return true;
    }
  }
  return false;
}

constexpr auto kHanDropping =
    std::to_array<std::string_view>({"忽略", "无视", "忽视", "忘记", "忘掉", "不要理会", "不必理会",
                                     "不要遵守", "不要遵循", "不再遵守", "停止遵守"});
constexpr auto kHanOrders =
    std::to_array<std::string_view>({"指令", "指示", "提示", "命令", "系统设定", "设定"});
constexpr auto kHanEarlier =
    std::to_array<std::string_view>({"以上", "上述", "之前", "先前", "前面", "此前", "所有", "一切",
                                     "系统", "你的", "您的", "原有", "其他", "全部"});
constexpr auto kHanAuxiliaries = std::to_array<std::string_view>(
    {"不得", "可以", "有权", "不应", "不能", "不会", "可", "应", "将", "得", "方"});
constexpr auto kHanRoles = std::to_array<std::string_view>(
    {"你现在是", "您现在是", "你是一个人工智能", "你是一个ai", "你是一名ai", "作为人工智能",
     "作为一个人工智能", "作为ai", "作为一个ai", "作为语言模型", "作为一个语言模型", "作为大模型",
     "系统提示词", "系统指令", "请扮演", "开发者模式"});
constexpr auto kHanDictating = std::to_array<std::string_view>(
    {"答案有依据", "回答有依据", "答案是有依据", "判定为有依据", "标记为有依据", "结论：有依据",
     "结论:有依据", "判定：有依据", "输出“有依据”", "回答“有依据”", "不要回答未载明",
     "不要说未载明", "不得回答“未载明”", "必须回答“", "只需回答“"});
constexpr auto kHanAddressed = std::to_array<std::string_view>(
    {"致ai", "致人工智能", "致语言模型", "各位ai", "给ai的", "给人工智能的", "给语言模型的",
     "如果你是ai", "如果你是人工智能", "如果你是语言模型", "ai助手请", "人工智能助手请"});

bool holds_any(std::string_view text, List list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view entry) {
    return text.find(entry) != std::string_view::npos;
  });
}

bool is_han_override(std::string_view lower) {
  constexpr std::size_t kNearBytes = 60;
  for (const std::string_view verb : kHanDropping) {
    for (std::size_t at = lower.find(verb); at != std::string_view::npos;
         at = lower.find(verb, at + verb.size())) {
      const std::string_view before = lower.substr(0, at);
      const bool is_statement =
          std::any_of(kHanAuxiliaries.begin(), kHanAuxiliaries.end(),
                      [&](std::string_view word) { return before.ends_with(word); });
      const std::string_view near = lower.substr(at + verb.size(), kNearBytes);
      if (!is_statement && holds_any(near, kHanOrders) && holds_any(near, kHanEarlier)) return true;
    }
  }
  return false;
}

std::optional<InstructionKind> in_han(std::string_view lower) {
  if (is_han_override(lower)) return InstructionKind::override_orders;
  if (holds_any(lower, kHanRoles)) return InstructionKind::assumed_role;
  if (holds_any(lower, kHanDictating)) return InstructionKind::dictated_verdict;
  if (holds_any(lower, kHanAddressed)) return InstructionKind::addressed_model;
  return std::nullopt;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace
}  // namespace document

std::vector<FoundInstruction> find_instructions(const Document& document) {
  const std::string lower = text::ascii_lower(document.text);
  std::vector<FoundInstruction> found;
  for (const Span sentence : text::sentences(lower)) {
    const std::string_view bytes = std::string_view(lower).substr(
        static_cast<std::size_t>(sentence.begin), static_cast<std::size_t>(sentence.length()));
    std::optional<InstructionKind> kind;
    if (document::has_false_turn(bytes) || document::is_of_posed_question(lower, sentence))
      kind = InstructionKind::false_turn;
    if (!kind) kind = document::in_words(document::words_of(bytes));
    if (!kind && !document::is_ascii(bytes)) kind = document::in_han(bytes);
    if (kind) found.push_back({sentence, *kind});
  }
  return found;
}

}  // namespace whereof
