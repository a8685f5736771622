#include "workspace/user_folders.h"

#include <cstdlib>

namespace whereof::workspace {

std::optional<std::filesystem::path> cache_folder() {
  const char* xdg = std::getenv("XDG_CACHE_HOME");
  if (xdg != nullptr && *xdg == '/') return std::filesystem::path(xdg) / "whereof";
  const char* home = std::getenv("HOME");
  if (home != nullptr && *home == '/') return std::filesystem::path(home) / ".cache" / "whereof";
  return std::nullopt;
}

}  // namespace whereof::workspace
