// The type of a file: its first bytes decide where they can, its name where they cannot.
#include <algorithm>
#include <array>
#include <string>

#include "text/ascii_case.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

struct Signature {
  std::string_view bytes;
  std::string_view type;
};

// What people hand over by mistake; named, so that the message helps.
constexpr std::array<Signature, 12> kRefused = {{
    {"\xD0\xCF\x11\xE0", "an old Word, Excel or other OLE file; save it as DOCX or PDF"},
    {"{\\rtf", "an RTF file; save it as DOCX or PDF"},
    {"%!PS", "a PostScript file; convert it to PDF"},
    {"\x89PNG", "a PNG picture, without text"},
    {"\xFF\xD8\xFF", "a JPEG picture, without text"},
    {"GIF8", "a GIF picture, without text"},
    {"II*", "a TIFF picture, without text"},
    {"MM", "a TIFF picture, without text"},
    {"\x1F\x8B", "a gzip archive; unpack it first"},
    {"\x7F"
     "ELF",
     "a program"},
    {"GGUF", "a model, not a document"},
    {"SQLite format 3", "a database"},
}};

std::string lower_extension(const std::filesystem::path& path) {
  return text::ascii_lower(path.extension().string());
}

bool has_utf16_mark(std::string_view bytes) {
  return bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF");
}

// Text has no NUL bytes but in UTF-16, where every second byte of Latin text is one.
bool looks_like_text(std::string_view bytes) {
  if (has_utf16_mark(bytes)) return true;
  std::array<std::size_t, 2> nulls = {0, 0};
  std::size_t controls = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const auto c = static_cast<unsigned char>(bytes[i]);
    if (c == 0) ++nulls[i % 2];
    if (c < 32 && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != 0 && c != 0x1A) {
      ++controls;
    }
  }
  if (controls * 50 > bytes.size()) return false;
  if (nulls[0] + nulls[1] == 0) return true;
  const std::size_t most = std::max(nulls[0], nulls[1]);
  const std::size_t least = std::min(nulls[0], nulls[1]);
  return most * 4 > bytes.size() && least * 20 < bytes.size();
}

bool begins_with(std::string_view bytes, std::string_view lower_case) {
  return bytes.size() >= lower_case.size() &&
         std::equal(lower_case.begin(), lower_case.end(), bytes.begin(),
                    [](char wanted, char found) { return wanted == text::ascii_lower(found); });
}

// Past blanks, a byte order mark, comments, and an XML declaration.
std::string_view past_prologue(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
  while (true) {
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
    const bool is_comment = bytes.starts_with("<!--");
    if (!is_comment && !bytes.starts_with("<?xml")) return bytes;
    const std::string_view end = is_comment ? "-->" : ">";
    const std::size_t at = bytes.find(end);
    if (at == std::string_view::npos) return {};
    bytes.remove_prefix(at + end.size());
  }
}

bool looks_like_html(std::string_view bytes) {
  const std::string_view start = past_prologue(bytes);
  for (const std::string_view mark : {"<!doctype html", "<html", "<head", "<body", "<sec-document>",
                                      "<ims-document>", "<document>\n<type>"}) {
    if (begins_with(start, mark)) return true;
  }
  return false;
}

// Header lines from the first on, among them two that mail has.
bool looks_like_email(std::string_view bytes) {
  int marks = 0;
  for (std::size_t begin = 0; begin < bytes.size();) {
    const std::size_t end = std::min(bytes.find('\n', begin), bytes.size());
    const std::string_view line = bytes.substr(begin, end - begin);
    begin = end + 1;
    if (line.empty() || line == "\r") break;
    if (line[0] == ' ' || line[0] == '\t') continue;
    const std::size_t colon = line.find(':');
    const std::size_t blank = line.find(' ');
    if (colon == std::string_view::npos || blank < colon) return false;
    for (const std::string_view mark :
         {"mime-version:", "message-id:", "received:", "return-path:", "content-type:"}) {
      marks += begins_with(line, mark) ? 1 : 0;
    }
  }
  return marks >= 2;
}

}  // namespace

DocumentType document_type(const std::filesystem::path& path, std::string_view first_bytes) {
  const std::string name = path.filename().string();
  const std::string extension = lower_extension(path);
  if (first_bytes.starts_with("%PDF-")) return DocumentType::pdf;
  // Some writers put bytes in front of the mark or mangle it; PDFium finds the objects all the
  // same.
  if (extension == ".pdf" && (first_bytes.find("%PDF") != std::string_view::npos ||
                              first_bytes.find(" obj") != std::string_view::npos)) {
    return DocumentType::pdf;
  }
  if (first_bytes.starts_with("PK\x03\x04") || first_bytes.starts_with("PK\x05\x06")) {
    if (extension == ".epub" ||
        first_bytes.find("application/epub+zip") != std::string_view::npos) {
      return DocumentType::epub;
    }
    if (extension == ".docx" || extension == ".docm" || extension == ".dotx" ||
        first_bytes.find("word/") != std::string_view::npos ||
        first_bytes.find("[Content_Types].xml") != std::string_view::npos) {
      return DocumentType::docx;
    }
    throw Error(ErrorKind::bad_document, name + ": a zip archive that is neither DOCX nor EPUB");
  }
  for (const Signature& signature : kRefused) {
    const bool is_word = signature.bytes == "MM" || signature.bytes == "II*";
    if (!first_bytes.starts_with(signature.bytes)) continue;
    if (is_word && looks_like_text(first_bytes)) continue;
    throw Error(ErrorKind::bad_document, name + ": " + std::string(signature.type));
  }
  if (extension == ".pdf") {
    throw Error(ErrorKind::bad_document, name + ": named .pdf, but has no PDF header");
  }
  if (extension == ".docx" || extension == ".epub") {
    throw Error(ErrorKind::bad_document, name + ": named " + extension + ", but is no zip archive");
  }
  if (!looks_like_text(first_bytes)) {
    throw Error(
        ErrorKind::bad_document,
        name + ": of an unknown type; wanted PDF, DOCX, EPUB, HTML, e-mail, Markdown or text");
  }
  if (extension == ".eml" || extension == ".mht" || extension == ".mhtml" ||
      looks_like_email(first_bytes)) {
    return DocumentType::email;
  }
  if (extension == ".html" || extension == ".htm" || extension == ".xhtml" ||
      looks_like_html(first_bytes)) {
    return DocumentType::html;
  }
  if (extension == ".md" || extension == ".markdown") return DocumentType::markdown;
  return DocumentType::text;
}

}  // namespace whereof
