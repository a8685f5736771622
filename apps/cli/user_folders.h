// Where the program keeps its files, by the XDG base directory specification.
#ifndef WHEREOF_CLI_USER_FOLDERS_H_
#define WHEREOF_CLI_USER_FOLDERS_H_

#include <filesystem>
#include <optional>

namespace whereof::cli {

// $XDG_CACHE_HOME/whereof, else $HOME/.cache/whereof; std::nullopt when neither is set.
std::optional<std::filesystem::path> cache_folder();

}  // namespace whereof::cli

#endif  // WHEREOF_CLI_USER_FOLDERS_H_
