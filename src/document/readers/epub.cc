// EPUB: the pages of its spine one after another (EPUB 3.3, 5.7), each read as HTML. A book has no
// pages that stay; it is cited by clause. Pictures, fonts and scripts are never opened.
#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "document/readers/encoding.h"
#include "document/readers/flow_writer.h"
#include "document/readers/html.h"
#include "document/readers/html_flow.h"
#include "document/readers/reader.h"
#include "document/readers/xml_nodes.h"
#include "document/readers/zip_package.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

struct Item {
  std::string path;
  std::string type;
};

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "a%20b.xhtml#c" -> "a b.xhtml"
std::string path_of(std::string_view reference) {
  reference = reference.substr(0, reference.find('#'));
  std::string path;
  for (std::size_t i = 0; i < reference.size(); ++i) {
    const bool has_pair = reference.size() - i > 2;
    const int high = has_pair ? hexadecimal(reference[i + 1]) : -1;
    const int low = has_pair ? hexadecimal(reference[i + 2]) : -1;
    if (reference[i] == '%' && high >= 0 && low >= 0) {
      path.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      path.push_back(reference[i]);
    }
  }
  return path;
}

class EpubReader {
 public:
  EpubReader(std::string_view bytes, const ReadLimits& limits, Document& document)
      : package_(bytes, limits, document.name, "EPUB"),
        document_(document),
        writer_(document, limits, false),
        flow_(document, writer_) {}

  void read(const ReaderProgress& progress) {
    const std::vector<Item> spine = read_spine();
    refuse_protected(spine);
    std::int64_t done = 0;
    for (const Item& item : spine) {
      read_item(item);
      if (progress) progress(++done, static_cast<std::int64_t>(spine.size()));
    }
    writer_.finish();
    if (!unread_.empty()) document_.report.warnings.push_back("not read: " + unread_);
  }

 private:
  std::vector<Item> read_spine() {
    pugi::xml_document container, package;
    if (!package_.parse("META-INF/container.xml", container)) {
      package_.refuse("an EPUB without META-INF/container.xml");
    }
    const pugi::xml_node root = child(child(container.document_element(), "rootfiles"), "rootfile");
    const std::string path = normalized_path(path_of(attribute(root, "full-path")));
    if (!package_.parse(path, package)) {
      package_.refuse("an EPUB without its package document \"" + path + "\"");
    }
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "" : path.substr(0, slash + 1);
    std::map<std::string, Item, std::less<>> items;
    for (const auto& node : child(package.document_element(), "manifest").children()) {
      Item item;
      item.path = normalized_path(folder + path_of(attribute(node, "href")));
      item.type = attribute(node, "media-type");
      items.emplace(attribute(node, "id"), std::move(item));
    }
    std::vector<Item> spine;
    for (const auto& node : child(package.document_element(), "spine").children()) {
      if (local_name(node) != "itemref") continue;
      const auto item = items.find(attribute(node, "idref"));
      if (item != items.end()) spine.push_back(item->second);
    }
    if (spine.empty()) package_.refuse("an EPUB with no pages in its spine");
    return spine;
  }

  // Fonts may be scrambled; a page that is can't be read.
  void refuse_protected(const std::vector<Item>& spine) {
    pugi::xml_document encryption;
    if (!package_.parse("META-INF/encryption.xml", encryption)) return;
    for (const auto& data : encryption.document_element().children()) {
      const pugi::xml_node reference = child(child(data, "CipherData"), "CipherReference");
      const std::string path = normalized_path(path_of(attribute(reference, "URI")));
      const bool is_page = std::any_of(spine.begin(), spine.end(),
                                       [&](const Item& item) { return item.path == path; });
      if (is_page) package_.refuse("an EPUB whose pages are encrypted; nothing was read");
    }
  }

  void read_item(const Item& item) {
    const bool is_html =
        item.type == "application/xhtml+xml" || item.type == "text/html" || item.type.empty();
    const auto bytes = is_html ? package_.inflate(item.path) : std::nullopt;
    if (!bytes) {
      unread_ += (unread_.empty() ? "" : ", ") + item.path +
                 (is_html ? " (not in the package)" : " (" + item.type + ")");
      return;
    }
    const DecodedText decoded =
        decode_text(*bytes, document_.name + ": " + item.path, declared_html_encoding(*bytes));
    const bool is_html_only = item.type == "text/html";
    flow_.read(decoded.utf8, is_html_only ? HtmlSyntax::html : HtmlSyntax::xhtml);
  }

  ZipPackage package_;
  Document& document_;
  FlowWriter writer_;
  HtmlFlow flow_;
  std::string unread_;
};

}  // namespace

void read_epub(std::string_view bytes, const ReadLimits& limits, const ReaderProgress& progress,
               Document& document) {
  EpubReader(bytes, limits, document).read(progress);
  require_text(document, bytes.size());
  finish_warnings(document);
}

}  // namespace whereof::document
