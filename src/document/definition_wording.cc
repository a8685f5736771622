#include "document/definition_wording.h"

#include <algorithm>
#include <iterator>

#include "document/clause_wording.h"
#include "document/reference_wording.h"

namespace whereof::document {
namespace {

using Strength = DefiningVerb::Strength;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

constexpr DefiningVerb kMeans = {"means", Strength::strong, false};

constexpr DefiningVerb kVerbs[] = {
    kMeans,
    {"mean", Strength::strong, false},
    {"shall mean", Strength::strong, false},
    {"shall means", Strength::plain, false},
    {"will mean", Strength::plain, false},
    {"shall be deemed to mean", Strength::plain, false},
    {"refers to", Strength::plain, false},
    {"refer to", Strength::plain, false},
    {"shall refer to", Strength::plain, false},
    {"includes", Strength::weak, false},
    {"include", Strength::weak, false},
    {"shall include", Strength::weak, false},
    {"has the meaning", Strength::strong, true},
    {"has the meanings", Strength::plain, true},
    {"has the same meaning", Strength::plain, true},
    {"has the respective meaning", Strength::plain, true},
    {"have the meaning", Strength::plain, true},
    {"have the meanings", Strength::plain, true},
    {"have the same meaning", Strength::plain, true},
    {"have the respective meanings", Strength::plain, true},
    {"shall have the meaning", Strength::strong, true},
    {"shall have the meanings", Strength::plain, true},
    {"shall have the same meaning", Strength::plain, true},
    {"shall have the respective meaning", Strength::plain, true},
    {"shall have that meaning", Strength::plain, true},
    {"will have the meaning", Strength::plain, true},
    {"is defined", Strength::plain, true},
    {"are defined", Strength::plain, true},
    {"is hereby defined", Strength::plain, false},
    {"shall be defined", Strength::plain, true},
};

constexpr DefiningVerb kHanMeans = {"指", Strength::plain, false};
constexpr DefiningVerb kHanVerbs[] = {
    kHanMeans,
    {"是指", Strength::plain, false},
    {"系指", Strength::plain, false},
    {"意指", Strength::plain, false},
    {"即指", Strength::plain, false},
    {"均指", Strength::plain, false},
    {"应指", Strength::plain, false},
    {"指的是", Strength::plain, false},
    {"意为", Strength::plain, false},
    {"具有", Strength::plain, true},
    {"的定义", Strength::plain, true},
    {"是", Strength::weak, false},
    {"系", Strength::weak, false},
};

// Words that lead to a term inside brackets: (the "X"), (collectively, the "Xs"), (hereinafter
// called "X").
constexpr std::string_view kLeads[] = {
    "the",          "this",      "these",  "such",         "a",        "an",           "each",
    "any",          "as",        "as the", "collectively", "together", "individually", "jointly",
    "hereinafter",  "hereafter", "called", "or",           "and",      "herein",       "either",
    "respectively", "being",     "our",    "its",          "to",       "be",           "of",
    "sometimes"};

constexpr std::string_view kNamings[] = {"referred to as",
                                         "referred to herein as",
                                         "referred to hereinafter as",
                                         "hereinafter",
                                         "hereinafter called",
                                         "hereafter called",
                                         "hereinafter referred to as",
                                         "known as",
                                         "defined as",
                                         "designated as",
                                         "herein called",
                                         "referred to in this agreement as",
                                         "hereafter referred to as",
                                         "to herein as",
                                         "to collectively as",
                                         "to individually as",
                                         "collectively as",
                                         "to hereafter as",
                                         "identified as",
                                         "individually as"};

constexpr std::string_view kHanNamings[] = {
    "以下简称为", "以下简称", "以下合称为", "以下合称", "以下统称为", "以下统称", "以下称为",
    "以下称",     "下称",     "简称为",     "简称",     "合称为",     "合称",     "统称为",
    "统称",       "称之为",   "以下分别称", "分别称为", "称为",       "称作",     "下文简称"};

}  // namespace

bool has(std::string_view text, std::size_t at, std::string_view piece) noexcept {
  return text.size() >= at + piece.size() && text.compare(at, piece.size(), piece) == 0;
}

std::size_t skip_blanks(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() && is_blank(text[at])) ++at;
  return at;
}

const DefiningVerb& plain_verb() { return kMeans; }

// What defines the term before it, at this place; nullptr where nothing does.
const DefiningVerb* verb_at(std::string_view text, std::size_t n) {
  const DefiningVerb* best = nullptr;
  for (const DefiningVerb& verb : kVerbs) {
    if (!word_at(text, n, verb.text)) continue;
    if (best == nullptr || verb.text.size() > best->text.size()) best = &verb;
  }
  if (best != nullptr) return best;
  for (const std::string_view joint : {"：", ":", "，", "，是", "，系"}) {
    if (has(text, n, joint) && has(text, n + joint.size(), "指")) return &kHanMeans;
  }
  if (has(text, n, "，") || has(text, n, "：")) n += 3;
  for (const DefiningVerb& verb : kHanVerbs) {
    if (has(text, n, verb.text)) return &verb;
  }
  return nullptr;
}

// "(or "Y")", "(as amended)" behind a term: the place behind it.
std::size_t skip_brackets(std::string_view text, std::size_t n) {
  constexpr std::size_t kLongest = 200;
  const std::size_t open = skip_blanks(text, n);
  const bool is_wide = has(text, open, "（");
  if (!is_wide && !has(text, open, "(")) return n;
  const std::size_t close = text.substr(open, kLongest).find(is_wide ? "）" : ")");
  return close == std::string_view::npos ? n : open + close + (is_wide ? 3 : 1);
}

bool ends_in_lead(std::string_view before) {
  before = trim(before);
  while (before.ends_with(',') || before.ends_with(':')) {
    before = trim(before.substr(0, before.size() - 1));
  }
  const std::string_view word = last_word(before);
  for (const std::string_view lead : kLeads) {
    if (word.size() == lead.size() && word_at(word, 0, lead)) return true;
  }
  return false;
}

// 'hereinafter referred to as the "X"', outside brackets too.
bool ends_in_naming(std::string_view before) {
  before = trim(before);
  for (const std::string_view lead :
       {"the", "a", "an", "each", ",", "collectively,", "either", "collectively", "individually"}) {
    if (before.size() > lead.size() && word_at(before, before.size() - lead.size(), lead)) {
      before = trim(before.substr(0, before.size() - lead.size()));
    }
  }
  for (const std::string_view naming : kNamings) {
    if (before.size() >= naming.size() && word_at(before, before.size() - naming.size(), naming)) {
      return true;
    }
  }
  return false;
}

std::size_t han_naming_bytes(std::string_view before) {
  while (before.ends_with("：") || before.ends_with("，")) before.remove_suffix(3);
  before = trim(before);
  for (const std::string_view naming : kHanNamings) {
    if (before.ends_with(naming)) return naming.size();
  }
  return 0;
}

}  // namespace whereof::document
