// The files of apps/page, which the build put into the program (embed_page.py).
#ifndef WHEREOF_SERVER_PAGE_FILES_H_
#define WHEREOF_SERVER_PAGE_FILES_H_

#include <span>
#include <string_view>

namespace whereof::server {

struct PageFile {
  std::string_view name;  // "index.html"
  std::string_view type;  // "text/html; charset=utf-8"
  std::string_view tag;   // an ETag, with its quotation marks: a digest of the bytes
  std::string_view bytes;
};

// Ascending by name.
std::span<const PageFile> page_files();

}  // namespace whereof::server

#endif  // WHEREOF_SERVER_PAGE_FILES_H_
