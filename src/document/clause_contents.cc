// Contents pages that their reader did not mark. Two signs: numbered entries one after another that
// end in page numbers which never fall; and short entries whose numbers and words all come again.
#include <algorithm>
#include <cstddef>
#include <string>
#include <unordered_map>

#include "document/clause_candidates.h"
#include "document/clause_wording.h"

namespace whereof::document {
namespace {

constexpr std::int64_t kLongestEntry = 180;  // bytes from one contents entry to the next
constexpr std::int64_t kLongestGap = 400;    // the same where entries between were not recognised
constexpr std::size_t kFewestEntries = 3;
constexpr int kMostAttempts = 512;  // at a contents page; keeps the search linear

std::string_view between(const Document& document, std::int64_t begin, std::int64_t end) {
  return std::string_view(document.text)
      .substr(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The number at the end of an entry, -1 when there is none.
std::int32_t page_at_end(std::string_view entry) {
  entry = trim(entry);
  std::size_t digits = 0;
  while (digits < entry.size() && digits < 4 && is_digit(entry[entry.size() - 1 - digits])) {
    ++digits;
  }
  if (digits == 0 || digits > 3 || digits == entry.size()) return -1;
  const std::string_view before = entry.substr(0, entry.size() - digits);
  const char mark = before.back();
  const bool is_fraction = (mark == '.' || mark == ',' || mark == '/' || mark == ':') &&
                           before.size() > 1 && is_digit(before[before.size() - 2]);
  if (is_fraction || mark == '$' || leads_to_reference(before)) return -1;  // 50,000.00; Section 5
  std::int32_t page = 0;
  for (const char c : entry.substr(entry.size() - digits)) page = page * 10 + (c - '0');
  return page;
}

// The first words of an entry up to its end or the next number, letters only, in one case; where
// the number stands alone on its line, those of the next.
std::string fingerprint(std::string_view text) {
  constexpr std::size_t kBytes = 24;
  std::string letters;
  for (const char c : head(text)) {
    if (letters.size() >= kBytes || c == '\n' || c == '.' || c == ':' || is_digit(c)) break;
    if (c >= 'A' && c <= 'Z') {
      letters.push_back(static_cast<char>(c | 0x20));
    } else if ((c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80) {
      letters.push_back(c);
    }
  }
  return letters;
}

class ContentsFilter {
 public:
  ContentsFilter(const Document& document, std::vector<Candidate>& candidates)
      : document_(document), candidates_(candidates), is_contents_(candidates.size(), false) {}

  void run() {
    mark_page_runs();
    mark_repeated_runs();
    mark_listed_schedules();
    std::size_t kept = 0;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (!is_contents_[i]) candidates_[kept++] = candidates_[i];
    }
    candidates_.resize(kept);
  }

 private:
  bool is_entry(std::size_t i) const {
    const Candidate& c = candidates_[i];
    return c.standing == Standing::paragraph && !c.is_automatic &&
           c.number.form != NumberForm::paren && c.number.form != NumberForm::half_paren &&
           c.number.form != NumberForm::circled && c.number.form != NumberForm::subsection;
  }

  // The page number behind an entry: at its end, or where it is the last, at the end of its line.
  std::int32_t page_of_entry(std::size_t i, std::int64_t end) const {
    const std::int64_t begin = candidates_[i].after;
    if (end - begin <= kLongestEntry) {
      const std::int32_t page = page_at_end(between(document_, begin, end));
      if (page >= 0) return page;
    }
    const std::string_view rest =
        between(document_, begin,
                std::min<std::int64_t>(begin + kLongestEntry,
                                       static_cast<std::int64_t>(document_.text.size())));
    return page_at_end(rest.substr(0, std::min(rest.find('\n'), rest.size())));
  }

  void mark_page_runs() {
    std::vector<std::size_t> entries;
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      if (is_entry(i)) entries.push_back(i);
    }
    std::size_t run = 0;  // where the present run begins, in entries
    std::int32_t last_page = -1;
    for (std::size_t e = 0; e <= entries.size(); ++e) {
      std::int32_t page = -1;
      if (e < entries.size()) {
        const std::int64_t end = e + 1 < entries.size()
                                     ? candidates_[entries[e + 1]].begin
                                     : static_cast<std::int64_t>(document_.text.size());
        page = page_of_entry(entries[e], end);
      }
      // An entry without a number of its own ("ARTICLE II" over its sections) breaks no run.
      const bool is_heading_only =
          page < 0 && e > run && e + 1 < entries.size() &&
          candidates_[entries[e + 1]].begin - candidates_[entries[e]].begin < kLongestEntry / 2;
      if (page >= 0 && page >= last_page) {
        last_page = page;
        continue;
      }
      if (is_heading_only && last_page >= 0) continue;
      close_run(entries, run, e);
      last_page = page;
      run = page >= 0 ? e : e + 1;
    }
  }

  void close_run(const std::vector<std::size_t>& entries, std::size_t begin, std::size_t end) {
    std::size_t with_page = 0, last_with_page = begin;
    for (std::size_t e = begin; e < end; ++e) {
      const std::int64_t stop = e + 1 < entries.size()
                                    ? candidates_[entries[e + 1]].begin
                                    : static_cast<std::int64_t>(document_.text.size());
      if (page_of_entry(entries[e], stop) < 0) continue;
      ++with_page;
      last_with_page = e;
    }
    end = std::min(end, last_with_page + 1);
    if (with_page < kFewestEntries || with_page * 2 < end - begin) return;
    const std::size_t last = entries[end - 1];
    for (std::size_t i = entries[begin]; i <= last; ++i) is_contents_[i] = true;
    for (std::size_t i = last + 1;
         i < candidates_.size() && candidates_[i].line == candidates_[last].line; ++i) {
      is_contents_[i] = true;
    }
  }

  std::string words_of(std::size_t i) const {
    const auto begin = static_cast<std::size_t>(candidates_[i].after);
    std::string_view text = std::string_view(document_.text).substr(begin);
    // "ARTICLE 1." has its heading on the next line; 物权编 is its own.
    int skipped = candidates_[i].number.reading[0].value > 0 ? 0 : 3;
    for (; skipped < 3 && (text.starts_with('\n') || text.starts_with('.')); ++skipped) {
      text.remove_prefix(1);
    }
    return fingerprint(text);
  }

  static bool agree(const std::string& a, const std::string& b) {
    const std::size_t shorter = std::min(a.size(), b.size());
    return shorter >= 4 && a.compare(0, shorter, b, 0, shorter) == 0;
  }

  // The next place after i that has its number and its words; candidates_.size() when none does.
  std::size_t next_twin(std::size_t i) const {
    const Candidate& c = candidates_[i];
    const auto found = places_.find(number_key(c.number, c.number.reading[0]));
    const std::vector<std::size_t>& places = found->second;
    const std::string words = words_of(i);
    auto place = std::upper_bound(places.begin(), places.end(), i);
    for (int looked = 0; place != places.end() && looked < 8; ++place, ++looked) {
      if (agree(words, words_of(*place))) return *place;
    }
    return candidates_.size();
  }

  void mark_repeated_runs() {
    for (std::size_t i = 0; i < candidates_.size(); ++i) {
      const Candidate& c = candidates_[i];
      places_[number_key(c.number, c.number.reading[0])].push_back(i);
    }
    int attempts = 0;
    for (std::size_t i = 0; i < candidates_.size() && attempts < kMostAttempts; ++i) {
      if (is_contents_[i] || is_list_form(candidates_[i].number.form)) continue;
      const std::size_t twin = next_twin(i);
      if (twin == candidates_.size()) continue;
      ++attempts;
      std::size_t end = i + 1, last_repeated = i, repeated = 1;
      while (end < twin && candidates_[end].begin - candidates_[end - 1].begin < kLongestGap) {
        const std::size_t other = next_twin(end);
        if (other < candidates_.size() && other >= twin) {
          ++repeated;
          last_repeated = end;
        }
        ++end;
      }
      end = last_repeated + 1;  // recitals may follow at once
      const bool is_run = end - i >= kFewestEntries && repeated * 10 >= (end - i) * 6;
      if (!is_run && !counts_on_inline(i)) continue;
      if (!is_run) {
        end = i + 1;
        while (end < twin && candidates_[end].line == candidates_[i].line) ++end;
      }
      for (std::size_t k = i; k < end; ++k) is_contents_[k] = true;
    }
  }

  // "1. RIGHTS GRANTED 2 2. TERM 5 3. FEES 9": a contents page in one line, whose later entries
  // stand behind mere words and are no candidates.
  bool counts_on_inline(std::size_t i) const {
    const Candidate& c = candidates_[i];
    if (c.number.form != NumberForm::decimal || c.number.components != 1) return false;
    std::string_view text =
        std::string_view(document_.text)
            .substr(static_cast<std::size_t>(c.after), static_cast<std::size_t>(3 * kLongestEntry));
    text = text.substr(0, std::min(text.find('\n'), text.size()));
    for (std::int32_t n = 1; n <= 2; ++n) {
      const std::string next = " " + std::to_string(c.number.reading[0].value + n) + ". ";
      const std::size_t place = text.find(next);
      if (place > static_cast<std::size_t>(kLongestEntry)) return false;  // npos too
      text = text.substr(place + next.size());
    }
    return true;
  }

  // The list of schedules that often closes a contents page.
  void mark_listed_schedules() {
    for (std::size_t i = 1; i < candidates_.size(); ++i) {
      const bool is_near = candidates_[i].begin - candidates_[i - 1].begin < 2 * kLongestEntry;
      if (candidates_[i].number.form == NumberForm::schedule && is_contents_[i - 1] && is_near) {
        is_contents_[i] = true;
      }
    }
  }

  const Document& document_;
  std::vector<Candidate>& candidates_;
  std::vector<bool> is_contents_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> places_;
};

}  // namespace

void drop_contents(const Document& document, std::vector<Candidate>& candidates) {
  ContentsFilter(document, candidates).run();
}

}  // namespace whereof::document
