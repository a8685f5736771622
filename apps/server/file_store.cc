#include "file_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <set>
#include <system_error>

#include "http_error.h"
#include "whereof/error.h"

namespace whereof::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kReaders = 2;  // each file is read by a process of its own

// Readers name the file that they read; the client knows it by another name.
std::string in_clients_words(std::string message, const StoredFile& file) {
  const std::string own = file.content.filename().string();
  if (message.starts_with(own)) message.replace(0, own.size(), file.file_name);
  return message;
}

StoredFile file_of(const LibraryEntry& entry) {
  StoredFile file;
  file.content_hash = entry.content_hash;
  file.file_name = entry.name;
  file.purpose = "user_data";
  file.created_at = entry.added_unix_seconds;
  file.status = FileStatus::processed;
  file.report = {{"pages", entry.pages}, {"characters", entry.characters}};
  std::error_code failure;
  const auto bytes = fs::file_size(entry.path, failure);
  file.bytes = failure ? 0 : static_cast<std::int64_t>(bytes);
  return file;
}

HttpError no_such_file(std::string_view id) {
  return HttpError(404, "file_not_found", fmt::format("there is no file {}", id), "id");
}

}  // namespace

FileStore::FileStore(fs::path folder, fs::path library, DocumentShelf& shelf)
    : folder_(std::move(folder)), library_(std::move(library)), shelf_(shelf) {
  std::set<std::string> in_library;
  for (const LibraryEntry& entry : shelf_.entries()) in_library.insert(entry.content_hash);
  for (StoredFile& file : stored_files(folder_)) {
    const bool is_read =
        file.status == FileStatus::error ||
        (file.status == FileStatus::processed && in_library.count(file.content_hash) > 0);
    if (!is_read) {
      file.status = FileStatus::processing;
      unread_.push_back(file.content_hash);
    }
    const std::string hash = file.content_hash;
    files_[hash].file = std::move(file);
  }
  shelf_.set_explanation([this](std::string_view id) { explain(id); });
  for (std::size_t i = 0; i < kReaders; ++i) readers_.emplace_back([this] { read_files(); });
}

FileStore::~FileStore() {
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
    for (auto& [hash, entry] : files_) entry.stop.request_stop();
  }
  changed_.notify_all();
  for (std::thread& reader : readers_) reader.join();
}

FileStore::Entry* FileStore::entry_of(std::string_view id) {
  const std::string_view digits = id.starts_with("file-") ? id.substr(5) : std::string_view();
  const auto found = files_.lower_bound(digits);
  if (digits.empty() || found == files_.end() || id_of(found->first) != id) return nullptr;
  return &found->second;
}

StoredFile FileStore::add(std::string_view content, std::string file_name, std::string purpose) {
  StoredFile file;
  file.file_name = std::move(file_name);
  file.purpose = std::move(purpose);
  file.bytes = static_cast<std::int64_t>(content.size());
  file.created_at = std::time(nullptr);
  const FreshFile fresh(folder_, content, file);
  const std::lock_guard place_lock(places_mutex_);
  const bool is_new = fresh.place(file);
  const std::lock_guard lock(mutex_);
  const auto known = files_.find(file.content_hash);
  const bool is_being_read =
      known != files_.end() && known->second.file.status == FileStatus::processing;
  // A file that could not be read is tried again: what was missing may be there now.
  const bool needs_reading = !is_being_read && file.status != FileStatus::processed;
  if (needs_reading) {
    file.status = FileStatus::processing;
    file.status_details.clear();
  }
  if (!is_new) rewrite_about(file);  // it has the name now that it was sent under last
  files_[file.content_hash].file = file;
  if (needs_reading) {
    unread_.push_back(file.content_hash);
    changed_.notify_one();
  }
  return file;
}

std::vector<StoredFile> FileStore::list() {
  std::vector<LibraryEntry> entries = shelf_.entries();
  std::vector<StoredFile> files;
  const std::lock_guard lock(mutex_);
  for (const auto& [hash, entry] : files_) files.push_back(entry.file);
  for (const LibraryEntry& entry : entries) {
    if (files_.count(entry.content_hash) == 0) files.push_back(file_of(entry));
  }
  std::stable_sort(files.begin(), files.end(), [](const StoredFile& a, const StoredFile& b) {
    return a.created_at > b.created_at;
  });
  return files;
}

StoredFile FileStore::find(std::string_view id) {
  {
    const std::lock_guard lock(mutex_);
    if (const Entry* entry = entry_of(id)) return entry->file;
  }
  for (const LibraryEntry& entry : shelf_.entries()) {
    if (id_of(entry.content_hash) == id) return file_of(entry);
  }
  throw no_such_file(id);
}

void FileStore::remove(std::string_view id) {
  // Held until the library has forgotten it too: one that is sent again meanwhile is read anew.
  const std::lock_guard place_lock(places_mutex_);
  const StoredFile file = find(id);
  std::vector<EventStream> watchers;
  {
    const std::lock_guard lock(mutex_);
    if (Entry* entry = entry_of(id)) {
      delete_file(folder_, entry->file);
      entry->stop.request_stop();
      watchers.swap(entry->watchers);
      std::erase(unread_, entry->file.content_hash);
      files_.erase(file.content_hash);
    }
  }
  for (const EventStream& watcher : watchers) {
    watcher.send("error", error_answer(no_such_file(id)).body);
  }
  shelf_.remove(file.content_hash);
}

void FileStore::watch(std::string_view id, const ExchangePtr& exchange) {
  const StoredFile file = find(id);
  const std::lock_guard lock(mutex_);
  Entry* entry = entry_of(id);
  const EventStream stream = exchange->start_events();
  if (entry == nullptr || entry->file.status != FileStatus::processing) {
    stream.send("file", file_json(entry == nullptr ? file : entry->file));
    return;
  }
  if (!entry->progress.is_null()) stream.send("progress", entry->progress);
  entry->watchers.push_back(stream);
}

std::size_t FileStore::waiting() {
  const std::lock_guard lock(mutex_);
  return unread_.size();
}

void FileStore::explain(std::string_view id) {
  const std::lock_guard lock(mutex_);
  const Entry* entry = entry_of(id);
  if (entry == nullptr) return;
  if (entry->file.status == FileStatus::error) {
    throw HttpError(409, "file_unreadable", entry->file.status_details);
  }
  throw HttpError(409, "file_not_read", fmt::format("{} is not read yet", entry->file.file_name));
}

void FileStore::read_files() {
  std::unique_ptr<Library> library;
  for (;;) {
    StoredFile file;
    std::stop_token stop;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return is_ending_ || !unread_.empty(); });
      if (is_ending_) return;
      Entry& entry = files_[unread_.front()];
      unread_.pop_front();
      entry.stop = std::stop_source();
      file = entry.file;
      stop = entry.stop.get_token();
    }
    file.status = FileStatus::error;
    try {
      if (!library) library = Library::open(library_);
      read(file, *library, stop);
      continue;
    } catch (const Error& error) {
      if (stop.stop_requested()) continue;
      const ErrorAnswer answer = error_answer(error);  // its words are fit for a client
      file.status_details = in_clients_words(answer.body["error"]["message"], file);
    } catch (const std::exception& error) {
      file.status_details = error_answer(error).body["error"]["message"];
    }
    end_reading(std::move(file));
  }
}

void FileStore::read(const StoredFile& file, Library& library, std::stop_token stop) {
  const auto begin = std::chrono::steady_clock::now();
  ReadDocumentOptions options;
  options.stop = stop;
  options.progress = [&](const Progress& progress) {
    tell(file.content_hash, progress,
         std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  };
  Document document = read_document(file.content, options);
  document.name = file.file_name;
  {
    // A file that was deleted meanwhile must not come back by its reading.
    const std::lock_guard lock(mutex_);
    if (stop.stop_requested()) return;
  }
  library.add(document);
  shelf_.forget(document.content_hash);
  StoredFile read = file;
  read.status = FileStatus::processed;
  read.report = report_json(document);
  end_reading(std::move(read));
}

void FileStore::tell(const std::string& content_hash, const Progress& progress, double seconds) {
  const bool is_known = progress.total > 0 && progress.done > 0;
  Json json = {{"done", progress.done}, {"total", progress.total}};
  json["seconds_left"] = is_known
                             ? Json(seconds * static_cast<double>(progress.total - progress.done) /
                                    static_cast<double>(progress.done))
                             : Json(nullptr);
  const std::lock_guard lock(mutex_);
  const auto found = files_.find(content_hash);
  if (found == files_.end()) return;
  Entry& entry = found->second;
  std::erase_if(entry.watchers,
                [&](const EventStream& watcher) { return !watcher.send("progress", json); });
  entry.progress = std::move(json);
}

void FileStore::end_reading(StoredFile file) {
  std::vector<EventStream> watchers;
  bool is_deleted = false;
  {
    const std::lock_guard lock(mutex_);
    const auto found = files_.find(file.content_hash);
    is_deleted = found == files_.end();
    if (!is_deleted) {
      file.file_name = found->second.file.file_name;  // it may have been sent again
      file.purpose = found->second.file.purpose;
      try {
        rewrite_about(file);
      } catch (const Error& error) {  // read again by the next process; this one knows
        error_answer(error);
      }
      found->second.file = file;
      found->second.progress = nullptr;
      watchers.swap(found->second.watchers);
    }
  }
  if (is_deleted) shelf_.remove(file.content_hash);  // while the library took it in
  for (const EventStream& watcher : watchers) watcher.send("file", file_json(file));
}

}  // namespace whereof::server
