// The package of a DOCX file: its parts are found by relationships.
#ifndef WHEREOF_DOCUMENT_READERS_DOCX_PACKAGE_H_
#define WHEREOF_DOCUMENT_READERS_DOCX_PACKAGE_H_

#include <string>
#include <string_view>

#include "document/readers/xml_nodes.h"
#include "document/readers/zip_package.h"

namespace whereof::document {

class DocxPackage : public ZipPackage {
 public:
  DocxPackage(std::string_view bytes, const ReadLimits& limits, const std::string& name)
      : ZipPackage(bytes, limits, name, "DOCX") {}

  // The part that a relationship of `source` ("" for the package) with a type that ends in
  // "/`type`" points to; empty when there is none. External targets are never followed.
  std::string target(const std::string& source, std::string_view type);
};

}  // namespace whereof::document

#endif  // WHEREOF_DOCUMENT_READERS_DOCX_PACKAGE_H_
