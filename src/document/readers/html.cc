// HTML files, and the SGML files in which the SEC publishes filings (sec_filing.h).
#include "document/readers/html.h"

#include <string>
#include <utility>

#include "document/readers/encoding.h"
#include "document/readers/flow_writer.h"
#include "document/readers/html_flow.h"
#include "document/readers/html_tokenizer.h"
#include "document/readers/reader.h"
#include "document/readers/sec_filing.h"
#include "text/utf8.h"
#include "whereof/error.h"

namespace whereof::document {
namespace {

constexpr std::size_t kHeadBytes = 4096;  // where a page says what its encoding is

std::string_view quoted_value_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return {};
  const std::size_t begin = text.find_first_not_of("= \"'", at + mark.size());
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_first_of("\"'; \t\r\n?>", begin) - begin);
}

void read_filing(std::string_view utf8, const SecFiling& filing, HtmlFlow& flow, FlowWriter& writer,
                 Document& document) {
  std::string left_out;
  std::int64_t place = 0;
  std::size_t counted = 0;
  for (const SecPart& part : filing.parts) {
    const auto begin = static_cast<std::size_t>(part.text.data() - utf8.data());
    place += text::count_code_points(utf8.substr(counted, begin - counted));
    counted = begin;
    if (part.kind == SecPart::Kind::html) {
      flow.read(part.text, HtmlSyntax::html, place);
    } else if (part.kind == SecPart::Kind::text) {
      write_filed_text(part.text, place, writer);
    } else {
      left_out += (left_out.empty() ? "" : ", ") + part.name;
    }
    writer.end_page();
  }
  if (!left_out.empty()) {
    document.report.warnings.push_back("parts of the filing that are no text were not read: " +
                                       left_out);
  }
}

}  // namespace

std::string declared_html_encoding(std::string_view bytes) {
  const std::string_view head = bytes.substr(0, kHeadBytes);
  if (head.starts_with("<?xml")) {
    return std::string(quoted_value_after(head.substr(0, head.find('>')), "encoding"));
  }
  HtmlTokenizer tokenizer(head, HtmlSyntax::html);
  HtmlToken token;
  while (tokenizer.next(token)) {
    if (token.kind != HtmlToken::Kind::start_tag || token.name != "meta") continue;
    if (const auto charset = token.attribute("charset")) return *charset;
    const std::string content = token.attribute("content").value_or("");
    const std::string_view charset = quoted_value_after(content, "charset");
    if (!charset.empty()) return std::string(charset);
  }
  return {};
}

void require_text(const Document& document, std::size_t source_bytes) {
  if (!document.lines.empty()) return;
  const std::int64_t hidden = document.report.hidden_characters;
  throw Error(ErrorKind::bad_document,
              document.name + ": 0 characters of text that is seen in its " +
                  std::to_string(source_bytes) + " bytes" +
                  (hidden > 0 ? ", " + std::to_string(hidden) + " that are hidden" : ""));
}

void finish_warnings(Document& document) {
  for (std::string& warning : document.report.warnings) {
    std::string valid;
    for (std::size_t at = 0; at < warning.size();) {
      const text::CodePoint point = text::decode_at(warning, at);
      text::append(valid, point.value);
      at += static_cast<std::size_t>(point.bytes);
    }
    warning = std::move(valid);
  }
  if (document.report.hidden_characters == 0) return;
  document.report.warnings.push_back(std::to_string(document.report.hidden_characters) +
                                     " hidden characters kept out of the text");
}

void read_html(std::string_view bytes, const ReadLimits& limits, Document& document) {
  const DecodedText decoded = decode_text(bytes, document.name, declared_html_encoding(bytes));
  FlowWriter writer(document, limits, true);
  HtmlFlow flow(document, writer);
  const SecFiling filing = sec_filing(decoded.utf8);
  if (filing.parts.empty()) {
    flow.read(decoded.utf8, HtmlSyntax::html);
  } else {
    read_filing(decoded.utf8, filing, flow, writer, document);
  }
  writer.finish();
  require_text(document, bytes.size());
  finish_warnings(document);
  if (decoded.is_guess) {
    document.report.warnings.push_back("encoding guessed: " + decoded.encoding);
  }
}

}  // namespace whereof::document
