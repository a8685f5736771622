#include "document/readers/text_recognition.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <vector>

#include "document/normalize.h"
#include "document/readers/page_picture.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr float kDotsPerInch = 300;
constexpr int kSure = 75;                // at least this confidence: no second language is tried
constexpr int kNoise = 30;               // less, and no letter or digit: a speck, not a word
constexpr float kBelowBaseline = 0.22f;  // of a line's height

std::string pgm_of(const PagePicture& picture) {
  return "P5\n" + std::to_string(picture.columns) + " " + std::to_string(picture.rows) + "\n255\n" +
         picture.gray;
}

// One line of the table: level page block paragraph line word left top width height conf text.
struct Row {
  static constexpr std::size_t kNumbers = 10;
  std::array<int, kNumbers> numbers{};
  float confidence = 0;
  std::string_view text;
  int level() const { return numbers[0]; }
  float left() const { return static_cast<float>(numbers[6]); }
  float top() const { return static_cast<float>(numbers[7]); }
  float width() const { return static_cast<float>(numbers[8]); }
  float height() const { return static_cast<float>(numbers[9]); }
};

std::optional<Row> row_of(std::string_view line) {
  Row row;
  const char* at = line.data();
  const char* const end = at + line.size();
  for (int& number : row.numbers) {
    const auto [next, error] = std::from_chars(at, end, number);
    if (error != std::errc() || next == end || *next != '\t') return std::nullopt;
    at = next + 1;
  }
  const auto [next, error] = std::from_chars(at, end, row.confidence);
  if (error != std::errc() || !std::isfinite(row.confidence)) return std::nullopt;
  if (next != end && *next != '\t') return std::nullopt;
  if (next != end) row.text = {next + 1, static_cast<std::size_t>(end - next - 1)};
  constexpr int kMost = 100'000;
  for (std::size_t i = 6; i < Row::kNumbers; ++i) {
    if (row.numbers[i] < 0 || row.numbers[i] > kMost) return std::nullopt;
  }
  return row;
}

std::u32string characters_of(std::string_view text) {
  std::u32string characters;
  for (std::size_t at = 0; at < text.size();) {
    const text::CodePoint point = text::decode_at(text, at);
    if (!is_space(point.value) && !is_stripped(point.value)) characters.push_back(point.value);
    at += static_cast<std::size_t>(point.bytes);
  }
  return characters;
}

bool is_noise(const std::u32string& word, float confidence) {
  return confidence < kNoise && std::none_of(word.begin(), word.end(), [](char32_t c) {
           return is_letter(c) || (c >= U'0' && c <= U'9');
         });
}

class TableReader {
 public:
  explicit TableReader(float points) : points_(points) {}

  void add(std::string_view line) {
    const std::optional<Row> row = row_of(line);
    if (!row) return;
    if (row->level() == 4) {
      size_ = row->height() * points_;
      baseline_ = (row->top() + row->height() * (1 - kBelowBaseline)) * points_;
    } else if (row->level() == 5) {
      add_word(*row);
    }
  }

  RecognizedPage take() {
    even_sizes();
    if (weight_ > 0) page_.confidence = static_cast<int>(std::lround(sum_ / weight_));
    return std::move(page_);
  }

 private:
  void add_word(const Row& row) {
    const std::u32string word = characters_of(row.text);
    const float confidence = std::clamp(row.confidence, 0.0f, 100.0f);
    if (word.empty() || is_noise(word, confidence)) return;
    const float step = row.width() * points_ / static_cast<float>(word.size());
    float at = row.left() * points_;
    bool starts_word = true;
    ++word_;
    for (const char32_t c : word) {
      Glyph glyph;
      glyph.value = c;
      glyph.box = {at, row.top() * points_, at + step, (row.top() + row.height()) * points_};
      glyph.along_begin = at;
      glyph.along_end = at += step;
      glyph.baseline = baseline_;
      glyph.size = size_;
      glyph.object = word_;
      glyph.space_before = starts_word && !is_ideographic(c);
      glyph.confidence = static_cast<std::int8_t>(confidence);
      page_.glyphs.push_back(glyph);
      starts_word = false;
    }
    sum_ += static_cast<double>(confidence) * static_cast<double>(word.size());
    weight_ += static_cast<double>(word.size());
  }

  // A line's box is higher or lower by the letters that stand in it; lines near the usual height
  // are of one size of type.
  void even_sizes() {
    if (page_.glyphs.empty()) return;
    std::vector<float> sizes;
    for (const Glyph& glyph : page_.glyphs) sizes.push_back(glyph.size);
    const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
    std::nth_element(sizes.begin(), middle, sizes.end());
    for (Glyph& glyph : page_.glyphs) {
      if (glyph.size > 0.6f * *middle && glyph.size < 1.3f * *middle) glyph.size = *middle;
    }
  }

  float points_;
  float size_ = 0;
  float baseline_ = 0;
  std::uint32_t word_ = 0;
  double sum_ = 0;
  double weight_ = 0;
  RecognizedPage page_;
};

bool is_mostly_ideographic(const std::vector<Glyph>& glyphs) {
  const auto count = std::count_if(glyphs.begin(), glyphs.end(),
                                   [](const Glyph& glyph) { return is_ideographic(glyph.value); });
  return static_cast<std::size_t>(count) * 3 > glyphs.size();
}

// Whether a list of tesseract's data names this one.
bool lists(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('\n'), list.size());
    if (list.substr(0, end) == name) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

RecognizedPage glyphs_of_table(std::string_view table, float points) {
  TableReader reader(points);
  while (!table.empty()) {
    const std::size_t end = std::min(table.find('\n'), table.size());
    reader.add(table.substr(0, end));
    table.remove_prefix(std::min(end + 1, table.size()));
  }
  return reader.take();
}

bool PageRecognition::is_available() {
  if (recognizer_ == nullptr) return false;
  if (!has_asked_) {
    const auto list = recognizer_->ask(RecognitionRequest::languages, {});
    has_english_ = list && lists(*list, "eng");
    has_chinese_ = list && lists(*list, "chi_sim");
    has_asked_ = true;
  }
  return has_english_ || has_chinese_;
}

std::string PageRecognition::description() const {
  std::string languages = has_english_ ? "eng" : "";
  if (has_chinese_) languages += languages.empty() ? "chi_sim" : ", chi_sim";
  return "tesseract " + languages;
}

std::optional<RecognizedPage> PageRecognition::read_as(RecognitionRequest language,
                                                       std::string_view picture, float points) {
  const std::optional<std::string> table = recognizer_->ask(language, picture);
  if (!table) return std::nullopt;
  return glyphs_of_table(*table, points);
}

std::optional<RecognizedPage> PageRecognition::read(PdfiumLibrary::Page page) {
  if (!is_available()) return std::nullopt;
  const std::optional<PagePicture> picture = render_gray(pdfium_, page, kDotsPerInch, false);
  if (!picture) return std::nullopt;
  const std::string pgm = pgm_of(*picture);
  const bool chinese_first = has_chinese_ && (chinese_first_ || !has_english_);
  const auto language = [](bool chinese) {
    return chinese ? RecognitionRequest::chinese : RecognitionRequest::english;
  };
  auto first = read_as(language(chinese_first), pgm, picture->points);
  if (!has_english_ || !has_chinese_) return first;
  // The Chinese data reads English too, but worse and just as sure of it.
  const bool is_sure = first && first->confidence >= kSure &&
                       (!chinese_first || is_mostly_ideographic(first->glyphs));
  if (is_sure) return first;
  auto second = read_as(language(!chinese_first), pgm, picture->points);
  if (!second) return first;
  const bool has_chinese = first && chinese_first && is_mostly_ideographic(first->glyphs);
  const bool keeps_first =
      first && (has_chinese || !chinese_first) && first->confidence >= second->confidence;
  if (keeps_first) return first;
  chinese_first_ = !chinese_first;
  return second;
}

}  // namespace whereof::document
