// The library of documents that the apps share.
#ifndef WHEREOF_WORKSPACE_LIBRARY_FILE_H_
#define WHEREOF_WORKSPACE_LIBRARY_FILE_H_

#include <memory>
#include <string>

#include "whereof/retrieval.h"

namespace whereof::workspace {

// Opens the library in this file, or the user's own when it is empty.
std::unique_ptr<Library> open_library(const std::string& file);

}  // namespace whereof::workspace

#endif  // WHEREOF_WORKSPACE_LIBRARY_FILE_H_
