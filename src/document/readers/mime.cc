#include "document/readers/mime.h"

#include <algorithm>

#include "document/readers/encoding.h"
#include "text/ascii_case.h"

namespace whereof::document {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// "=41" or "%41" -> "A"; what is no such pair stays as it is.
std::string unescaped(std::string_view text, char mark) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool has_pair = text.size() - i > 2;
    const int high = has_pair ? hexadecimal(text[i + 1]) : -1;
    const int low = has_pair ? hexadecimal(text[i + 2]) : -1;
    if (text[i] == mark && high >= 0 && low >= 0) {
      out.push_back(static_cast<char>(high * 16 + low));
      i += 2;
    } else {
      out.push_back(text[i]);
    }
  }
  return out;
}

std::string of_quoted_printable(std::string_view text) {
  std::string joined;  // without the line ends after "="
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string_view line = text.substr(begin, end - begin);
    while (!line.empty() && (line.back() == '\r' || line.back() == ' ' || line.back() == '\t')) {
      line.remove_suffix(1);
    }
    if (line.ends_with('=')) {
      joined += line.substr(0, line.size() - 1);
    } else {
      joined += line;
      joined += '\n';
    }
    begin = end + 1;
  }
  return unescaped(joined, '=');
}

std::string of_base64(std::string_view text) {
  std::string out;
  unsigned bits = 0;
  int count = 0;
  for (const char c : text) {
    unsigned value = 0;
    if (c >= 'A' && c <= 'Z') {
      value = static_cast<unsigned>(c - 'A');
    } else if (c >= 'a' && c <= 'z') {
      value = static_cast<unsigned>(c - 'a') + 26;
    } else if (c >= '0' && c <= '9') {
      value = static_cast<unsigned>(c - '0') + 52;
    } else if (c == '+' || c == '-') {
      value = 62;
    } else if (c == '/' || c == '_') {
      value = 63;
    } else if (c == '=') {
      bits = 0;
      count = 0;
      continue;
    } else {
      continue;
    }
    bits = bits << 6U | value;
    count += 6;
    if (count >= 8) {
      count -= 8;
      out.push_back(static_cast<char>(bits >> static_cast<unsigned>(count) & 0xFFU));
      bits &= (1U << static_cast<unsigned>(count)) - 1;
    }
  }
  return out;
}

// One parameter's value, quoted or not; moves `at` behind it.
std::string read_value(std::string_view text, std::size_t& at) {
  std::string value;
  if (at < text.size() && text[at] == '"') {
    for (++at; at < text.size() && text[at] != '"'; ++at) {
      if (text[at] == '\\' && at + 1 < text.size()) ++at;
      value.push_back(text[at]);
    }
    at = std::min(text.find(';', at), text.size());
    return value;
  }
  const std::size_t end = std::min(text.find(';', at), text.size());
  value = trimmed(text.substr(at, end - at));
  at = end;
  return value;
}

MimeValue parsed_value(std::string_view text) {
  MimeValue parsed;
  std::size_t at = std::min(text.find(';'), text.size());
  parsed.value = text::ascii_lower(trimmed(text.substr(0, at)));
  while (at < text.size()) {
    const std::size_t equals = text.find('=', ++at);
    if (equals == std::string_view::npos) break;
    const std::string name = text::ascii_lower(trimmed(text.substr(at, equals - at)));
    at = text.find_first_not_of(kBlanks, equals + 1);
    if (at == std::string_view::npos) break;
    parsed.parameters.emplace_back(name, read_value(text, at));
  }
  return parsed;
}

// A file name in one of the three ways in which it is written: as it is, with encoded words, or
// "name*=utf-8''a%20b" (RFC 2231), also in pieces "name*0*=".
std::string file_name_in(const MimeValue& value, const std::string& name) {
  const std::string_view plain = value.parameter(name);
  if (!plain.empty()) return mime_words(plain);
  std::string extended;
  for (const auto& [parameter, content] : value.parameters) {
    if (parameter.starts_with(name + "*")) extended += content;
  }
  const std::size_t first = extended.find('\'');
  const std::size_t second = first == std::string::npos ? first : extended.find('\'', first + 1);
  if (second == std::string::npos) return extended;
  return decode_text(unescaped(extended.substr(second + 1), '%'), "a file name",
                     extended.substr(0, first))
      .utf8;
}

}  // namespace

std::string_view MimeValue::parameter(std::string_view name) const {
  for (const auto& [parameter, content] : parameters) {
    if (parameter == name) return content;
  }
  return {};
}

std::string_view MimePart::header(std::string_view name) const {
  for (const auto& [header_name, value] : headers) {
    if (header_name == name) return value;
  }
  return {};
}

MimeValue MimePart::content_type() const {
  MimeValue type = parsed_value(header("content-type"));
  if (type.value.find('/') == std::string::npos) type.value = "text/plain";
  return type;
}

std::string MimePart::file_name() const {
  std::string name = file_name_in(parsed_value(header("content-disposition")), "filename");
  return name.empty() ? file_name_in(parsed_value(header("content-type")), "name") : name;
}

bool MimePart::is_attachment() const {
  return parsed_value(header("content-disposition")).value == "attachment";
}

std::string MimePart::decoded_body() const {
  const std::string encoding = text::ascii_lower(trimmed(header("content-transfer-encoding")));
  if (encoding == "base64") return of_base64(body);
  if (encoding == "quoted-printable") return of_quoted_printable(body);
  return std::string(body);
}

MimePart mime_part(std::string_view entity) {
  MimePart part;
  std::size_t begin = 0;
  while (begin < entity.size()) {
    const std::size_t end = std::min(entity.find('\n', begin), entity.size());
    std::string_view line = entity.substr(begin, end - begin);
    begin = std::min(end + 1, entity.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty()) break;
    if ((line[0] == ' ' || line[0] == '\t') && !part.headers.empty()) {
      std::string& value = part.headers.back().second;
      if (value.size() + line.size() > kMimeHeaderBytes) continue;
      value += ' ';
      value += trimmed(line);
      continue;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;  // "From " of a mailbox, or broken
    if (part.headers.size() == kMimeHeaders) continue;
    part.headers.emplace_back(
        text::ascii_lower(trimmed(line.substr(0, std::min<std::size_t>(colon, 100)))),
        trimmed(line.substr(colon + 1, kMimeHeaderBytes)));
  }
  part.body = entity.substr(begin);
  return part;
}

std::vector<std::string_view> mime_children(std::string_view body, std::string_view boundary) {
  std::vector<std::string_view> children;
  if (boundary.empty()) return children;
  const std::string mark = "--" + std::string(boundary);
  std::size_t child = std::string_view::npos;  // where the open one begins
  for (std::size_t begin = 0; begin < body.size();) {
    const std::size_t end = std::min(body.find('\n', begin), body.size());
    const std::string_view line = body.substr(begin, end - begin);
    if (line.starts_with(mark)) {
      const std::string_view rest = trimmed(line.substr(mark.size()));
      if (rest.empty() || rest == "--") {
        if (child != std::string_view::npos) {
          children.push_back(body.substr(child, begin - child));
        }
        child = rest.empty() ? std::min(end + 1, body.size()) : std::string_view::npos;
      }
    }
    begin = end + 1;
  }
  // A message that was cut has no last boundary.
  if (child != std::string_view::npos) children.push_back(body.substr(child));
  return children;
}

std::string mime_words(std::string_view text) {
  std::string out;
  bool after_word = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = text.find("=?", at);
    const std::string_view before = text.substr(at, begin - at);
    if (!(after_word && begin != std::string_view::npos && trimmed(before).empty())) out += before;
    if (begin == std::string_view::npos) break;
    const std::size_t charset = text.find('?', begin + 2);
    const std::size_t encoding = charset == std::string_view::npos ? charset : charset + 2;
    const bool is_word = encoding < text.size() && text[encoding] == '?';
    const std::size_t end = is_word ? text.find("?=", encoding + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {
      out += "=?";
      at = begin + 2;
      after_word = false;
      continue;
    }
    std::string content(text.substr(encoding + 1, end - encoding - 1));
    const bool is_base64 = text[charset + 1] == 'B' || text[charset + 1] == 'b';
    if (!is_base64) std::replace(content.begin(), content.end(), '_', ' ');
    content = is_base64 ? of_base64(content) : unescaped(content, '=');
    out += decode_text(content, "a header", text.substr(begin + 2, charset - begin - 2)).utf8;
    at = end + 2;
    after_word = true;
  }
  return out;
}

}  // namespace whereof::document
