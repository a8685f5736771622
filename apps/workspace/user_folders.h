// Where the program keeps its files, by the XDG base directory specification.
#ifndef WHEREOF_WORKSPACE_USER_FOLDERS_H_
#define WHEREOF_WORKSPACE_USER_FOLDERS_H_

#include <filesystem>
#include <optional>

namespace whereof::workspace {

// $XDG_CACHE_HOME/whereof, else $HOME/.cache/whereof; std::nullopt when neither is set.
std::optional<std::filesystem::path> cache_folder();

}  // namespace whereof::workspace

#endif  // WHEREOF_WORKSPACE_USER_FOLDERS_H_
