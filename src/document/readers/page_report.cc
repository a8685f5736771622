#include "document/readers/page_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "whereof/error.h"

namespace whereof::document {
namespace {

// "2, 5-9, 12"; pages counted from 1.
std::string page_list(const std::vector<std::size_t>& pages) {
  std::string list;
  for (std::size_t i = 0; i < pages.size();) {
    std::size_t j = i;
    while (j + 1 < pages.size() && pages[j + 1] == pages[j] + 1) ++j;
    if (!list.empty()) list += ", ";
    list += std::to_string(pages[i] + 1);
    if (j > i) list += "-" + std::to_string(pages[j] + 1);
    i = j + 1;
  }
  return list;
}

std::string counted(std::int64_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::vector<std::size_t> pages_of(const PageOutcomes& outcomes, PageOutcome which) {
  std::vector<std::size_t> pages;
  for (std::size_t i = 0; i < outcomes.pages.size(); ++i) {
    if (outcomes.pages[i] == which) pages.push_back(i);
  }
  return pages;
}

struct Wording {
  PageOutcome outcome;
  const char* warning;
  const char* of_all;  // said of a document that has no text at all
};

constexpr std::array<Wording, 5> kWordings = {{
    {PageOutcome::picture_unread,
     "pictures without text, not read: text recognition (tesseract) is not installed or is off",
     "a scan, which needs text recognition (OCR): install tesseract, or recognise it first"},
    {PageOutcome::picture_failed,
     "pictures without text, not read: text recognition failed or ran out of its time",
     "a scan, on which text recognition failed or ran out of its time"},
    {PageOutcome::picture_blank, "pictures in which no words were recognised",
     "no words were recognised in them"},
    {PageOutcome::broken, "broken, not read", "broken"},
    {PageOutcome::empty, "empty", "empty"},
}};

std::string subject_of(PageOutcome outcome, std::size_t pages) {
  const std::string count = counted(static_cast<std::int64_t>(pages), "page");
  const bool is_picture = outcome == PageOutcome::picture_unread ||
                          outcome == PageOutcome::picture_failed ||
                          outcome == PageOutcome::picture_blank;
  return is_picture ? count + " with pictures only" : count;
}

}  // namespace

void report_pages(const PageOutcomes& outcomes, Document& document) {
  ReadingReport& report = document.report;
  report.pages = static_cast<std::int64_t>(outcomes.pages.size());
  report.pages_without_text = std::count(outcomes.has_text.begin(), outcomes.has_text.end(), false);
  const std::string of_all = " of " + std::to_string(report.pages);
  const auto recognized = pages_of(outcomes, PageOutcome::recognized);
  report.pages_recognized = static_cast<std::int64_t>(recognized.size());
  if (outcomes.recognized_characters > 0) {
    report.confidence = static_cast<std::int32_t>(
        std::lround(outcomes.confidence_sum / outcomes.recognized_characters));
    report.warnings.push_back("page " + page_list(recognized) + of_all +
                              ": read from pictures by text recognition (" + outcomes.recognizer +
                              "), confidence " + std::to_string(report.confidence) + " %");
  }
  for (const Wording& wording : kWordings) {
    const auto pages = pages_of(outcomes, wording.outcome);
    if (pages.empty()) continue;
    report.warnings.push_back("page " + page_list(pages) + of_all + ": " + wording.warning);
  }
  if (report.hidden_characters > 0) {
    report.warnings.push_back(counted(report.hidden_characters, "hidden character") +
                              " kept out of the text");
  }
}

void refuse_textless(const PageOutcomes& outcomes, const Document& document) {
  const auto count = static_cast<std::int64_t>(outcomes.pages.size());
  std::string message = document.name + ": 0 characters of text on " + counted(count, "page");
  for (const Wording& wording : kWordings) {
    const auto pages = pages_of(outcomes, wording.outcome);
    if (pages.empty()) continue;
    message += "; " + subject_of(wording.outcome, pages.size()) + ": " + wording.of_all;
  }
  if (document.report.hidden_characters > 0) {
    message += "; " + counted(document.report.hidden_characters, "hidden character") + " left out";
  }
  throw Error(ErrorKind::bad_document, message);
}

}  // namespace whereof::document
