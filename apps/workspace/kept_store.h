// Where readings are kept.
#ifndef WHEREOF_WORKSPACE_KEPT_STORE_H_
#define WHEREOF_WORKSPACE_KEPT_STORE_H_

#include <memory>
#include <string>

#include "whereof/kv_store.h"

namespace whereof::workspace {

struct KeptPlace {
  std::string folder;  // empty: $WHEREOF_KEPT, else the cache folder's kept/
  double budget_gib = 8;
  bool is_off = false;
};

// Null when it is off, or when there is no such folder. Throws what KvStore::open throws.
std::shared_ptr<KvStore> kept_store(const KeptPlace& place);

}  // namespace whereof::workspace

#endif  // WHEREOF_WORKSPACE_KEPT_STORE_H_
