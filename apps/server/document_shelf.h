// Documents of the library, parsed and at hand.
#ifndef WHEREOF_SERVER_DOCUMENT_SHELF_H_
#define WHEREOF_SERVER_DOCUMENT_SHELF_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/document.h"
#include "whereof/retrieval.h"

namespace whereof::server {

// "file-" and the first 24 digits of a content hash.
std::string id_of(std::string_view content_hash);

// Any thread; calls wait for one another while the library works.
class DocumentShelf {
 public:
  // Opens the library; throws what Library::open throws.
  explicit DocumentShelf(const std::filesystem::path& library);

  // The document of an id. Throws HttpError: 404 (no such id; also one that is no id), 409 (not
  // read yet, or its reading failed: the message says which). Documents stay at hand, the least
  // recently used leave when their texts have over 64 MiB together.
  std::shared_ptr<const Document> document(std::string_view id);

  // Runs work with the library, alone.
  void with_library(const std::function<void(Library&)>& work);
  // Called, from any thread, for an id that the library does not hold: throws HttpError(409) when
  // it knows more of it. Set before the shelf is used.
  void set_explanation(std::function<void(std::string_view id)> explain) {
    explain_ = std::move(explain);
  }
  // Entries that another version of the program read are not among them.
  std::vector<LibraryEntry> entries();
  // The library holds this document anew: a copy at hand is dropped.
  void forget(std::string_view content_hash);
  bool remove(std::string_view content_hash);

 private:
  struct Kept {
    std::string id;
    std::shared_ptr<const Document> document;
  };
  void keep(std::string id, std::shared_ptr<const Document> document);
  std::shared_ptr<const Document> kept(std::string_view id);

  std::mutex library_mutex_;
  std::unique_ptr<Library> library_;
  std::mutex kept_mutex_;
  std::function<void(std::string_view)> explain_;
  std::list<Kept> kept_;  // most recently used first
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_DOCUMENT_SHELF_H_
