// A document as one byte string.
//
//     "WHEREOFD" | u32 version | u64 payload bytes | payload | 16 hex digits of the payload's
//     SHA-256
//
// Integers are little-endian and of fixed width; strings and arrays have their count in front. The
// reader checks every count against the bytes that are left before it allocates, and every span,
// index and enum against what it points into: the bytes may come from a worker that a hostile file
// has taken over, or from a damaged disk.
#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "text/sha256.h"
#include "text/utf8.h"
#include "whereof/document.h"
#include "whereof/error.h"

namespace whereof {
namespace {

constexpr std::string_view kMagic = "WHEREOFD";
// Raised when the bytes change, and also when readers or the clause finder find something else in
// the same file: a library then has its documents read again.
constexpr std::uint32_t kVersion = 5;
constexpr std::size_t kHeaderBytes = 8 + 4 + 8;
constexpr std::size_t kChecksumBytes = 16;

static_assert(std::endian::native == std::endian::little, "numbers are copied as they lie");

class Writer {
 public:
  template <typename T>
  requires std::is_arithmetic_v<T> || std::is_enum_v<T>
  void put(T value) { bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value)); }
  void put(bool value) { put(static_cast<std::uint8_t>(value)); }
  void put(std::string_view value) {
    put(static_cast<std::uint64_t>(value.size()));
    bytes_.append(value);
  }
  void put(Span span) {
    put(span.begin);
    put(span.end);
  }
  void put(const Line& line) {
    put(line.text);
    put(line.kind);
    put(line.starts_paragraph);
    put(line.is_bold);
    put(line.left);
    put(line.font_size);
    put(line.number_bytes);
    put(line.level);
    put(line.confidence);
  }
  void put(const Page& page) {
    put(page.text);
    put(std::string_view(page.label));
    put(page.width);
    put(page.height);
  }
  void put(const Clause& clause) {
    put(static_cast<std::uint8_t>(clause.kind));
    put(clause.parent);
    put(clause.depth);
    put(std::string_view(clause.number));
    put(std::string_view(clause.label));
    put(std::string_view(clause.heading));
    put(clause.text);
    put(clause.own_text);
    put(clause.first_page);
    put(clause.last_page);
  }
  void put(const Box& box) {
    for (const float side : {box.left, box.top, box.right, box.bottom}) put(side);
  }
  void put(const Document::SourceRun& run) {
    put(run.text_begin);
    put(run.source_begin);
  }
  void put(const std::string& value) { put(std::string_view(value)); }
  template <typename T>
  void put(const std::vector<T>& values) {
    put(static_cast<std::uint64_t>(values.size()));
    for (const T& value : values) put(value);
  }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

[[noreturn]] void refuse(const std::string& what) {
  throw Error(ErrorKind::bad_document, "stored document: " + what);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  template <typename T>
  T get() {
    if (bytes_.size() < sizeof(T)) refuse("ends early");
    T value;
    std::memcpy(&value, bytes_.data(), sizeof(T));
    bytes_.remove_prefix(sizeof(T));
    return value;
  }
  bool get_bool() {
    const auto value = get<std::uint8_t>();
    if (value > 1) refuse("a truth value is neither 0 nor 1");
    return value == 1;
  }
  template <typename Enum>
  Enum get_enum(Enum last) {
    const auto value = get<std::uint8_t>();
    if (value > static_cast<std::uint8_t>(last)) refuse("an enumeration is out of range");
    return static_cast<Enum>(value);
  }
  std::size_t get_count(std::size_t least_bytes_each) {
    const auto count = get<std::uint64_t>();
    if (count > bytes_.size() / least_bytes_each) refuse("a count is past its end");
    return static_cast<std::size_t>(count);
  }
  std::string get_string() {
    const std::size_t length = get_count(1);
    std::string value(bytes_.substr(0, length));
    bytes_.remove_prefix(length);
    return value;
  }
  std::string get_text() {
    std::string value = get_string();
    if (!text::is_valid(value)) refuse("a text is no UTF-8");
    return value;
  }
  Span get_span(std::size_t text_bytes) {
    const auto begin = get<std::int64_t>();
    const auto end = get<std::int64_t>();
    if (begin < 0 || begin > end || end > static_cast<std::int64_t>(text_bytes)) {
      refuse("a span is outside the text");
    }
    return {begin, end};
  }
  bool is_at_end() const { return bytes_.empty(); }

 private:
  std::string_view bytes_;
};

Line read_line(Reader& in, std::size_t text_bytes) {
  Line line;
  line.text = in.get_span(text_bytes);
  line.kind = in.get_enum(LineKind::annotation);
  line.starts_paragraph = in.get_bool();
  line.is_bold = in.get_bool();
  line.left = in.get<float>();
  line.font_size = in.get<float>();
  line.number_bytes = in.get<std::int32_t>();
  line.level = in.get<std::int32_t>();
  line.confidence = in.get<std::int8_t>();
  if (line.number_bytes < 0 || line.number_bytes > line.text.length()) {
    refuse("a line's number is longer than the line");
  }
  return line;
}

Page read_page(Reader& in, std::size_t text_bytes) {
  Page page;
  page.text = in.get_span(text_bytes);
  page.label = in.get_text();
  page.width = in.get<float>();
  page.height = in.get<float>();
  return page;
}

Clause read_clause(Reader& in, std::size_t text_bytes, std::size_t index, std::size_t pages) {
  Clause clause;
  clause.kind = in.get_enum(ClauseKind::closing);
  clause.parent = in.get<std::int32_t>();
  clause.depth = in.get<std::int32_t>();
  clause.number = in.get_text();
  clause.label = in.get_text();
  clause.heading = in.get_text();
  clause.text = in.get_span(text_bytes);
  clause.own_text = in.get_span(text_bytes);
  clause.first_page = in.get<std::int32_t>();
  clause.last_page = in.get<std::int32_t>();
  if (clause.parent < -1 || clause.parent >= static_cast<std::int64_t>(index)) {
    refuse("a clause's parent does not stand before it");
  }
  const auto page_count = static_cast<std::int64_t>(std::max<std::size_t>(pages, 1));
  if (clause.first_page < 0 || clause.last_page < clause.first_page ||
      clause.last_page >= page_count || clause.depth < 0) {
    refuse("a clause's page or depth is out of range");
  }
  return clause;
}

template <typename T>
void require_ascending(const std::vector<T>& values) {
  for (std::size_t i = 1; i < values.size(); ++i) {
    if (values[i].text.begin < values[i - 1].text.begin) refuse("spans are not ascending");
  }
}

void read_report(Reader& in, ReadingReport& report) {
  report.pages = in.get<std::int64_t>();
  report.pages_without_text = in.get<std::int64_t>();
  report.pages_recognized = in.get<std::int64_t>();
  report.confidence = in.get<std::int32_t>();
  report.characters = in.get<std::int64_t>();
  report.stripped_characters = in.get<std::int64_t>();
  report.hidden_characters = in.get<std::int64_t>();
  for (std::size_t n = in.get_count(8); n > 0; --n) report.warnings.push_back(in.get_text());
}

void read_places(Reader& in, Document& document) {
  const auto text_bytes = static_cast<std::int64_t>(document.text.size());
  const std::int64_t code_points = text::count_code_points(document.text);
  for (std::size_t n = in.get_count(16); n > 0; --n) {
    const auto text_begin = in.get<std::int64_t>();
    const auto source_begin = in.get<std::int64_t>();
    if (text_begin < 0 || text_begin > text_bytes || source_begin < 0) {
      refuse("a source run is outside the text");
    }
    document.source_runs.push_back({text_begin, source_begin});
  }
  const std::size_t boxes = in.get_count(16);
  if (boxes != 0 && static_cast<std::int64_t>(boxes) != code_points) {
    refuse("the boxes are not one a character");
  }
  document.boxes.resize(boxes);
  for (Box& box : document.boxes) {
    box.left = in.get<float>();
    box.top = in.get<float>();
    box.right = in.get<float>();
    box.bottom = in.get<float>();
  }
  // The index is computed, not believed: a wrong entry would shift every place after it.
  std::size_t at = 0;
  for (std::int64_t number = 0; number < code_points; ++number) {
    if (number % 64 == 0) document.code_point_index.push_back(static_cast<std::int64_t>(at));
    at += static_cast<std::size_t>(text::decode_at(document.text, at).bytes);
  }
}

void read_payload(Reader& in, Document& document) {
  document.name = in.get_text();
  document.path = in.get_string();  // a file name may be any bytes
  document.type = in.get_enum(DocumentType::email);
  document.content_hash = in.get_string();
  document.text = in.get_text();
  const std::size_t text_bytes = document.text.size();
  for (std::size_t n = in.get_count(36); n > 0; --n) {
    document.lines.push_back(read_line(in, text_bytes));
  }
  for (std::size_t n = in.get_count(32); n > 0; --n) {
    document.pages.push_back(read_page(in, text_bytes));
  }
  for (std::size_t n = in.get_count(73); n > 0; --n) {
    document.clauses.push_back(
        read_clause(in, text_bytes, document.clauses.size(), document.pages.size()));
  }
  require_ascending(document.lines);
  require_ascending(document.pages);
  require_ascending(document.clauses);
  read_report(in, document.report);
  read_places(in, document);
  if (!in.is_at_end()) refuse("has bytes after its end");
}

std::string checksum_of(std::string_view payload) {
  return text::sha256_hex(payload).substr(0, kChecksumBytes);
}

}  // namespace

std::string serialize_document(const Document& document) {
  Writer payload;
  payload.put(document.name);
  payload.put(document.path.string());
  payload.put(static_cast<std::uint8_t>(document.type));
  payload.put(document.content_hash);
  payload.put(document.text);
  payload.put(document.lines);
  payload.put(document.pages);
  payload.put(document.clauses);
  payload.put(document.report.pages);
  payload.put(document.report.pages_without_text);
  payload.put(document.report.pages_recognized);
  payload.put(document.report.confidence);
  payload.put(document.report.characters);
  payload.put(document.report.stripped_characters);
  payload.put(document.report.hidden_characters);
  payload.put(document.report.warnings);
  payload.put(document.source_runs);
  payload.put(document.boxes);
  const std::string body = payload.take();
  Writer header;
  header.put(kVersion);
  header.put(static_cast<std::uint64_t>(body.size()));
  return std::string(kMagic) + header.take() + body + checksum_of(body);
}

bool is_serialized_document(std::string_view bytes) {
  if (bytes.size() < kSerializedHead || !bytes.starts_with(kMagic)) return false;
  return Reader(bytes.substr(kMagic.size())).get<std::uint32_t>() == kVersion;
}

Document parse_document(std::string_view bytes) {
  if (bytes.size() < kHeaderBytes + kChecksumBytes) refuse("shorter than its header");
  if (!bytes.starts_with(kMagic)) refuse("does not begin with " + std::string(kMagic));
  Reader header(bytes.substr(kMagic.size(), kHeaderBytes - kMagic.size()));
  const auto version = header.get<std::uint32_t>();
  if (version != kVersion) {
    throw Error(ErrorKind::unsupported, "a serialised document has version " +
                                            std::to_string(version) + ", wanted " +
                                            std::to_string(kVersion));
  }
  const auto length = header.get<std::uint64_t>();
  if (length != bytes.size() - kHeaderBytes - kChecksumBytes) {
    refuse("says " + std::to_string(length) + " bytes, has " +
           std::to_string(bytes.size() - kHeaderBytes - kChecksumBytes));
  }
  const std::string_view body = bytes.substr(kHeaderBytes, length);
  if (bytes.substr(kHeaderBytes + length) != checksum_of(body)) refuse("its checksum is wrong");
  Reader payload(body);
  Document document;
  read_payload(payload, document);
  return document;
}

}  // namespace whereof
