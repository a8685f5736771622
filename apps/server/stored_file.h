// A file that a client sent, as it lies in the library's folder: FOLDER/HASH/content.pdf beside
// FOLDER/HASH/about.json. Only the hash and the ending of the client's name are in a path.
#ifndef WHEREOF_SERVER_STORED_FILE_H_
#define WHEREOF_SERVER_STORED_FILE_H_

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "exchange.h"
#include "whereof/document.h"

namespace whereof::server {

enum class FileStatus { processing, processed, error };

struct StoredFile {
  std::string content_hash;
  std::string file_name;  // safe_file_name of what the client said
  std::string purpose;
  std::int64_t bytes = 0;
  std::int64_t created_at = 0;  // Unix seconds
  FileStatus status = FileStatus::processing;
  std::string status_details;  // what went wrong
  Json report;                 // {"type", "pages", ...} once it was read; else null
  std::filesystem::path content;
};

// {"type", "pages", "characters", "pages_without_text", "pages_recognized", "warnings"}
Json report_json(const Document& document);
// As the routes answer it.
Json file_json(const StoredFile& file);

// What a client sent, on the disk with its about.json in a folder of its own, which goes away with
// this object unless it was placed: so a file is whole or absent. Throws Error: out_of_space,
// input_output.
class FreshFile {
 public:
  // Fills file.content_hash and file.content. Any thread.
  FreshFile(const std::filesystem::path& folder, std::string_view content, StoredFile& file);
  ~FreshFile();
  FreshFile(const FreshFile&) = delete;
  FreshFile& operator=(const FreshFile&) = delete;
  // Moves it to its place. False where a file of the same bytes is there already, which stays as it
  // is: what is known of its reading is then filled in `file`. Not beside delete_file.
  bool place(StoredFile& file) const;

 private:
  bool move_to(const std::filesystem::path& place) const;

  const std::filesystem::path folder_;
  std::filesystem::path path_;
};
// Replaces about.json; one at a time for a file.
void rewrite_about(const StoredFile& file);
// Those that are whole; what an earlier process left half done is deleted.
std::vector<StoredFile> stored_files(const std::filesystem::path& folder);
// Gone at once for stored_files, also when the process dies amid it.
void delete_file(const std::filesystem::path& folder, const StoredFile& file);

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_STORED_FILE_H_
