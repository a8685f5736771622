// Where readings are kept.
#ifndef WHEREOF_CLI_KEPT_FOLDER_H_
#define WHEREOF_CLI_KEPT_FOLDER_H_

#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "whereof/kv_store.h"

namespace whereof::cli {

struct KeptArguments {
  std::string folder;
  double budget_gib = 8;
  bool is_off = false;
};

// --kept, --kept-gib and, where it can be left, --no-keep.
void add_kept_options(CLI::App& command, KeptArguments& arguments, bool can_be_off);

// --kv.
void add_kv_option(CLI::App& command, ElementType& kv_type);

// In --kept, else $WHEREOF_KEPT, else the cache folder's kept/. Null when it is off, or when there
// is no such folder.
std::shared_ptr<KvStore> kept_store(const KeptArguments& arguments);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_KEPT_FOLDER_H_
