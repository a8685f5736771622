// The files that clients sent, and their reading in the background.
#ifndef WHEREOF_SERVER_FILE_STORE_H_
#define WHEREOF_SERVER_FILE_STORE_H_

#include <condition_variable>
#include <deque>
#include <filesystem>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "document_shelf.h"
#include "exchange.h"
#include "stored_file.h"

namespace whereof::server {

// Any thread.
class FileStore {
 public:
  // Finds the files of earlier processes in the folder and goes on reading those that are not in
  // the library. Throws what Library::open throws. shelf outlives the store.
  FileStore(std::filesystem::path folder, std::filesystem::path library, DocumentShelf& shelf);
  // Stops the reading; what is amid it is read again by the next process.
  ~FileStore();
  FileStore(const FileStore&) = delete;
  FileStore& operator=(const FileStore&) = delete;

  const std::filesystem::path& folder() const noexcept { return folder_; }

  // Keeps the bytes and has them read. Blocks for the disk. Throws what FreshFile throws.
  StoredFile add(std::string_view content, std::string file_name, std::string purpose);
  // Those of clients and what else the library holds, the latest first.
  std::vector<StoredFile> list();
  // Throws HttpError(404).
  StoredFile find(std::string_view id);
  // Throws HttpError(404), Error(input_output). Only what a client sent is deleted from the disk.
  void remove(std::string_view id);
  // "progress" while it is read, then "file"; throws HttpError(404).
  void watch(std::string_view id, const ExchangePtr& exchange);
  std::size_t waiting();

 private:
  struct Entry {
    StoredFile file;
    std::stop_source stop;
    std::vector<EventStream> watchers;
    Json progress;  // the last that was told; null before
  };
  void read_files();
  void read(const StoredFile& file, Library& library, std::stop_token stop);
  void tell(const std::string& content_hash, const Progress& progress, double seconds);
  void end_reading(StoredFile file);
  Entry* entry_of(std::string_view id);
  void explain(std::string_view id);

  const std::filesystem::path folder_;
  const std::filesystem::path library_;
  DocumentShelf& shelf_;
  std::mutex places_mutex_;  // files come to their places and go; taken before mutex_
  std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Entry, std::less<>> files_;  // by content hash
  std::deque<std::string> unread_;
  bool is_ending_ = false;
  std::vector<std::thread> readers_;
};

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_FILE_STORE_H_
