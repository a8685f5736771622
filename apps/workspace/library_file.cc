#include "workspace/library_file.h"

#include <filesystem>

namespace whereof::workspace {

std::unique_ptr<Library> open_library(const std::string& file) {
  return Library::open(file.empty() ? Library::default_path() : std::filesystem::path(file));
}

}  // namespace whereof::workspace
