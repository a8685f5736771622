#include "answering/prompt.h"

#include <algorithm>
#include <cstddef>

#include "answering/prompt_pieces.h"
#include "answering/system_role.h"
#include "text/sentences.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::answering {
namespace {

constexpr std::size_t kPunctuation = 8;  // bytes of points and blanks around a heading

// A stretch of the document that lies unchanged in the message.
struct Copied {
  std::int64_t document_begin;
  std::int64_t message_begin;
  std::int64_t length;
};

// The user message as it grows, with the places of what was copied.
struct Message {
  std::string text;
  std::vector<Copied> copied;
  std::vector<ReadSentence> sentences;  // their tokens hold bytes of text until placed
  std::vector<Span> passages;           // bytes of text until placed
};

bool is_read(LineKind kind) noexcept {
  return kind == LineKind::body || kind == LineKind::table || kind == LineKind::footnote ||
         kind == LineKind::form_field;
}

// First and one past the last line that the span touches.
std::pair<std::size_t, std::size_t> lines_of(const Document& document, Span span) {
  const auto& lines = document.lines;
  const auto first = std::partition_point(
      lines.begin(), lines.end(), [&](const Line& line) { return line.text.end <= span.begin; });
  const auto last = std::partition_point(
      first, lines.end(), [&](const Line& line) { return line.text.begin < span.end; });
  return {static_cast<std::size_t>(first - lines.begin()),
          static_cast<std::size_t>(last - lines.begin())};
}

// Message bytes of a document span: from the first to the last byte of it that was copied.
Span message_span(const std::vector<Copied>& copied, std::size_t first, Span document) {
  Span found{-1, -1};
  for (std::size_t i = first; i < copied.size(); ++i) {
    const Copied& piece = copied[i];
    const std::int64_t begin = std::max(document.begin, piece.document_begin);
    const std::int64_t end = std::min(document.end, piece.document_begin + piece.length);
    if (begin >= end) continue;
    if (found.begin < 0) found.begin = piece.message_begin + begin - piece.document_begin;
    found.end = piece.message_begin + end - piece.document_begin;
  }
  return found;
}

void append_label(Message& message, const Document& document, const Passage& passage) {
  if (passage.clause < 0) return;
  const Clause& clause = document.clauses[static_cast<std::size_t>(passage.clause)];
  const bool begins_with_number = passage.text.begin <= clause.text.begin;
  if (clause.label.empty() || (begins_with_number && clause.label == clause.number)) return;
  message.text += "[" + clause.label;
  if (!clause.heading.empty() && !begins_with_number) message.text += " " + clause.heading;
  message.text += "] ";
}

// The lines of a passage that are read, in runs without anything between: a page's footer and the
// next page's header part two runs, so that a quotation holds neither and lies on one page.
std::vector<Span> runs_of(const Document& document, Span passage) {
  std::vector<Span> runs;
  const auto [first, last] = lines_of(document, passage);
  bool continues = false;
  for (std::size_t i = first; i < last; ++i) {
    const Line& line = document.lines[i];
    const Span part{std::max(line.text.begin, passage.begin), std::min(line.text.end, passage.end)};
    if (!is_read(line.kind)) {
      continues = false;
    } else if (continues) {
      runs.back().end = part.end;
    } else {
      runs.push_back(part);
      continues = true;
    }
  }
  return runs;
}

// The innermost clause at the end of a sentence that was cut where clauses begin.
std::int32_t clause_of(const Document& document, Span sentence) {
  return document.clause_at(sentence.end - 1);
}

// Whether a piece is no more than the heading of a clause: nobody is served by it as a quotation.
bool is_bare_heading(const Document& document, Span piece) {
  const std::int32_t at = clause_of(document, piece);
  if (at < 0) return false;
  const Clause& clause = document.clauses[static_cast<std::size_t>(at)];
  const std::size_t heading_bytes = clause.number.size() + clause.heading.size() + kPunctuation;
  return !clause.heading.empty() && piece.begin <= clause.text.begin &&
         piece.length() <= static_cast<std::int64_t>(heading_bytes);
}

// Adds the piece without the blanks at its end; a bare heading before it in the same run joins it.
void add_piece(std::vector<Span>& pieces, const Document& document, Span run, Span piece) {
  while (!piece.is_empty() &&
         std::string_view(" \t\n").find(document.text[static_cast<std::size_t>(piece.end) - 1]) !=
             std::string_view::npos) {
    --piece.end;
  }
  if (piece.is_empty()) return;
  if (!pieces.empty() && pieces.back().begin >= run.begin &&
      is_bare_heading(document, pieces.back())) {
    pieces.back().end = piece.end;
  } else {
    pieces.push_back(piece);
  }
}

// Sentences, cut where a clause begins, so that each lies in one clause (but for a heading, which
// stays with the first sentence under it).
std::vector<Span> sentences_of(const Document& document, Span passage) {
  const auto& clauses = document.clauses;
  std::vector<Span> pieces;
  for (const Span run : runs_of(document, passage)) {
    for (Span sentence : text::sentences(document.slice(run))) {
      sentence.begin += run.begin;
      sentence.end += run.begin;
      auto clause = std::partition_point(
          clauses.begin(), clauses.end(),
          [&](const Clause& earlier) { return earlier.text.begin <= sentence.begin; });
      for (; clause != clauses.end() && clause->text.begin < sentence.end; ++clause) {
        add_piece(pieces, document, run, {sentence.begin, clause->text.begin});
        sentence.begin = clause->text.begin;
      }
      add_piece(pieces, document, run, sentence);
    }
  }
  return pieces;
}

void append_line_break(std::string& text, std::string_view next_line, bool starts_paragraph) {
  if (starts_paragraph) {
    text += '\n';
  } else if (!text::joins_without_blank(text::decode_before(text, text.size()).value,
                                        text::decode_at(next_line, 0).value)) {
    text += ' ';
  }
}

void append_passage(Message& message, const Document& document, const Passage& passage) {
  const auto begin = static_cast<std::int64_t>(message.text.size());
  append_label(message, document, passage);
  const std::size_t first_copied = message.copied.size();
  const auto [first, last] = lines_of(document, passage.text);
  bool is_first = true;
  for (std::size_t i = first; i < last; ++i) {
    const Line& line = document.lines[i];
    if (!is_read(line.kind)) continue;
    const Span part{std::max(line.text.begin, passage.text.begin),
                    std::min(line.text.end, passage.text.end)};
    if (part.is_empty()) continue;
    if (!is_first) append_line_break(message.text, document.slice(part), line.starts_paragraph);
    is_first = false;
    message.copied.push_back(
        {part.begin, static_cast<std::int64_t>(message.text.size()), part.length()});
    message.text += document.slice(part);
  }
  message.text += "\n\n";
  const bool is_read_at_all = message.copied.size() > first_copied;
  message.passages.push_back(
      {begin, is_read_at_all ? static_cast<std::int64_t>(message.text.size()) : begin});
  for (const Span sentence : sentences_of(document, passage.text)) {
    const Span placed = message_span(message.copied, first_copied, sentence);
    if (placed.is_empty()) continue;
    message.sentences.push_back({sentence, placed, clause_of(document, sentence)});
  }
}

void append_earlier(Message& message, const std::vector<std::string>& earlier,
                    const Phrases& phrases) {
  message.text += phrases.earlier_heading;
  for (const std::string& question : earlier) message.text += "\n" + question;
  message.text += "\n\n";
}

// Replaces bytes of the message by positions in the prompt, in ascending order. A token belongs to
// the span that its first byte lies in.
class TokenPlaces {
 public:
  TokenPlaces(const std::vector<std::int64_t>& ends, std::int64_t first_position)
      : ends_(ends), first_position_(first_position) {}

  // What a token before this one already took is left to it.
  Span place(Span bytes) {
    std::int64_t begin = token_at(bytes.begin);
    // A token that holds the blank before the span and its first letters is the span's.
    if (begin > 0 && begin <= std::ssize(ends_) &&
        ends_[static_cast<std::size_t>(begin) - 1] > bytes.begin) {
      --begin;
    }
    begin = std::max(begin, taken_);
    const std::int64_t end = std::min(token_at(bytes.end), std::ssize(ends_));
    taken_ = std::max(begin, end);
    return {first_position_ + begin, first_position_ + taken_};
  }

 private:
  // The first token that begins at or after byte.
  std::int64_t token_at(std::int64_t byte) const {
    if (byte <= 0) return 0;
    return std::lower_bound(ends_.begin(), ends_.end(), byte) - ends_.begin() + 1;
  }

  const std::vector<std::int64_t>& ends_;
  const std::int64_t first_position_;
  std::int64_t taken_ = 0;
};

void place(Message& message, const Encoding& encoding, std::int64_t first_position) {
  TokenPlaces of_sentences(encoding.ends, first_position);
  std::vector<ReadSentence> placed;
  placed.reserve(message.sentences.size());
  for (ReadSentence sentence : message.sentences) {
    sentence.tokens = of_sentences.place(sentence.tokens);
    if (!sentence.tokens.is_empty()) placed.push_back(sentence);
  }
  message.sentences = std::move(placed);
  TokenPlaces of_passages(encoding.ends, first_position);
  for (Span& passage : message.passages) passage = of_passages.place(passage);
}

// In the model's chat format; for a base model, which has none, one after the other.
std::vector<Model::PromptPiece> pieces_of(std::span<const ChatMessage> chat, const Phrases& phrases,
                                          const Model& model) {
  if (model.description().has_chat_template) return model.chat_prompt(chat);
  std::vector<Model::PromptPiece> pieces;
  for (const ChatMessage& message : chat) {
    pieces.push_back({message.content, false});
    pieces.push_back({"\n\n", true});
  }
  pieces.back().text += phrases.answer_heading;
  return pieces;
}

}  // namespace

std::vector<Span> Prompt::token_spans() const {
  std::vector<Span> spans;
  spans.reserve(sentences.size());
  for (const ReadSentence& sentence : sentences) spans.push_back(sentence.tokens);
  return spans;
}

Prompt compose_prompt(const Document& document, std::span<const Passage> passages,
                      std::string_view question, const Manner& manner, const Model& model) {
  const Phrases& phrases = phrases_in(manner.language);
  std::string instruction(phrases.instruction);
  if (manner.offers_declining) instruction += phrases.offer_to_decline;
  const bool is_apart = has_system_role(model);
  Message message;
  if (!is_apart) message.text = instruction + "\n\n";
  message.text += std::string(phrases.document_heading) + "\n\n";
  for (const Passage& passage : passages) append_passage(message, document, passage);
  if (!manner.earlier.empty()) append_earlier(message, manner.earlier, phrases);
  Prompt prompt;
  message.text += std::string(phrases.question_heading) + " ";
  if (is_statement(question)) message.text += std::string(phrases.statement_question) + " ";
  message.text += question;

  std::vector<ChatMessage> chat;
  if (is_apart) chat.push_back({"system", instruction});
  chat.push_back({"user", message.text});
  const std::vector<Model::PromptPiece> pieces = pieces_of(chat, phrases, model);
  bool is_placed = false;
  prompt.tokens = tokens_of_pieces(
      pieces, model.tokenizer(),
      [&](const Model::PromptPiece& piece, const Encoding& encoding, std::int64_t first_position) {
        if (piece.is_template || piece.text != message.text) return;
        place(message, encoding, first_position);
        is_placed = true;
      });
  if (!is_placed) {
    throw Error(ErrorKind::unsupported,
                "the model's chat template changes the text of a message, so places would be lost");
  }
  prompt.sentences = std::move(message.sentences);
  prompt.passages = std::move(message.passages);
  return prompt;
}

std::int64_t shared_prefix(std::span<const TokenId> one, std::span<const TokenId> other) noexcept {
  const auto [end, unused] = std::mismatch(one.begin(), one.end(), other.begin(), other.end());
  return end - one.begin();
}

}  // namespace whereof::answering
