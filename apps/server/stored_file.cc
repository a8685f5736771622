#include "stored_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>

#include "document_shelf.h"
#include "owned_descriptor.h"
#include "upload_file.h"
#include "whereof/error.h"

namespace whereof::server {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kHashDigits = 64;
constexpr std::size_t kEndingBytes = 8;
constexpr const char* kAbout = "about.json";

[[noreturn]] void fail(const std::string& what, int code) {
  const bool is_full = code == ENOSPC || code == EDQUOT || code == EFBIG;
  throw Error(is_full ? ErrorKind::out_of_space : ErrorKind::input_output,
              what + ": " + std::strerror(code));
}

std::string_view name_of(FileStatus status) {
  switch (status) {
    case FileStatus::processing:
      return "processing";
    case FileStatus::processed:
      return "processed";
    case FileStatus::error:
      return "error";
  }
  return "error";
}

// "content.pdf": readers tell types by endings; any other characters of it are dropped.
std::string content_name(const std::string& file_name) {
  const std::size_t dot = file_name.rfind('.');
  if (dot == std::string::npos) return "content";
  std::string ending;
  for (const char byte : file_name.substr(dot + 1)) {
    const char lower = byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte;
    const bool is_plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    if (!is_plain || ending.size() == kEndingBytes) return "content";
    ending += lower;
  }
  return ending.empty() ? "content" : "content." + ending;
}

void sync(int descriptor, const fs::path& path) {
  if (fsync(descriptor) != 0 && errno != EINVAL) fail("cannot keep " + path.string(), errno);
}

void sync_folder(const fs::path& folder) {
  const OwnedDescriptor opened(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!opened) fail("cannot open " + folder.string(), errno);
  sync(opened.get(), folder);
}

void write_file(const fs::path& path, std::string_view bytes) {
  const OwnedDescriptor file(open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
  if (!file) fail("cannot make " + path.string(), errno);
  append_to_upload(file, bytes);
  sync(file.get(), path);
}

std::string about_text(const StoredFile& file) {
  return dumped({{"file_name", file.file_name},
                 {"purpose", file.purpose},
                 {"bytes", file.bytes},
                 {"created_at", file.created_at},
                 {"status", name_of(file.status)},
                 {"status_details", file.status_details},
                 {"report", file.report},
                 {"content", file.content.filename().string()}});
}

void replace_about(const fs::path& folder, const StoredFile& file) {
  const fs::path fresh = folder / ".about.new";
  write_file(fresh, about_text(file));
  if (std::rename(fresh.c_str(), (folder / kAbout).c_str()) != 0) {
    fail("cannot replace " + (folder / kAbout).string(), errno);
  }
}

bool is_hash(const std::string& name) {
  return name.size() == kHashDigits &&
         name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

std::optional<StoredFile> stored_file(const fs::path& folder) {
  std::ifstream stream(folder / kAbout);
  const Json about = Json::parse(stream, nullptr, false);
  if (!about.is_object()) return std::nullopt;
  StoredFile file;
  try {
    file.file_name = about.at("file_name").get<std::string>();
    file.purpose = about.at("purpose").get<std::string>();
    file.bytes = about.at("bytes").get<std::int64_t>();
    file.created_at = about.at("created_at").get<std::int64_t>();
    const std::string status = about.at("status").get<std::string>();
    file.status = status == "processed" ? FileStatus::processed
                  : status == "error"   ? FileStatus::error
                                        : FileStatus::processing;
    file.status_details = about.at("status_details").get<std::string>();
    file.report = about.at("report");
    file.content = folder / fs::path(about.at("content").get<std::string>()).filename();
  } catch (const Json::exception&) {
    return std::nullopt;
  }
  file.content_hash = folder.filename().string();
  std::error_code failure;
  if (!fs::is_regular_file(file.content, failure)) return std::nullopt;
  return file;
}

}  // namespace

Json report_json(const Document& document) {
  const ReadingReport& report = document.report;
  return {{"type", name_of(document.type)},
          {"pages", report.pages},
          {"characters", report.characters},
          {"pages_without_text", report.pages_without_text},
          {"pages_recognized", report.pages_recognized},
          {"warnings", report.warnings}};
}

Json file_json(const StoredFile& file) {
  Json json = {
      {"id", id_of(file.content_hash)}, {"object", "file"},           {"bytes", file.bytes},
      {"created_at", file.created_at},  {"filename", file.file_name}, {"purpose", file.purpose},
      {"status", name_of(file.status)}};
  json["status_details"] = file.status_details.empty() ? Json(nullptr) : Json(file.status_details);
  json["whereof"] = file.report;
  return json;
}

FreshFile::FreshFile(const fs::path& folder, std::string_view content, StoredFile& file)
    : folder_(folder) {
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) fail("cannot make the folder " + folder.string(), failure.value());
  std::string pattern = (folder / ".new-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) fail("cannot make a folder in " + folder.string(), errno);
  path_ = pattern;
  try {
    const std::string name = content_name(file.file_name);
    write_file(path_ / name, content);
    const auto hash = content_hash_of_file(path_ / name);
    if (!hash) throw Error(ErrorKind::input_output, "cannot read an upload again");
    file.content_hash = *hash;
    file.content = folder / *hash / name;
    write_file(path_ / kAbout, about_text(file));
    sync_folder(path_);
  } catch (...) {
    fs::remove_all(path_, failure);
    throw;
  }
}

FreshFile::~FreshFile() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

bool FreshFile::place(StoredFile& file) const {
  const fs::path place = folder_ / file.content_hash;
  if (!move_to(place)) {
    if (const auto there = stored_file(place)) {
      file.content = there->content;
      file.created_at = there->created_at;
      file.status = there->status;
      file.status_details = there->status_details;
      file.report = there->report;
      return false;
    }
    // Half of a file lies there: the fresh one takes its place.
    std::error_code failure;
    fs::remove_all(place, failure);
    if (!move_to(place)) fail("cannot make " + file.content.string(), EEXIST);
  }
  sync_folder(folder_);
  return true;
}

// False where a folder that holds files stands there already.
bool FreshFile::move_to(const fs::path& place) const {
  if (std::rename(path_.c_str(), place.c_str()) == 0) return true;
  if (errno == ENOTEMPTY || errno == EEXIST) return false;
  fail("cannot make " + place.string(), errno);
}

void rewrite_about(const StoredFile& file) {
  const fs::path folder = file.content.parent_path();
  replace_about(folder, file);
  sync_folder(folder);
}

std::vector<StoredFile> stored_files(const fs::path& folder) {
  std::vector<StoredFile> files;
  std::error_code failure;
  std::vector<fs::path> places;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, failure)) {
    places.push_back(entry.path());
  }
  for (const fs::path& place : places) {
    const std::string name = place.filename().string();
    if (name.starts_with(".new-") || name.starts_with(".old-")) fs::remove_all(place, failure);
    if (!is_hash(name)) continue;
    if (auto file = stored_file(place)) files.push_back(std::move(*file));
  }
  std::sort(files.begin(), files.end(), [](const StoredFile& a, const StoredFile& b) {
    return std::tie(a.created_at, a.content_hash) < std::tie(b.created_at, b.content_hash);
  });
  return files;
}

void delete_file(const fs::path& folder, const StoredFile& file) {
  const fs::path gone = folder / (".old-" + file.content_hash);
  std::error_code failure;
  fs::remove_all(gone, failure);
  if (std::rename((folder / file.content_hash).c_str(), gone.c_str()) != 0 && errno != ENOENT) {
    fail("cannot delete " + (folder / file.content_hash).string(), errno);
  }
  sync_folder(folder);
  fs::remove_all(gone, failure);
}

}  // namespace whereof::server
