#include "kept_folder.h"

#include <cstdlib>
#include <string>

#include "user_folders.h"

namespace whereof::cli {

void add_kept_options(CLI::App& command, KeptArguments& arguments, bool can_be_off) {
  command.add_option("--kept", arguments.folder,
                     "Folder where readings are kept instead of the user's own");
  command
      .add_option("--kept-gib", arguments.budget_gib,
                  "Most that is kept; the least recently used make room")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  if (can_be_off) {
    command.add_flag("--no-keep", arguments.is_off,
                     "Neither keep what is read nor take what was kept");
  }
}

void add_kv_option(CLI::App& command, ElementType& kv_type) {
  command
      .add_option_function<std::string>(
          "--kv",
          [&kv_type](const std::string& name) {
            kv_type = name == "int8" ? ElementType::i8 : ElementType::bf16;
          },
          "Keys and values, in memory and kept: bf16, or int8, which takes about half")
      ->check(CLI::IsMember({"bf16", "int8"}))
      ->default_str("bf16");
}

std::shared_ptr<KvStore> kept_store(const KeptArguments& arguments) {
  if (arguments.is_off) return nullptr;
  KvStoreOptions options;
  options.budget_bytes = static_cast<std::int64_t>(arguments.budget_gib * 1024 * 1024 * 1024);
  const char* from_environment = std::getenv("WHEREOF_KEPT");
  if (!arguments.folder.empty()) {
    options.folder = arguments.folder;
  } else if (from_environment != nullptr && *from_environment != '\0') {
    options.folder = from_environment;
  } else if (const auto cache = cache_folder()) {
    options.folder = *cache / "kept";
  } else {
    return nullptr;
  }
  return KvStore::open(options);
}

}  // namespace whereof::cli
