#include "workspace/kept_store.h"

#include <cstdlib>

#include "workspace/user_folders.h"

namespace whereof::workspace {

std::shared_ptr<KvStore> kept_store(const KeptPlace& place) {
  if (place.is_off) return nullptr;
  KvStoreOptions options;
  options.budget_bytes = static_cast<std::int64_t>(place.budget_gib * 1024 * 1024 * 1024);
  const char* from_environment = std::getenv("WHEREOF_KEPT");
  if (!place.folder.empty()) {
    options.folder = place.folder;
  } else if (from_environment != nullptr && *from_environment != '\0') {
    options.folder = from_environment;
  } else if (const auto cache = cache_folder()) {
    options.folder = *cache / "kept";
  } else {
    return nullptr;
  }
  return KvStore::open(options);
}

}  // namespace whereof::workspace
