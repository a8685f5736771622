#include "document/readers/sec_filing.h"

#include <algorithm>
#include <array>

#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::size_t kReach = 1024;  // of the marks that say what a part is

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t\r\n") - begin + 1);
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

// "<FILENAME>lease.htm": what follows the tag on its line.
std::string field(std::string_view header, std::string_view tag) {
  const std::size_t at = header.find(tag);
  if (at == std::string_view::npos) return {};
  const std::string_view rest = header.substr(at + tag.size());
  return std::string(trimmed(rest.substr(0, rest.find('\n'))));
}

SecPart::Kind kind_of(const std::string& type, std::string_view text) {
  constexpr std::array<std::string_view, 6> kData = {"GRAPHIC", "ZIP",  "EXCEL",
                                                     "XML",     "JSON", "PDF"};
  if (std::find(kData.begin(), kData.end(), type) != kData.end()) return SecPart::Kind::data;
  const std::string begin = upper(trimmed(text).substr(0, kReach));
  for (const std::string_view mark : {"<PDF>", "<XBRL>", "<XML>", "<?XML", "BEGIN 6"}) {
    if (begin.starts_with(mark) && begin.find("<HTML") == std::string::npos) {
      return SecPart::Kind::data;
    }
  }
  const bool is_html = begin.find("<HTML") != std::string::npos ||
                       begin.find("<!DOCTYPE HTML") != std::string::npos ||
                       begin.find("<BODY") != std::string::npos;
  return is_html ? SecPart::Kind::html : SecPart::Kind::text;
}

}  // namespace

SecFiling sec_filing(std::string_view utf8) {
  SecFiling filing;
  const std::string_view start = trimmed(utf8.substr(0, kReach));
  const bool is_filing = start.starts_with("<SEC-DOCUMENT>") ||
                         start.starts_with("<IMS-DOCUMENT>") || start.starts_with("<DOCUMENT>") ||
                         start.starts_with("-----BEGIN PRIV");
  if (!is_filing) return filing;
  constexpr std::string_view kBegin = "<DOCUMENT>";
  std::size_t begin = utf8.find(kBegin);
  while (begin != std::string_view::npos) {
    const std::size_t next = utf8.find(kBegin, begin + kBegin.size());
    const std::string_view whole = utf8.substr(begin, next - begin);
    begin = next;
    const std::size_t text = whole.find("<TEXT>");
    if (text == std::string_view::npos) continue;
    const std::string_view header = whole.substr(0, text);
    std::string_view body = whole.substr(text + 6);
    body = body.substr(0, body.rfind("</TEXT>"));
    const std::string type = field(header, "<TYPE>");
    const std::string name = field(header, "<FILENAME>");
    filing.parts.push_back({kind_of(type, body), name.empty() ? type : name, body});
  }
  return filing;
}

SecMark sec_mark(std::string_view line) {
  line = trimmed(line);
  if (line.empty() || line.front() != '<' || line.size() > 200) return SecMark::none;
  const std::string text = upper(line);
  if (text.starts_with("<PAGE>")) {
    const std::string_view rest = trimmed(std::string_view(text).substr(6));
    const bool is_number = rest.size() <= 8 && rest.find('<') == std::string_view::npos;
    return is_number ? SecMark::page : SecMark::none;
  }
  // The rules under a caption: "<S>           <C>      <C>".
  for (std::size_t at = 0; at < text.size();) {
    bool found = false;
    for (const std::string_view mark :
         {"<TABLE>", "</TABLE>", "<CAPTION>", "<S>", "<C>", "<FN>", "</FN>", " ", "\t"}) {
      if (!std::string_view(text).substr(at).starts_with(mark)) continue;
      at += mark.size();
      found = true;
      break;
    }
    if (!found) return SecMark::none;
  }
  return SecMark::table;
}

void write_filed_text(std::string_view utf8, std::int64_t first_place, FlowWriter& writer) {
  FlowWriter::Look look;
  look.keeps_spaces = true;
  std::int64_t place = first_place;
  for (std::size_t begin = 0; begin < utf8.size();) {
    const std::size_t end = std::min(utf8.find('\n', begin), utf8.size());
    const std::string_view line = utf8.substr(begin, end - begin);
    const SecMark mark = sec_mark(line);
    if (mark == SecMark::page) writer.end_page();
    for (std::size_t at = 0; at < line.size(); ++place) {
      const text::CodePoint point = text::decode_at(line, at);
      if (mark == SecMark::none) writer.add(point.value, place, look);
      at += static_cast<std::size_t>(point.bytes);
    }
    if (mark == SecMark::none) writer.add(U'\n', place, look);
    ++place;
    begin = end + 1;
  }
  writer.end_paragraph();
}

}  // namespace whereof::document
