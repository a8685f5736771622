// E-mail (.eml, and web pages saved as .mhtml): who wrote to whom when about what, then the text.
// Of alternatives the last that can be read is taken, as mail programs do. Attachments that are
// text, HTML, DOCX, EPUB or mail are read behind it under a line that names them; others are named
// in a warning.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "document/readers/encoding.h"
#include "document/readers/flow_writer.h"
#include "document/readers/html.h"
#include "document/readers/html_flow.h"
#include "document/readers/mime.h"
#include "document/readers/reader.h"
#include "text/ascii_case.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

class EmailReader {
 public:
  EmailReader(const ReadLimits& limits, Document& document)
      : limits_(limits),
        document_(document),
        writer_(document, limits, false),
        flow_(document, writer_) {}

  void read(std::string_view bytes) {
    read_message(bytes, 0);
    writer_.finish();
    if (!unread_.empty()) document_.report.warnings.push_back("attachments not read: " + unread_);
  }

 private:
  void read_message(std::string_view entity, std::size_t depth) {
    const MimePart message = mime_part(entity);
    for (const char* name : {"From", "To", "Cc", "Date", "Subject"}) {
      const std::string value = mime_words(message.header(text::ascii_lower(name)));
      if (!value.empty()) write_line(name + (": " + value));
    }
    writer_.end_paragraph();
    read_part(message, depth);
  }

  void read_part(const MimePart& part, std::size_t depth) {
    if (++parts_ > kMimeParts || depth > kMimeDepth) {
      throw Error(ErrorKind::bad_document,
                  document_.name + ": more than " + std::to_string(kMimeParts) + " parts, or " +
                      std::to_string(kMimeDepth) + " of them in one another");
    }
    const MimeValue type = part.content_type();
    if (type.value.starts_with("multipart/")) {
      read_children(mime_children(part.body, type.parameter("boundary")), type.value, depth);
    } else if (type.value == "message/rfc822") {
      const std::string inner = part.decoded_body();
      note_attachment(part.file_name().empty() ? "a message" : part.file_name());
      read_message(inner, depth + 1);
    } else if (part.is_attachment() || !part.file_name().empty()) {
      read_attachment(part, type);
    } else if (!read_text(part.decoded_body(), type)) {
      note_unread(type.value);
    }
  }

  void read_children(const std::vector<std::string_view>& entities, const std::string& type,
                     std::size_t depth) {
    std::vector<MimePart> children;
    for (const std::string_view entity : entities) {
      children.push_back(mime_part(entity));
      if (children.size() > kMimeParts) break;  // read_part says so
    }
    if (type == "multipart/alternative") {
      for (std::size_t i = children.size(); i-- > 0;) {
        if (i == 0 || can_read(children[i])) return read_part(children[i], depth + 1);
      }
    }
    const bool is_page = type == "multipart/related";  // a page, then its pictures and styles
    for (std::size_t i = 0; i < children.size(); ++i) {
      if (!is_page || i == 0) read_part(children[i], depth + 1);
    }
  }

  static bool can_read(const MimePart& part) {
    const std::string type = part.content_type().value;
    return type.starts_with("multipart/") || type == "text/html" || type == "text/plain";
  }

  // False when it is neither HTML nor plain text.
  bool read_text(const std::string& body, const MimeValue& type) {
    const std::string_view charset = type.parameter("charset");
    const bool is_html = type.value == "text/html" || type.value == "application/xhtml+xml";
    if (!is_html && type.value != "text/plain" && type.value != "text/markdown") return false;
    const std::string declared =
        charset.empty() && is_html ? declared_html_encoding(body) : std::string(charset);
    const std::string utf8 = decode_text(body, document_.name, declared).utf8;
    if (is_html) {
      flow_.read(utf8, HtmlSyntax::html);
    } else {
      write_lines(utf8);
    }
    return true;
  }

  void read_attachment(const MimePart& part, const MimeValue& type) {
    const std::string name = part.file_name().empty() ? type.value : part.file_name();
    const std::string body = part.decoded_body();
    std::optional<DocumentType> kind;
    try {
      kind = document_type(name, std::string_view(body).substr(0, 4096));
    } catch (const Error&) {  // a picture, a program
    }
    if (!kind || *kind == DocumentType::pdf) return note_unread(name);
    Document attached;
    attached.name = document_.name + ": " + name;
    attached.type = *kind;
    try {
      read_attached(body, attached);
    } catch (const Error& error) {
      document_.report.warnings.push_back(error.what());
      return note_unread(name);
    }
    note_attachment(name);
    writer_.add_lines(attached);
    document_.report.hidden_characters += attached.report.hidden_characters;
    document_.report.stripped_characters += attached.report.stripped_characters;
  }

  void read_attached(std::string_view body, Document& attached) {
    switch (attached.type) {
      case DocumentType::docx:
        return read_docx(body, limits_, {}, attached);
      case DocumentType::epub:
        return read_epub(body, limits_, {}, attached);
      case DocumentType::html:
        return read_html(body, limits_, attached);
      case DocumentType::text:
      case DocumentType::markdown:
        return read_plain(body, limits_, attached);
      case DocumentType::email:
      case DocumentType::pdf:
        break;
    }
    throw Error(ErrorKind::bad_document, attached.name + ": not read inside of an e-mail");
  }

  void note_attachment(const std::string& name) {
    writer_.end_paragraph();
    write_line("[" + name + "]");
    writer_.end_paragraph();
  }

  void note_unread(const std::string& name) { unread_ += (unread_.empty() ? "" : ", ") + name; }

  void write_line(const std::string& utf8) {
    write_lines(utf8);
    writer_.break_line();
  }

  void write_lines(std::string_view utf8) {
    FlowWriter::Look look;
    look.keeps_spaces = true;
    for (std::size_t at = 0; at < utf8.size();) {
      const text::CodePoint point = text::decode_at(utf8, at);
      writer_.add(point.value, -1, look);
      at += static_cast<std::size_t>(point.bytes);
    }
  }

  const ReadLimits& limits_;
  Document& document_;
  FlowWriter writer_;
  HtmlFlow flow_;
  std::size_t parts_ = 0;
  std::string unread_;
};

}  // namespace

void read_email(std::string_view bytes, const ReadLimits& limits, Document& document) {
  EmailReader(limits, document).read(bytes);
  require_text(document, bytes.size());
  finish_warnings(document);
}

}  // namespace whereof::document
