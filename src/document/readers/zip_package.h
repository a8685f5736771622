// A zip package of XML (DOCX, EPUB), read in memory under limits of our own.
#ifndef WHEREOF_DOCUMENT_READERS_ZIP_PACKAGE_H_
#define WHEREOF_DOCUMENT_READERS_ZIP_PACKAGE_H_

#include <zip.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "whereof/document.h"

namespace whereof::document {

constexpr std::int64_t kZipEntries = 2000;
constexpr std::int64_t kZipRatio = 200;  // inflated to stored, after the first MiB
constexpr std::int64_t kXmlDepth = 256;
constexpr std::int64_t kXmlNodes = 2'000'000;

// "word/a/../b.xml" -> "word/b.xml"; no leading slash; ".." never leaves the package.
std::string normalized_path(const std::string& path);

class ZipPackage {
 public:
  // type: "DOCX", for messages. Throws Error(bad_document): no zip archive, too many entries.
  ZipPackage(std::string_view bytes, const ReadLimits& limits, const std::string& name,
             std::string type);

  // The content of a part; nothing when the package has no such part. Inflating stops at the
  // limits whatever the package says of its sizes. Throws Error(bad_document): broken, encrypted,
  // too large.
  std::optional<std::string> inflate(const std::string& part);

  // Parses a part into `xml`; false when the package has no such part. Throws what inflate throws,
  // and Error(bad_document): too deep, too many nodes, not well-formed, or with a document type
  // definition.
  bool parse(const std::string& part, pugi::xml_document& xml);

  // Throws Error(bad_document) in the name of the file.
  [[noreturn]] void refuse(const std::string& what) const;

 private:
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };

  std::unique_ptr<zip_t, Discard> archive_;
  std::int64_t inflated_limit_;
  std::int64_t inflated_ = 0;
  std::string name_;
  std::string type_;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_ZIP_PACKAGE_H_
