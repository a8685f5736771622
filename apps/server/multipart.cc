#include "multipart.h"

#include <cstring>

#include "http_error.h"
#include "utf8.h"

namespace whereof::server {
namespace {

constexpr std::size_t kParts = 16;
constexpr std::size_t kPartHeadBytes = 8 << 10;
constexpr std::size_t kBoundaryBytes = 70;
constexpr std::size_t kNameBytes = 200;

[[noreturn]] void refuse(const std::string& what) {
  throw HttpError(400, "bad_form", "the form " + what);
}

char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte | 0x20) : byte; }

bool equals_ignoring_case(std::string_view text, std::string_view lower_text) {
  if (text.size() != lower_text.size()) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (lower(text[i]) != lower_text[i]) return false;
  }
  return true;
}

std::string_view without_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

// The next "; name=value" of a header; name in lower case, a quoted value without its quotes.
bool take_parameter(std::string_view& rest, std::string& name, std::string& value) {
  rest = without_blanks(rest);
  if (!rest.starts_with(';')) return false;
  rest = without_blanks(rest.substr(1));
  const std::size_t equals = rest.find('=');
  if (equals == std::string_view::npos) return false;
  name.clear();
  value.clear();
  for (const char byte : without_blanks(rest.substr(0, equals))) name += lower(byte);
  rest.remove_prefix(equals + 1);
  if (!rest.starts_with('"')) {
    const std::size_t end = std::min(rest.find(';'), rest.size());
    value = without_blanks(rest.substr(0, end));
    rest.remove_prefix(end);
    return true;
  }
  std::size_t at = 1;
  for (; at < rest.size() && rest[at] != '"'; ++at) {
    // Browsers escape the quotation mark as %22 and leave backslashes alone.
    if (rest[at] == '\\' && at + 1 < rest.size() && (rest[at + 1] == '"' || rest[at + 1] == '\\')) {
      ++at;
    }
    value += rest[at];
  }
  if (at >= rest.size()) return false;
  rest.remove_prefix(at + 1);
  return true;
}

std::size_t find(std::string_view text, std::string_view wanted, std::size_t from) {
  if (from > text.size()) return std::string_view::npos;
  const void* found = memmem(text.data() + from, text.size() - from, wanted.data(), wanted.size());
  return found == nullptr ? std::string_view::npos
                          : static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

std::string boundary_of(std::string_view content_type) {
  const std::size_t end = std::min(content_type.find(';'), content_type.size());
  std::string_view rest = content_type.substr(end);
  if (equals_ignoring_case(without_blanks(content_type.substr(0, end)), "multipart/form-data")) {
    std::string name, value;
    while (take_parameter(rest, name, value)) {
      if (name == "boundary" && !value.empty() && value.size() <= kBoundaryBytes) return value;
    }
  }
  throw HttpError(415, "no_form", "Content-Type is not multipart/form-data with a boundary");
}

// "UTF-8''%e2%82%ac.pdf" (RFC 5987); empty for other character sets.
std::string extended_value(std::string_view value) {
  const std::size_t first = value.find('\'');
  if (first == std::string_view::npos || !equals_ignoring_case(value.substr(0, first), "utf-8")) {
    return {};
  }
  const std::size_t second = value.find('\'', first + 1);
  if (second == std::string_view::npos) return {};
  return percent_decoded(value.substr(second + 1), false).value_or("");
}

void take_disposition(std::string_view value, FormPart& part) {
  const std::size_t end = std::min(value.find(';'), value.size());
  if (!equals_ignoring_case(without_blanks(value.substr(0, end)), "form-data")) {
    refuse("has a part that is no form-data");
  }
  std::string_view rest = value.substr(end);
  std::string name, parameter, extended;
  while (take_parameter(rest, name, parameter)) {
    if (name == "name") part.name = parameter;
    if (name == "filename") part.file_name = parameter;
    if (name == "filename*") extended = extended_value(parameter);
  }
  if (!extended.empty()) part.file_name = extended;
}

// Reads the head of the part that begins at this place; returns where its content begins.
std::size_t take_part_head(std::string_view body, std::size_t at, FormPart& part) {
  bool has_disposition = false;
  const std::size_t most = at + kPartHeadBytes;
  for (;;) {
    const std::size_t end = find(body.substr(0, std::min(body.size(), most)), "\r\n", at);
    if (end == std::string_view::npos) refuse("has a part whose head does not end");
    const std::string_view line = body.substr(at, end - at);
    at = end + 2;
    if (line.empty()) break;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) refuse("has a part whose head is no header");
    if (!equals_ignoring_case(line.substr(0, colon), "content-disposition")) continue;
    take_disposition(line.substr(colon + 1), part);
    has_disposition = true;
  }
  if (!has_disposition || part.name.empty()) refuse("has a part without a name");
  return at;
}

}  // namespace

std::vector<FormPart> form_parts(std::string_view content_type, std::string_view body) {
  const std::string delimiter = "\r\n--" + boundary_of(content_type);
  std::vector<FormPart> parts;
  std::size_t at = 0;
  if (body.starts_with(std::string_view(delimiter).substr(2))) {
    at = delimiter.size() - 2;
  } else {
    at = find(body, delimiter, 0);
    if (at == std::string_view::npos) refuse("holds no part");
    at += delimiter.size();
  }
  for (;;) {
    if (body.substr(at, 2) == "--") return parts;
    if (body.substr(at, 2) != "\r\n") refuse("has a boundary that does not end its line");
    if (parts.size() == kParts) refuse("has more than 16 parts");
    FormPart part;
    const std::size_t begin = take_part_head(body, at + 2, part);
    // The line break before the delimiter belongs to it, also when the content is empty.
    const std::size_t end = find(body, delimiter, begin - 2);
    if (end == std::string_view::npos) refuse("is cut: its last boundary is missing");
    part.content = end < begin ? std::string_view() : body.substr(begin, end - begin);
    parts.push_back(std::move(part));
    at = end + delimiter.size();
  }
}

std::string safe_file_name(std::string_view name) {
  if (const std::size_t slash = name.find_last_of("/\\"); slash != std::string_view::npos) {
    name.remove_prefix(slash + 1);
  }
  std::string safe;
  while (!name.empty()) {
    const std::size_t count = character_bytes(name);
    const bool is_control = static_cast<unsigned char>(name[0]) < 0x20 || name[0] == 0x7f;
    std::string_view character = name.substr(0, std::max<std::size_t>(count, 1));
    name.remove_prefix(character.size());
    if (count == 0 || is_control) character = "\xEF\xBF\xBD";
    if (safe.size() + character.size() > kNameBytes) break;
    safe += character;
  }
  const bool is_empty = safe.find_first_not_of(". ") == std::string::npos;
  return is_empty ? "document" : safe;
}

}  // namespace whereof::server
