// The options that say where readings are kept, and how.
#ifndef WHEREOF_CLI_KEPT_FOLDER_H_
#define WHEREOF_CLI_KEPT_FOLDER_H_

#include <CLI/CLI.hpp>

#include "workspace/kept_store.h"

namespace whereof::cli {

// --kept, --kept-gib and, where it can be left, --no-keep.
void add_kept_options(CLI::App& command, workspace::KeptPlace& kept, bool can_be_off);

// --kv.
void add_kv_option(CLI::App& command, ElementType& kv_type);

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_KEPT_FOLDER_H_
