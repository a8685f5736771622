// What a model has read is kept on disk: keys and values of a document, so that the next question
// does not read it again.
//
// A reading is a file of its own in the store's folder, found by the model, the text and the way it
// was put to the model. It holds token ids beside their keys and values, in blocks with checksums:
// what is taken from it are the blocks whose tokens are those that are to be read, so a stale or
// foreign file costs nothing but the reading. A block is written once its tokens are read; a killed
// process loses the block it was at. One process writes to a reading at a time, others use what is
// there.
#ifndef WHEREOF_KV_STORE_H_
#define WHEREOF_KV_STORE_H_

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/model.h"

namespace whereof {

// One reading, open. Not thread-safe. Given to Context::read by ReadOptions::kept.
class KeptReading {
 public:
  virtual ~KeptReading() = default;
  virtual std::int64_t length() const = 0;  // tokens kept
  // How many first tokens of these are kept.
  virtual std::int64_t matching(std::span<const TokenId> tokens) const = 0;
  // Why nothing more is kept, in one line: a full disk, another process that writes, a budget that
  // is too small, a file that cannot be opened. Empty while all is well. Reading goes on without.
  virtual const std::string& trouble() const = 0;
};

struct KeptReadingDescription {
  std::filesystem::path file;
  std::string text_name;   // as given to KvStore::reading
  std::string model_name;  // ModelDescription::name
  std::int64_t tokens = 0;
  std::int64_t bytes = 0;
  std::chrono::system_clock::time_point last_used;
};

struct KvStoreOptions {
  std::filesystem::path folder;                       // made when something is first kept
  std::int64_t budget_bytes = std::int64_t{8} << 30;  // the least recently used make room
};

// Safe to use from several threads and processes.
class KvStore {
 public:
  // Throws Error(invalid_argument) for a negative budget or an empty folder name; touches no file.
  static std::shared_ptr<KvStore> open(const KvStoreOptions& options);
  virtual ~KvStore() = default;

  // The reading of this text with this model, empty when there is none. text_key tells texts and
  // the ways they are put to a model apart, text_name is for people. kv_type is that of the
  // contexts which use it (ContextOptions::kv_type): readings of bf16 and of i8 are two. Never
  // throws for the state of the disk: see KeptReading::trouble.
  virtual std::unique_ptr<KeptReading> reading(const Model& model, std::string_view text_key,
                                               std::string_view text_name,
                                               ElementType kv_type = ElementType::bf16) = 0;

  // Most recently used first; files that are no readings are left out.
  virtual std::vector<KeptReadingDescription> list() const = 0;
  // Deletes a reading that list() named; false when it is gone or being written. Throws
  // Error(input_output) when it cannot be deleted.
  virtual bool drop(const KeptReadingDescription& reading) = 0;
  virtual std::int64_t budget_bytes() const = 0;
};

}  // namespace whereof

#endif  // WHEREOF_KV_STORE_H_
