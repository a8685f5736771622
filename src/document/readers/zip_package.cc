#include "document/readers/zip_package.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "whereof/error.h"

namespace whereof::document {
namespace {

constexpr std::int64_t kRatioFreeBytes = 1 << 20;

struct CloseFile {
  void operator()(zip_file_t* file) const { zip_fclose(file); }
};

// Depth and number of nodes; iterative, as pugixml's walker is.
class Measure : public pugi::xml_tree_walker {
 public:
  bool for_each(pugi::xml_node& node) override {
    ++nodes;
    has_type_definition = has_type_definition || node.type() == pugi::node_doctype;
    deepest = std::max<std::int64_t>(deepest, depth() + 1);
    return nodes <= kXmlNodes && deepest <= kXmlDepth && !has_type_definition;
  }
  std::int64_t nodes = 0;
  std::int64_t deepest = 0;
  bool has_type_definition = false;
};

}  // namespace

// "word/a/../b.xml" -> "word/b.xml"; no leading slash; ".." never leaves the package.
std::string normalized_path(const std::string& path) {
  std::vector<std::string> parts;
  std::string part;
  for (std::size_t i = 0; i <= path.size(); ++i) {
    if (i < path.size() && path[i] != '/') {
      part += path[i];
      continue;
    }
    if (part == "..") {
      if (!parts.empty()) parts.pop_back();
    } else if (!part.empty() && part != ".") {
      parts.push_back(part);
    }
    part.clear();
  }
  std::string joined;
  for (const std::string& each : parts) joined += (joined.empty() ? "" : "/") + each;
  return joined;
}

ZipPackage::ZipPackage(std::string_view bytes, const ReadLimits& limits, const std::string& name,
                       std::string type)
    : inflated_limit_(limits.inflated_bytes), name_(name), type_(std::move(type)) {
  zip_error_t error;
  zip_error_init(&error);
  zip_source_t* source = zip_source_buffer_create(bytes.data(), bytes.size(), 0, &error);
  zip_t* archive = source == nullptr ? nullptr : zip_open_from_source(source, ZIP_RDONLY, &error);
  if (archive == nullptr) {
    if (source != nullptr) zip_source_free(source);
    const std::string reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    refuse("a broken " + type_ + ": " + reason);
  }
  zip_error_fini(&error);
  archive_.reset(archive);
  const std::int64_t entries = zip_get_num_entries(archive, 0);
  if (entries > kZipEntries) {
    refuse("a package of " + std::to_string(entries) + " files; the limit is " +
           std::to_string(kZipEntries));
  }
}

void ZipPackage::refuse(const std::string& what) const {
  throw Error(ErrorKind::bad_document, name_ + ": " + what);
}

std::optional<std::string> ZipPackage::inflate(const std::string& part) {
  const zip_int64_t index = zip_name_locate(archive_.get(), part.c_str(), ZIP_FL_NOCASE);
  if (index < 0) return std::nullopt;
  zip_stat_t status;
  zip_stat_init(&status);
  if (zip_stat_index(archive_.get(), static_cast<zip_uint64_t>(index), 0, &status) != 0) {
    refuse("a broken " + type_ + ": no size of " + part);
  }
  if ((status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE) {
    refuse("an encrypted " + type_ + " that needs a password; nothing was read");
  }
  const auto stored = static_cast<std::int64_t>(status.comp_size);
  const std::unique_ptr<zip_file_t, CloseFile> file(
      zip_fopen_index(archive_.get(), static_cast<zip_uint64_t>(index), 0));
  if (!file) refuse("a broken " + type_ + ": " + part + " cannot be opened");
  std::string content;
  std::array<char, 1 << 16> chunk;
  while (true) {
    const zip_int64_t got = zip_fread(file.get(), chunk.data(), chunk.size());
    if (got < 0) refuse("a broken " + type_ + ": " + part + " cannot be inflated");
    if (got == 0) return content;
    inflated_ += got;
    content.append(chunk.data(), static_cast<std::size_t>(got));
    if (inflated_ > inflated_limit_) {
      refuse("more than " + std::to_string(inflated_limit_) + " bytes when inflated");
    }
    const auto length = static_cast<std::int64_t>(content.size());
    if (length > kRatioFreeBytes && length / kZipRatio > stored) {
      refuse(part + " inflates to more than " + std::to_string(kZipRatio) + " times its " +
             std::to_string(stored) + " bytes");
    }
  }
}

bool ZipPackage::parse(const std::string& part, pugi::xml_document& xml) {
  const std::optional<std::string> content = inflate(part);
  if (!content) return false;
  // Every node begins with '<' or ends at one: bounds the parser's memory before it starts.
  const auto marks = std::count(content->begin(), content->end(), '<');
  if (marks > 2 * kXmlNodes) {
    refuse(part + " has more than " + std::to_string(kXmlNodes) + " XML nodes");
  }
  const pugi::xml_parse_result result =
      xml.load_buffer(content->data(), content->size(),
                      pugi::parse_cdata | pugi::parse_escapes | pugi::parse_wconv_attribute |
                          pugi::parse_eol | pugi::parse_ws_pcdata_single | pugi::parse_doctype);
  Measure measure;
  xml.traverse(measure);
  if (measure.has_type_definition) refuse(part + " has a document type definition");
  if (measure.deepest > kXmlDepth) {
    refuse(part + " is nested deeper than " + std::to_string(kXmlDepth) + " levels");
  }
  if (measure.nodes > kXmlNodes) {
    refuse(part + " has more than " + std::to_string(kXmlNodes) + " XML nodes");
  }
  if (!result) {
    refuse("a broken " + type_ + ": " + part + " is no well-formed XML at byte " +
           std::to_string(result.offset) + " (" + result.description() + ")");
  }
  return true;
}

}  // namespace whereof::document
