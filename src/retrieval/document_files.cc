#include <algorithm>
#include <array>
#include <string>
#include <system_error>

#include "text/ascii_case.h"
#include "whereof/add_files.h"
#include "whereof/error.h"

namespace whereof {
namespace {

namespace fs = std::filesystem;

// What the readers read, by name; in a folder everything else is passed over.
constexpr std::array<std::string_view, 14> kEndings = {
    ".pdf",  ".docx", ".docm",  ".dotx", ".txt", ".text",     ".md",
    ".html", ".htm",  ".xhtml", ".epub", ".eml", ".markdown", ".mht"};

bool is_named_as_document(const fs::path& path) {
  if (path.filename().string().starts_with('.')) return false;
  const std::string ending = text::ascii_lower(path.extension().string());
  return std::find(kEndings.begin(), kEndings.end(), ending) != kEndings.end();
}

[[noreturn]] void fail(const fs::path& path, const std::error_code& failure) {
  const bool is_absent = failure == std::errc::no_such_file_or_directory;
  throw Error(is_absent ? ErrorKind::not_found : ErrorKind::input_output,
              path.string() + ": " + failure.message());
}

void walk(const fs::path& folder, std::vector<fs::path>& files) {
  std::error_code failure;
  auto at = fs::recursive_directory_iterator(folder, failure);
  for (; !failure && at != fs::recursive_directory_iterator(); at.increment(failure)) {
    if (at->is_directory(failure) && !failure) {
      if (at->path().filename().string().starts_with('.')) at.disable_recursion_pending();
      continue;
    }
    failure.clear();  // a link that leads nowhere is no document
    if (at->is_regular_file(failure) && is_named_as_document(at->path())) {
      files.push_back(at->path());
    }
    failure.clear();
  }
  if (failure) fail(folder, failure);
}

}  // namespace

std::vector<fs::path> document_files(std::span<const fs::path> places) {
  std::vector<fs::path> files;
  for (const fs::path& place : places) {
    std::error_code failure;
    const fs::path absolute = fs::absolute(place, failure).lexically_normal();
    const fs::file_status status = fs::status(absolute, failure);
    if (status.type() == fs::file_type::not_found) {
      fail(place, std::make_error_code(std::errc::no_such_file_or_directory));
    }
    if (failure) fail(place, failure);
    if (fs::is_directory(status)) {
      walk(absolute, files);
    } else {
      files.push_back(absolute);
    }
  }
  std::sort(files.begin(), files.end());
  files.erase(std::unique(files.begin(), files.end()), files.end());
  return files;
}

}  // namespace whereof
