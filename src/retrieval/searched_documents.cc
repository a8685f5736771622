#include "retrieval/searched_documents.h"

namespace whereof::retrieval {

const Document* SearchedDocuments::find(const std::string& content_hash) {
  const auto [place, is_new] = documents_.try_emplace(content_hash);
  if (is_new) place->second = load(content_hash);
  return place->second ? &*place->second : nullptr;
}

std::optional<Document> SearchedDocuments::load(const std::string& content_hash) {
  const std::optional<LibraryEntry> entry = library_.entry(content_hash);
  if (!entry) return std::nullopt;  // another process has just removed it
  std::optional<Document> document;
  if (file_state(*entry) != FileState::changed) document = library_.load(content_hash);
  if (!document) outdated_.push_back(entry->name);
  return document;
}

}  // namespace whereof::retrieval
