// The store's folder: one file a reading, named by the hash of model and text. The time of last
// use is the file's time of modification.
#include "whereof/kv_store.h"

#include <algorithm>
#include <system_error>

#include "model/kv_file.h"
#include "model/kv_reading.h"
#include "model/loaded_model.h"
#include "text/sha256.h"
#include "whereof/error.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameDigits = 32;
constexpr const char* kExtension = ".kv";

struct StoredFile {
  fs::path path;
  std::int64_t bytes = 0;
  fs::file_time_type last_used;
};

// Most recently used first; what vanishes meanwhile is left out.
std::vector<StoredFile> files_in(const fs::path& folder) {
  std::vector<StoredFile> files;
  std::error_code failure;
  fs::directory_iterator entry(folder, failure);
  for (; !failure && entry != fs::directory_iterator(); entry.increment(failure)) {
    std::error_code unknown;
    const fs::path& path = entry->path();
    if (path.extension() != kExtension || !entry->is_regular_file(unknown) ||
        entry->is_symlink(unknown)) {
      continue;
    }
    StoredFile file{.path = path, .last_used = {}};
    file.bytes = static_cast<std::int64_t>(entry->file_size(unknown));
    if (!unknown) file.last_used = entry->last_write_time(unknown);
    if (!unknown) files.push_back(std::move(file));
  }
  std::sort(files.begin(), files.end(), [](const StoredFile& one, const StoredFile& other) {
    return one.last_used > other.last_used;
  });
  return files;
}

// Deletes the least recently used files but `own` until `bytes` more fit the budget; false when
// they cannot.
bool make_room(const fs::path& folder, std::int64_t budget, std::int64_t bytes,
               const fs::path& own) {
  std::vector<StoredFile> files = files_in(folder);
  std::int64_t total = bytes;
  for (const StoredFile& file : files) total += file.bytes;
  for (; total > budget && !files.empty(); files.pop_back()) {
    const StoredFile& oldest = files.back();
    if (oldest.path == own || model::KvFile::is_being_written(oldest.path)) continue;
    std::error_code failure;
    if (fs::remove(oldest.path, failure)) total -= oldest.bytes;
  }
  return total <= budget;
}

class FolderStore final : public KvStore {
 public:
  explicit FolderStore(KvStoreOptions options) : options_(std::move(options)) {}

  std::unique_ptr<KeptReading> reading(const Model& model, std::string_view text_key,
                                       std::string_view text_name, ElementType kv_type) override {
    const model::LoadedModel& its = model::loaded(model, "a KvStore");
    model::check_kv_type(kv_type);
    model::KvIdentity identity;
    const char* form = kv_type == ElementType::i8 ? " in units " : " ";
    identity.hash = text::sha256_hex(its.fingerprint() + " " + std::string(name_of(kv_type)) +
                                     form + std::string(text_key));
    identity.text_name = text_name;
    identity.model_name = its.description().name;
    const fs::path path = options_.folder / (identity.hash.substr(0, kNameDigits) + kExtension);
    std::error_code ignored;  // a reading that is absent or read-only has no time of use
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return std::make_unique<model::KvReading>(
        path, std::move(identity), model::KvBlockLayout::of(its.hyperparameters(), kv_type),
        [folder = options_.folder, budget = options_.budget_bytes, path](std::int64_t bytes) {
          return make_room(folder, budget, bytes, path);
        });
  }

  std::vector<KeptReadingDescription> list() const override {
    std::vector<KeptReadingDescription> readings;
    for (const StoredFile& file : files_in(options_.folder)) {
      const auto summary = model::KvFile::summary(file.path);
      if (!summary) continue;
      readings.push_back({.file = file.path,
                          .text_name = summary->identity.text_name,
                          .model_name = summary->identity.model_name,
                          .tokens = summary->tokens,
                          .bytes = summary->bytes,
                          .last_used = std::chrono::file_clock::to_sys(file.last_used)});
    }
    return readings;
  }

  bool drop(const KeptReadingDescription& reading) override {
    if (reading.file.parent_path() != options_.folder || reading.file.extension() != kExtension) {
      throw Error(ErrorKind::invalid_argument,
                  reading.file.string() + " is no reading of " + options_.folder.string());
    }
    if (model::KvFile::is_being_written(reading.file)) return false;
    std::error_code failure;
    const bool is_gone = fs::remove(reading.file, failure);
    if (failure) {
      throw Error(ErrorKind::input_output,
                  "cannot delete " + reading.file.string() + ": " + failure.message());
    }
    return is_gone;
  }

  std::int64_t budget_bytes() const override { return options_.budget_bytes; }

 private:
  KvStoreOptions options_;
};

}  // namespace

std::shared_ptr<KvStore> KvStore::open(const KvStoreOptions& options) {
  if (options.folder.empty()) {
    throw Error(ErrorKind::invalid_argument, "a KvStore needs a folder");
  }
  if (options.budget_bytes < 0) {
    throw Error(ErrorKind::invalid_argument,
                "budget_bytes is " + std::to_string(options.budget_bytes) + "; wanted 0 or more");
  }
  return std::make_shared<FolderStore>(options);
}

}  // namespace whereof
