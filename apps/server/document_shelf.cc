#include "document_shelf.h"

#include <fmt/format.h>

#include <algorithm>

#include "http_error.h"

namespace whereof::server {
namespace {

constexpr std::size_t kIdDigits = 24;
constexpr std::size_t kKeptBytes = std::size_t{64} << 20;

// A document's text beside which its places lie, several times as large.
std::size_t bytes_of(const Document& document) {
  return document.text.size() + document.boxes.size() * sizeof(Box) +
         document.lines.size() * sizeof(Line);
}

bool is_id(std::string_view id) {
  if (!id.starts_with("file-") || id.size() != 5 + kIdDigits) return false;
  return id.find_first_not_of("0123456789abcdef", 5) == std::string_view::npos;
}

}  // namespace

std::string id_of(std::string_view content_hash) {
  return "file-" + std::string(content_hash.substr(0, kIdDigits));
}

DocumentShelf::DocumentShelf(const std::filesystem::path& library)
    : library_(Library::open(library)) {}

std::shared_ptr<const Document> DocumentShelf::kept(std::string_view id) {
  const std::lock_guard lock(kept_mutex_);
  const auto found =
      std::find_if(kept_.begin(), kept_.end(), [&](const Kept& one) { return one.id == id; });
  if (found == kept_.end()) return nullptr;
  kept_.splice(kept_.begin(), kept_, found);
  return found->document;
}

void DocumentShelf::keep(std::string id, std::shared_ptr<const Document> document) {
  const std::lock_guard lock(kept_mutex_);
  std::erase_if(kept_, [&](const Kept& one) { return one.id == id; });
  kept_.push_front({std::move(id), std::move(document)});
  std::size_t bytes = 0;
  auto one = kept_.begin();
  while (one != kept_.end() && (bytes += bytes_of(*one->document)) <= kKeptBytes) ++one;
  if (one == kept_.begin()) ++one;  // the one at hand stays, however large
  kept_.erase(one, kept_.end());
}

std::shared_ptr<const Document> DocumentShelf::document(std::string_view id) {
  if (auto document = kept(id)) return document;
  std::shared_ptr<const Document> loaded;
  if (is_id(id)) {
    const std::lock_guard lock(library_mutex_);
    if (auto document = kept(id)) return document;  // another thread was first
    for (const LibraryEntry& entry : library_->entries()) {
      if (!entry.is_current || id_of(entry.content_hash) != id) continue;
      auto document = library_->load(entry.content_hash);
      if (document) loaded = std::make_shared<const Document>(std::move(*document));
      break;
    }
    if (loaded) keep(std::string(id), loaded);
  }
  if (loaded) return loaded;
  if (explain_) explain_(id);
  throw HttpError(404, "file_not_found", fmt::format("there is no document {}", id));
}

void DocumentShelf::with_library(const std::function<void(Library&)>& work) {
  const std::lock_guard lock(library_mutex_);
  work(*library_);
}

std::vector<LibraryEntry> DocumentShelf::entries() {
  const std::lock_guard lock(library_mutex_);
  std::vector<LibraryEntry> entries = library_->entries();
  std::erase_if(entries, [](const LibraryEntry& entry) { return !entry.is_current; });
  return entries;
}

void DocumentShelf::forget(std::string_view content_hash) {
  const std::lock_guard lock(kept_mutex_);
  std::erase_if(kept_, [&](const Kept& one) { return one.id == id_of(content_hash); });
}

bool DocumentShelf::remove(std::string_view content_hash) {
  const std::lock_guard lock(library_mutex_);
  const bool was_there = library_->remove(content_hash);
  forget(content_hash);
  return was_there;
}

}  // namespace whereof::server
