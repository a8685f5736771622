// The zip package of a DOCX file, read in memory under limits of our own.
#ifndef WHEREOF_DOCUMENT_READERS_DOCX_PACKAGE_H_
#define WHEREOF_DOCUMENT_READERS_DOCX_PACKAGE_H_

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

// What an element is called without its namespace prefix: "p" for w:p.
std::string_view local_name(const pugi::xml_node& node);
// The attribute with this local name; empty when absent.
std::string_view attribute(const pugi::xml_node& node, std::string_view name);
// The first child element with this local name.
pugi::xml_node child(const pugi::xml_node& node, std::string_view name);
// attribute "val" of that child; empty when absent.
std::string_view child_value(const pugi::xml_node& node, std::string_view name);
// A decimal number, or nothing.
std::optional<int> to_int(std::string_view text);

class DocxPackage {
 public:
  // Throws Error(bad_document): no zip archive, too many entries, encrypted.
  DocxPackage(std::string_view bytes, const ReadLimits& limits, const std::string& name);

  // Parses a part into `xml`; false when the package has no such part. Inflating stops at the
  // limits whatever the package says of its sizes. Throws Error(bad_document): broken, too large,
  // too deep, not well-formed, or with a document type definition.
  bool parse(const std::string& part, pugi::xml_document& xml);

  // The part that a relationship of `source` ("" for the package) with a type that ends in
  // "/`type`" points to; empty when there is none. External targets are never followed.
  std::string target(const std::string& source, std::string_view type);

 private:
  struct Discard {
    void operator()(zip_t* archive) const { zip_discard(archive); }
  };

  std::optional<std::string> inflate(const std::string& part);

  [[noreturn]] void refuse(const std::string& what) const;

  std::unique_ptr<zip_t, Discard> archive_;
  std::int64_t inflated_limit_;
  std::int64_t inflated_ = 0;
  std::string name_;
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_DOCX_PACKAGE_H_
