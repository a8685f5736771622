#include "document/clause_candidates.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <unordered_map>

#include "document/clause_wording.h"
#include "text/ascii_case.h"

namespace whereof::document {
namespace {

std::string_view slice(const Document& document, std::int64_t begin, std::int64_t end) {
  return std::string_view(document.text)
      .substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

// Length that most full lines reach; lines of a page that are much shorter end a paragraph.
std::int64_t usual_length(const std::vector<BodyLine>& lines) {
  if (lines.empty()) return 0;
  std::vector<std::int64_t> lengths;
  lengths.reserve(lines.size());
  for (const BodyLine& line : lines) lengths.push_back(line.text.length());
  const auto place = lengths.begin() + static_cast<std::ptrdiff_t>(lengths.size() * 3 / 4);
  std::nth_element(lengths.begin(), place, lengths.end());
  return *place;
}

// Every word of some length begins with a capital, or there are few words or Chinese characters.
bool is_title(std::string_view text) {
  if (begins_han(text)) return text.size() <= 36;
  int words = 0, long_lower = 0;
  for (std::size_t n = 0; n < text.size();) {
    const std::string_view word = first_word(text.substr(n));
    if (word.size() > 4 && begins_lower(word)) ++long_lower;
    if (!word.empty()) ++words;
    n += std::max<std::size_t>(word.size(), 1);
  }
  return words > 0 && (long_lower == 0 || words <= 3);
}

bool begins_folded(std::string_view text, std::string_view lower) {
  if (text.size() < lower.size()) return false;
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (text::ascii_lower(text[i]) != lower[i]) return false;
  }
  return true;
}

// What may stand behind Schedule 2: nothing, a title; not the rest of a sentence.
bool heads_schedule(const NumberToken& number, std::string_view rest, std::string_view printed) {
  if (number.components > 1) return false;  // "Exhibit 10.4" numbers the file in a filing
  if (continues_han_reference(rest)) return false;
  rest = trim(rest);
  if (number.reading[0].value == 0) {  // 附件 without a number
    return rest.empty() || rest == "：" || rest.starts_with("：") || rest == ":";
  }
  for (const std::string_view mark : {"-", "–", "—", ":", "：", "|"}) {
    if (rest.starts_with(mark)) rest = trim(rest.substr(mark.size()));
  }
  if (rest.empty()) return true;
  if (continues_reference(rest) || continues_as_subject(rest)) return false;
  if (rest.size() > 120) return begins_with_capitals(printed) && begins_with_capitals(rest);
  if (begins_lower(rest)) {
    return rest.starts_with("to ") && rest.size() < 80 && !ends_sentence(rest);
  }
  return !rest.ends_with('.') && !rest.ends_with("。") && !rest.ends_with(',');
}

bool heads_decimal(const Candidate& candidate, std::string_view rest, std::string_view next_line) {
  const NumberToken& number = candidate.number;
  const bool opens = candidate.standing <= Standing::chained;
  if (number.components == 1 ? number.reading[0].value < 1 : number.prefix[0] < 1) return false;
  if (continues_quantity(rest) || continues_reference(rest) || continues_as_subject(rest)) {
    return false;
  }
  const std::string_view text = trim(rest);
  if (text.empty()) {
    if (!opens) return false;
    return number.has_dot || number.components > 1 || looks_like_heading(next_line);
  }
  if (!number.has_dot && number.components == 1) {
    return candidate.standing == Standing::paragraph && begins_sentence(text);
  }
  if (begins_lower(text)) return candidate.standing == Standing::paragraph;
  return begins_sentence(text) || (opens && number.has_dot);
}

bool heads_word(const Candidate& candidate, std::string_view rest, std::string_view printed) {
  const bool capitals = begins_with_capitals(printed);
  const bool is_first = candidate.number.reading[0].value == 1;
  const Standing weakest = capitals && is_first ? Standing::clause_end : Standing::sentence_end;
  if (candidate.standing > weakest) return false;
  const std::string_view text = trim(rest);
  if (continues_reference(rest) || rest.starts_with('(') || begins_lower(text)) return false;
  if (candidate.standing == Standing::paragraph) return true;
  return !text.empty() && begins_sentence(text) && (candidate.number.has_dot || capitals);
}

bool heads_list(const Candidate& candidate, std::string_view rest) {
  const NumberToken& number = candidate.number;
  const std::string_view text = trim(rest);
  if (number.reading[0].value < 1) return false;
  if (number.reading[0].alphabet == Alphabet::han && continues_han_list_reference(rest)) {
    return false;
  }
  switch (number.form) {
    case NumberForm::comma:
      return candidate.standing <= Standing::chained && !continues_han_list_reference(rest);
    case NumberForm::dot:
      if (text.empty()) return candidate.standing == Standing::paragraph;
      return candidate.standing <= Standing::clause_end &&
             (number.reading[0].alphabet == Alphabet::lower || begins_sentence(text));
    default:
      if (text.empty()) return candidate.standing <= Standing::chained;
      // Behind mere words only as the first of the heading that these may be.
      return !continues_reference(rest) &&
             (candidate.standing < Standing::words ||
              (number.reading[number.readings - 1].value == 1 && begins_sentence(text)));
  }
}

// Does the text behind the number let it head a clause?
bool is_plausible(const Candidate& candidate, std::string_view rest, std::string_view printed,
                  std::string_view next_line) {
  switch (candidate.number.form) {
    case NumberForm::schedule:
      return candidate.standing == Standing::paragraph &&
             heads_schedule(candidate.number, rest, printed);
    case NumberForm::subsection: {
      std::size_t bytes = 0;
      return candidate.standing == Standing::paragraph && is_space_at(rest, 0, bytes);
    }
    case NumberForm::decimal:
      return heads_decimal(candidate, rest, next_line);
    case NumberForm::book:
    case NumberForm::title:
    case NumberForm::part:
    case NumberForm::chapter:
    case NumberForm::subchapter:
    case NumberForm::article:
    case NumberForm::section:
      if (candidate.number.reading[0].value == 0) {
        return candidate.standing == Standing::paragraph && rest.empty();  // 物权编
      }
      if (candidate.number.reading[0].alphabet == Alphabet::han) {
        return candidate.standing <= Standing::sentence_end && !continues_han_reference(rest);
      }
      return heads_word(candidate, rest, printed);
    default:
      return heads_list(candidate, rest);
  }
}

// What the text right before a number, without the spaces between, makes of it.
Standing standing_behind(std::string_view before) {
  before = trim(tail(before));
  if (leads_to_reference(before) || leads_on(before)) {
    return ends_clause(before) ? Standing::clause_end : Standing::reference;
  }
  if (ends_sentence(before)) return Standing::sentence_end;
  if (ends_clause(before)) return Standing::clause_end;
  if (ends_with_capitals(before)) return Standing::sentence_end;
  const std::string_view word = last_word(before);
  const bool joins = word == "and" || word == "or";
  if (joins) {
    before = trim(before.substr(0, before.size() - word.size()));
    return before.ends_with(')') ? Standing::reference  // "(a) and (b)"
                                 : Standing::list_comma;
  }
  return before.ends_with(',') || before.ends_with("，") || before.ends_with("、")
             ? Standing::list_comma
             : Standing::words;
}

// Could a number begin with this byte? Cheap, before the scanners.
bool may_begin_number(unsigned char c) {
  return c == '(' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c >= 0x80;
}

constexpr std::int64_t kNoOffset = INT64_MIN;

class CandidateFinder {
 public:
  CandidateFinder(const Document& document, const std::vector<BodyLine>& lines)
      : document_(document), lines_(lines), usual_length_(usual_length(lines)) {}

  std::vector<Candidate> find() {
    for (std::size_t i = 0; i < lines_.size(); ++i) scan_line(static_cast<std::int32_t>(i));
    drop_page_numbers();
    drop_bare_numbers();
    drop_table_rows();
    return std::move(candidates_);
  }

 private:
  std::string_view line_text(std::int32_t line) const {
    const BodyLine& body = lines_[static_cast<std::size_t>(line)];
    return slice(document_, body.text.begin, body.text.end);
  }

  void scan_line(std::int32_t line) {
    const std::string_view text = line_text(line);
    std::size_t next = 0;  // numbers do not overlap
    std::size_t chained_at = text.size() + 1;
    for (std::size_t n = 0; n < text.size(); ++n) {
      if (n < next || !may_begin_number(static_cast<unsigned char>(text[n]))) continue;
      if (n > 0 && n != chained_at && !is_boundary(text, n)) continue;
      const std::optional<NumberToken> number = scan_number(text.substr(n, 96));
      if (!number) continue;
      const std::size_t end = n + static_cast<std::size_t>(number->bytes);
      const Standing standing = n == 0            ? standing_at_line_start(line, *number)
                                : n == chained_at ? Standing::chained
                                                  : standing_behind(text.substr(0, n));
      if (standing == Standing::reference || !add(line, n, *number, standing)) continue;
      next = end;
      chained_at = end + markdown_marks(head(text.substr(end)));
    }
  }

  // Numbers alone on their lines that count with the pages, where the reader took them for text.
  void drop_page_numbers() {
    constexpr int kFewest = 3;
    const auto offset_of = [this](const Candidate& c) -> std::int64_t {
      const bool is_alone =
          c.number.form == NumberForm::decimal && c.number.components == 1 && !c.number.has_dot &&
          !c.is_automatic &&
          line_text(c.line).size() == static_cast<std::size_t>(c.number.number_bytes);
      return is_alone ? c.number.reading[0].value - document_.page_of(c.begin) : kNoOffset;
    };
    std::unordered_map<std::int64_t, int> times;
    for (const Candidate& c : candidates_) ++times[offset_of(c)];
    times[kNoOffset] = 0;
    std::erase_if(candidates_, [&](const Candidate& c) { return times[offset_of(c)] >= kFewest; });
  }

  // Where clauses are numbered "1.", a bare "1" now and then is a page number or a table's.
  void drop_bare_numbers() {
    const auto is_single = [](const Candidate& c, bool has_dot) {
      return c.number.form == NumberForm::decimal && c.number.components == 1 &&
             c.number.has_dot == has_dot && c.standing == Standing::paragraph;
    };
    std::ptrdiff_t dotted = 0, bare = 0;
    for (const Candidate& c : candidates_) {
      if (is_single(c, true)) ++dotted;
      if (is_single(c, false)) ++bare;
    }
    if (dotted < 3 || bare * 2 > dotted) return;
    std::erase_if(candidates_, [&](const Candidate& c) {
      return is_single(c, false) && c.number.suffix == 0 && !c.is_automatic;
    });
  }

  // Rows 1., 2., 3. under "No. Name Amount": at most two lines lie between that and the first.
  void drop_table_rows() {
    constexpr std::int32_t kFurthest = 3;
    const Candidate* row = nullptr;  // the last row of the table that is open
    std::vector<Candidate> rest;
    for (const Candidate& c : candidates_) {
      const bool is_single = c.number.form == NumberForm::decimal && c.number.components == 1 &&
                             c.standing == Standing::paragraph && !c.is_automatic;
      const std::int32_t value = c.number.reading[0].value;
      bool is_row = false;
      if (is_single && value == 1) {
        for (std::int32_t above = 1; above <= kFurthest && above <= c.line && !is_row; ++above) {
          is_row = heads_numbered_table(line_text(c.line - above));
        }
      } else if (is_single && row != nullptr) {
        is_row = value == row->number.reading[0].value + 1 && c.has_capitals == row->has_capitals &&
                 c.is_bold == row->is_bold;
      }
      if (is_row) {
        row = &c;
      } else {
        if (is_single) row = nullptr;
        rest.push_back(c);
      }
    }
    candidates_ = std::move(rest);
  }

  static bool is_boundary(std::string_view text, std::size_t n) {
    const auto before = static_cast<unsigned char>(text[n - 1]);
    if (before == ' ' || before == '\t' || before == '*' || before == '_') return true;
    if (before < 0x80) return false;
    for (const std::string_view mark : {"\u00A0", "\u3000", "。", "；", "：", "！", "？", "，"}) {
      if (text.substr(0, n).ends_with(mark)) return true;
    }
    return false;
  }

  Standing standing_at_line_start(std::int32_t line, const NumberToken& number) const {
    const BodyLine& body = lines_[static_cast<std::size_t>(line)];
    const Line& source = document_.lines[static_cast<std::size_t>(body.index)];
    if (source.number_bytes > 0 || line == 0) return Standing::paragraph;
    if (body.starts_paragraph && lines_[static_cast<std::size_t>(line) - 1].is_banner) {
      return Standing::paragraph;
    }
    const std::string_view before = tail(line_text(line - 1));
    const bool is_list = is_list_form(number.form);
    if (leads_to_reference(before)) return Standing::reference;
    const bool is_attached = last_word(before) == "as";  // "in the form attached hereto as"
    if (number.form == NumberForm::schedule && is_attached) return Standing::reference;
    const bool is_free = is_list || (number.form == NumberForm::decimal && body.starts_paragraph);
    if (!is_free && leads_on(before)) return Standing::reference;
    if (body.starts_paragraph || ends_sentence(before) || ends_clause(before)) {
      return Standing::paragraph;
    }
    const bool is_short =
        line_text(line - 1).size() * 10 < static_cast<std::size_t>(usual_length_) * 6;
    if (is_short && usual_length_ < 250 && !before.ends_with(',')) return Standing::paragraph;
    return standing_behind(before);
  }

  bool add(std::int32_t line, std::size_t n, const NumberToken& number, Standing standing) {
    const BodyLine& body = lines_[static_cast<std::size_t>(line)];
    const Line& source = document_.lines[static_cast<std::size_t>(body.index)];
    const std::string_view text = line_text(line);
    Candidate candidate;
    candidate.number = number;
    candidate.standing = standing;
    candidate.line = line;
    candidate.begin = body.text.begin + static_cast<std::int64_t>(n);
    const std::size_t end = n + static_cast<std::size_t>(number.bytes);
    const std::string_view rest = head(text.substr(end));
    candidate.after =
        candidate.begin + number.bytes + static_cast<std::int64_t>(markdown_marks(rest));
    const std::size_t marks = markdown_marks(rest);
    candidate.is_bold = source.is_bold;
    candidate.left = source.left;
    candidate.has_capitals = begins_with_capitals(rest.substr(marks));
    candidate.is_automatic = n == 0 && source.number_bytes > 0;
    candidate.follows_banner =
        n == 0 && line > 0 && lines_[static_cast<std::size_t>(line) - 1].is_banner;
    const std::string_view next_line =
        static_cast<std::size_t>(line) + 1 < lines_.size() ? line_text(line + 1) : "";
    // Spaces matter to 第三条的规定 against 第三条 规定, the marks of Markdown do not.
    std::size_t stars = 0;
    while (stars < rest.size() && (rest[stars] == '*' || rest[stars] == '_')) ++stars;
    // A number may be the last of its line in running text; what it stands before is in the next.
    const bool ends_line = n > 0 && trim(rest).empty();
    const std::string_view behind = ends_line ? head(next_line) : rest.substr(stars);
    if (!candidate.is_automatic &&
        !is_plausible(candidate, behind, text.substr(n), head(next_line))) {
      return false;
    }
    candidates_.push_back(candidate);
    return true;
  }

  const Document& document_;
  const std::vector<BodyLine>& lines_;
  std::int64_t usual_length_;
  std::vector<Candidate> candidates_;
};

}  // namespace

std::vector<BodyLine> body_lines(const Document& document) {
  std::vector<BodyLine> lines;
  lines.reserve(document.lines.size());
  const auto size = static_cast<std::int64_t>(document.text.size());
  std::int64_t previous_end = 0;
  bool passed_other = false;  // a footer or the like: the blank lines around it end no paragraph
  for (std::size_t i = 0; i < document.lines.size(); ++i) {
    const Line& line = document.lines[i];
    if (line.kind != LineKind::body) {
      passed_other = true;
      continue;
    }
    const std::int64_t begin = std::clamp<std::int64_t>(line.text.begin, previous_end, size);
    const std::int64_t end = std::clamp<std::int64_t>(line.text.end, begin, size);
    std::string_view text = slice(document, begin, end);
    const std::size_t marks = markdown_marks(text);
    text = trim(text.substr(marks));
    if (text.empty()) continue;
    BodyLine body;
    body.text.begin = begin + static_cast<std::int64_t>(marks);
    body.text.end = body.text.begin + static_cast<std::int64_t>(text.size());
    body.index = static_cast<std::int32_t>(i);
    const std::string_view between = slice(document, previous_end, begin);
    body.starts_paragraph = lines.empty() || line.starts_paragraph ||
                            (!passed_other && between.find("\n\n") != std::string_view::npos);
    passed_other = false;
    body.closes_body = begins_folded(text, "in witness whereof") ||
                       text.starts_with("（以下无正文") || text.starts_with("(以下无正文") ||
                       begins_folded(text, "[signature page");
    lines.push_back(body);
    previous_end = body.text.end;
  }
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string_view text = slice(document, lines[i].text.begin, lines[i].text.end);
    const bool next_starts = i + 1 == lines.size() || lines[i + 1].starts_paragraph;
    lines[i].is_banner = lines[i].starts_paragraph && next_starts && text.size() <= 60 &&
                         looks_like_heading(text) && !text.ends_with('.') && is_title(text) &&
                         !scan_number(text);
  }
  return lines;
}

std::vector<Candidate> find_candidates(const Document& document,
                                       const std::vector<BodyLine>& lines) {
  return CandidateFinder(document, lines).find();
}

}  // namespace whereof::document
