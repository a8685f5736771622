#include "whereof/rewording.h"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "answering/language.h"
#include "answering/system_role.h"
#include "answering/terms_of_reply.h"
#include "whereof/chat.h"

namespace whereof {
namespace answering {
namespace {

constexpr std::size_t kMostTerms = 16;
constexpr std::size_t kLongestTermBytes = 48;

constexpr std::string_view kSeparators[] = {",",  ";",  ".",  "\n", "\r", "、",
                                            "，", "；", "。", "：", ":"};

// Bytes of the separator that the text begins with; 0 where none.
std::size_t separator_bytes(std::string_view text) {
  for (const std::string_view separator : kSeparators) {
    if (text.starts_with(separator)) return separator.size();
  }
  return 0;
}

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view kBlanks = " \t-*\"";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

struct Example {
  std::string_view question;
  std::string_view terms;
};

struct Request {
  std::string_view instruction;
  std::string_view question_heading;
  Example examples[4];
};

// Everyday questions of other matters than those of any question set of the project.
constexpr Request kChineseRequest = {
    "用法律条文和合同里的用语，列出与下面问题有关的词语，用顿号隔开。",
    "问题：",
    {{"开车撞了人，保险公司赔多少？",
      "机动车、交通事故、造成损害、强制保险、保险人、责任限额、赔偿"},
     {"公司关门了，还欠我货款怎么办？", "法人、解散、清算、债权人、债务、清偿、价款"},
     {"我想换个名字，可以吗？", "自然人、姓名权、变更、决定、姓名、登记机关"},
     {"东西寄丢了，快递要赔吗？", "承运人、运输、货物、毁损、灭失、赔偿责任"}}};
constexpr Request kEnglishRequest = {
    "List the terms of statutes and contracts that belong to the question below, separated by "
    "commas.",
    "Question: ",
    {{"A car hit me. What does the insurer pay?",
      "motor vehicle, traffic accident, damage, insurer, limit of liability, compensation"},
     {"The company closed down and still owes me for my goods. What now?",
      "dissolution, liquidation, creditor, debt, satisfaction, purchase price"},
     {"Can I change my name?", "natural person, right to a name, change, registration authority"},
     {"The parcel got lost. Must the courier pay?",
      "carrier, carriage, goods, loss, damage, liability"}}};

// The instruction stands before the first question where the model knows no system message.
std::vector<ChatMessage> messages_for(std::string_view question, bool has_system) {
  const Request& request =
      language_of(question) == Language::chinese ? kChineseRequest : kEnglishRequest;
  const auto asked = [&](std::string_view text) {
    return std::string(request.question_heading) + std::string(text);
  };
  std::vector<ChatMessage> messages;
  if (has_system) messages.push_back({"system", std::string(request.instruction)});
  for (const Example& example : request.examples) {
    messages.push_back({"user", asked(example.question)});
    messages.push_back({"assistant", std::string(example.terms)});
  }
  messages.push_back({"user", asked(question)});
  if (!has_system) {
    messages.front().content.insert(0, std::string(request.instruction) + "\n\n");
  }
  return messages;
}

}  // namespace

std::vector<std::string> terms_of_reply(std::string_view reply, bool is_cut) {
  std::vector<std::string> terms;
  const auto take = [&](std::string_view piece) {
    const std::string_view term = without_blanks(piece);
    if (term.empty() || term.size() > kLongestTermBytes || terms.size() == kMostTerms) return;
    if (std::find(terms.begin(), terms.end(), term) == terms.end()) terms.emplace_back(term);
  };
  std::size_t begin = 0;
  for (std::size_t at = 0; at < reply.size();) {
    const std::size_t bytes = separator_bytes(reply.substr(at));
    if (bytes > 0) {
      take(reply.substr(begin, at - begin));
      begin = at + bytes;
    }
    at += std::max<std::size_t>(bytes, 1);
  }
  if (!is_cut || terms.empty()) take(reply.substr(begin));
  return terms;
}

}  // namespace answering

Rewording reword(const std::shared_ptr<const Model>& model, std::string_view question,
                 const RewordingOptions& options) {
  ChatOptions chat_options;
  chat_options.max_tokens = kMostRewordingTokens;
  chat_options.stops = {"\n"};
  chat_options.threads = options.threads;
  chat_options.shared_steps = options.shared_steps;
  chat_options.progress = options.progress;
  chat_options.stop = options.stop;
  const ChatReply reply = chat(
      model, answering::messages_for(question, answering::has_system_role(*model)), chat_options);
  Rewording rewording;
  rewording.words = answering::terms_of_reply(reply.text, reply.finish == FinishReason::length);
  rewording.prompt_tokens = reply.prompt_tokens;
  rewording.reply_tokens = reply.reply_tokens;
  rewording.seconds = reply.prefill_seconds + reply.decode_seconds;
  return rewording;
}

std::string searched_words(const Rewording& rewording) {
  std::string text;
  for (const std::string& word : rewording.words) text += word + "\n";
  return text;
}

}  // namespace whereof
