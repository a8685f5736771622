#include "retrieval/query.h"

#include "retrieval/synonyms.h"
#include "retrieval/terms.h"

namespace whereof::retrieval {
namespace {

void append_quoted(std::string& list, std::string_view term) {
  if (!list.empty()) list += " OR ";
  list += '"';
  for (const char c : term) {
    if (c == '"') list += '"';
    list += c;
  }
  list += '"';
}

}  // namespace

Query query_of(std::string_view question, std::string_view more_words) {
  const QuestionTerms terms = terms_of_question(question);
  Query query;
  std::string labels;
  for (const std::string& label : terms.labels) {
    append_quoted(labels, label);
    query.groups.push_back({query.terms++, 1, true, false});
  }
  std::string words;
  for (const std::string& word : terms.words) {
    TermGroup group{query.terms, 1, false, false};
    append_quoted(words, word);
    for (const std::string& synonym : synonyms_of(word)) {
      append_quoted(words, synonym);
      ++group.count;
    }
    query.terms += group.count;
    query.groups.push_back(group);
  }
  for (const std::string& character : terms.characters) {
    append_quoted(words, character);
    query.groups.push_back({query.terms++, 1, false, true});
  }
  const QuestionTerms added = terms_of_question(more_words);
  for (const std::string& word : added.words) {
    append_quoted(words, word);
    query.groups.push_back({query.terms++, 1, false, false, true});
  }
  for (const std::string& character : added.characters) {
    append_quoted(words, character);
    query.groups.push_back({query.terms++, 1, false, true, true});
  }
  if (!labels.empty()) query.match = "labels : (" + labels + ")";
  if (!words.empty()) {
    if (!query.match.empty()) query.match += " OR ";
    query.match += "{heading body} : (" + words + ")";
  }
  return query;
}

}  // namespace whereof::retrieval
