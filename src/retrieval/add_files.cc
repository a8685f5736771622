// Reader threads take files in order, each reading in a worker process of its own; the calling
// thread, which owns the library, adds what they bring. The queue between them is short, so that a
// slow disk holds the readers back instead of filling memory.
#include "whereof/add_files.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <thread>
#include <utility>

namespace whereof {
namespace {

namespace fs = std::filesystem;

constexpr int kMostReaders = 8;
constexpr auto kDrawPause = std::chrono::milliseconds(200);

// What became of one file in a reader's hands.
struct Brought {
  std::size_t file = 0;
  std::string hash;                  // of its bytes; empty where it cannot be opened
  std::optional<Document> document;  // absent: failed, or somebody has or had these bytes
  std::optional<FailedFile> failure;
};

class Readers {
 public:
  Readers(std::span<const fs::path> files, std::set<std::string> known,
          const AddFilesOptions& options)
      : files_(files), options_(options), known_(std::move(known)) {
    const auto processors = static_cast<int>(std::thread::hardware_concurrency());
    const int wanted = options.readers > 0 ? options.readers : std::min(processors, kMostReaders);
    const auto most = static_cast<int>(std::min<std::size_t>(files.size(), 1024));
    count_ = std::clamp(wanted, 1, std::max(most, 1));
    for (int i = 0; i < count_; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  }

  ~Readers() {
    stop_.request_stop();
    has_room_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }
  Readers(const Readers&) = delete;
  Readers& operator=(const Readers&) = delete;

  // The next outcome; std::nullopt when none came within the pause.
  std::optional<Brought> next() {
    std::unique_lock lock(mutex_);
    has_more_.wait_for(lock, kDrawPause, [&] { return !brought_.empty(); });
    if (brought_.empty()) return std::nullopt;
    Brought one = std::move(brought_.front());
    brought_.pop_front();
    has_room_.notify_one();
    return one;
  }

 private:
  void work() {
    while (!stop_.stop_requested()) {
      const std::size_t file = next_file_.fetch_add(1);
      if (file >= files_.size()) return;
      Brought one = read(file);
      std::unique_lock lock(mutex_);
      const auto most = static_cast<std::size_t>(count_);
      has_room_.wait(lock, [&] { return brought_.size() < most || stop_.stop_requested(); });
      brought_.push_back(std::move(one));
      has_more_.notify_one();
    }
  }

  // Whether nobody has this content yet; it is then the caller's to read.
  bool claim(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    return known_.insert(hash).second;
  }

  Brought read(std::size_t file) {
    Brought one;
    one.file = file;
    const fs::path& path = files_[file];
    try {
      one.hash = content_hash_of_file(path, options_.limits).value_or("");
      if (!one.hash.empty() && !claim(one.hash)) return one;
      ReadDocumentOptions reading;
      reading.limits = options_.limits;
      reading.worker_program = options_.worker_program;
      reading.pdfium_library = options_.pdfium_library;
      reading.stop = stop_.get_token();
      one.document = read_document(path, reading);
    } catch (const Error& error) {
      one.failure = FailedFile{path, error.kind(), error.what()};
    } catch (const std::exception& error) {
      one.failure = FailedFile{path, ErrorKind::out_of_memory, path.string() + ": " + error.what()};
    }
    return one;
  }

  const std::span<const fs::path> files_;
  const AddFilesOptions& options_;
  int count_ = 1;
  std::stop_source stop_;
  std::atomic<std::size_t> next_file_{0};
  std::mutex mutex_;  // of what follows
  std::condition_variable has_more_;
  std::condition_variable has_room_;
  std::deque<Brought> brought_;
  std::set<std::string> known_;
  std::vector<std::thread> threads_;  // last: they use all of the above
};

void check_stop(const AddFilesOptions& options, std::size_t done, std::size_t files) {
  if (options.stop.stop_requested()) {
    throw Error(ErrorKind::cancelled, "adding was stopped after " + std::to_string(done) + " of " +
                                          std::to_string(files) +
                                          " files; the same command goes on");
  }
  if (!options.progress) return;
  options.progress(
      {"adding", "files", static_cast<std::int64_t>(done), static_cast<std::int64_t>(files)});
}

// Removes what the library held of these files under other bytes, unless one of them has those.
std::int64_t remove_outdated(Library& library, std::span<const LibraryEntry> before,
                             std::span<const fs::path> files, std::span<const Brought> outcomes) {
  std::map<std::string_view, std::string_view> hash_of_path;
  std::set<std::string_view> held;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (outcomes[i].hash.empty()) continue;
    hash_of_path[files[i].native()] = outcomes[i].hash;
    held.insert(outcomes[i].hash);
  }
  std::int64_t removed = 0;
  for (const LibraryEntry& entry : before) {
    const auto now = hash_of_path.find(entry.path);
    if (now == hash_of_path.end() || now->second == entry.content_hash) continue;
    if (!held.contains(entry.content_hash) && library.remove(entry.content_hash)) ++removed;
  }
  return removed;
}

}  // namespace

AddFilesResult add_files(Library& library, std::span<const fs::path> files,
                         const AddFilesOptions& options) {
  const std::vector<LibraryEntry> before = library.entries();
  std::set<std::string> known;
  for (const LibraryEntry& entry : before) {
    if (entry.is_current) known.insert(entry.content_hash);
  }
  AddFilesResult result;
  std::vector<Brought> outcomes(files.size());
  std::map<std::string, std::string> failed_hashes;
  {
    Readers readers(files, std::move(known), options);
    for (std::size_t done = 0; done < files.size();) {
      check_stop(options, done, files.size());
      std::optional<Brought> one = readers.next();
      if (!one) continue;
      ++done;
      if (one->document) {
        library.add(*one->document);
        one->document.reset();
        ++result.added;
      }
      if (one->failure) failed_hashes.emplace(one->hash, one->failure->message);
      outcomes[one->file] = std::move(*one);
    }
  }
  for (Brought& outcome : outcomes) {
    const auto twin = failed_hashes.find(outcome.hash);
    if (!outcome.failure && !outcome.hash.empty() && twin != failed_hashes.end()) {
      const fs::path& path = files[outcome.file];
      outcome.failure =
          FailedFile{path, ErrorKind::bad_document, path.string() + ": as " + twin->second};
    }
    if (outcome.failure) result.failed.push_back(std::move(*outcome.failure));
  }
  result.known = static_cast<std::int64_t>(files.size() - result.failed.size()) - result.added;
  result.removed = remove_outdated(library, before, files, outcomes);
  return result;
}

}  // namespace whereof
