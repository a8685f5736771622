// A KeptReading and what Context asks of it.
#ifndef WHEREOF_MODEL_KV_READING_H_
#define WHEREOF_MODEL_KV_READING_H_

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

#include "model/kv_cache.h"
#include "model/kv_file.h"
#include "whereof/kv_store.h"
#include "whereof/span.h"

namespace whereof::model {

class KvReading final : public KeptReading {
 public:
  // make_room(bytes) is asked before the file grows by so much; false: nothing more is kept.
  KvReading(std::filesystem::path path, KvIdentity identity, KvBlockLayout layout,
            std::function<bool(std::int64_t bytes)> make_room);

  std::int64_t length() const override;
  std::int64_t matching(std::span<const TokenId> tokens) const override;
  const std::string& trouble() const override { return file_.trouble(); }
  bool fits(const KvBlockLayout& layout) const noexcept { return file_.layout() == layout; }

  // Copies keys and values of this part of the tokens, or of as many from its begin on as are kept
  // whole after the same tokens, to positions at, at + 1, ... of the cache, as they were kept;
  // returns how many.
  std::int64_t restore(std::span<const TokenId> tokens, Span part, KvCache& cache, std::int64_t at);
  // Keeps positions [length(), tokens.size()) of the cache, or as many as the disk takes, in whole
  // blocks; with the last, short one where is_last is set. tokens are all from position 0.
  void keep(std::span<const TokenId> tokens, const KvCache& cache, bool is_last);

 private:
  KvFile file_;
  std::function<bool(std::int64_t bytes)> make_room_;
};

// The reading behind the public handle; Error(invalid_argument) for one of another making, or of
// another model's shape or element type.
KvReading& kv_reading_of(KeptReading& kept, const KvBlockLayout& layout);

}  // namespace whereof::model

#endif  // WHEREOF_MODEL_KV_READING_H_
