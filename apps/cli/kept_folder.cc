#include "kept_folder.h"

#include <string>

namespace whereof::cli {

void add_kept_options(CLI::App& command, workspace::KeptPlace& kept, bool can_be_off) {
  command.add_option("--kept", kept.folder,
                     "Folder where readings are kept instead of the user's own");
  command
      .add_option("--kept-gib", kept.budget_gib,
                  "Most that is kept; the least recently used make room")
      ->check(CLI::Range(0.0, 1e6))
      ->capture_default_str();
  if (can_be_off) {
    command.add_flag("--no-keep", kept.is_off, "Neither keep what is read nor take what was kept");
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

}  // namespace whereof::cli
