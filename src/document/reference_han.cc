// References in Chinese: 第三条第二款第（一）项, 第三条至第五条, 第一、三款, 本条第二款, 前两款,
// 《公司法》第三条, 附件一. A path is a run of units, each a 第 with numbers and the word for the
// unit, or 本 or 前 with the word.
#include <algorithm>
#include <optional>
#include <utility>

#include "document/reference_expression.h"
#include "document/reference_numbers.h"
#include "text/chinese_number.h"
#include "text/utf8.h"

namespace whereof::document {
namespace {

constexpr std::size_t kMostItems = 64;
constexpr std::size_t kMostSteps = 8;
constexpr std::size_t kLongestTitle = 150;  // bytes, of 《中华人民共和国公司法》

using Unit = ReferenceUnit;

bool has(std::string_view text, std::size_t at, std::string_view piece) {
  return text.substr(std::min(at, text.size()), piece.size()) == piece;
}

std::size_t skip_blank(std::string_view text, std::size_t n) {
  return n < text.size() && (text[n] == ' ' || text[n] == '\n') ? n + 1 : n;
}

struct HanUnit {
  std::string_view text;
  Unit unit;
  std::string_view not_before;  // what makes a longer word of it: 本章程, 本项目
};
constexpr HanUnit kUnits[] = {
    {"条款", Unit::clause, ""},      {"条", Unit::section, "例"}, {"条", Unit::section, "件"},
    {"款", Unit::han_paragraph, ""}, {"项", Unit::item, "目"},    {"目", Unit::item, ""},
    {"分编", Unit::title, ""},       {"编", Unit::book, ""},      {"章", Unit::chapter, "程"},
    {"节", Unit::subchapter, ""},    {"部分", Unit::part, ""},
};

const HanUnit* unit_at(std::string_view text, std::size_t n) {
  for (const HanUnit& unit : kUnits) {
    if (!has(text, n, unit.text)) continue;
    const std::size_t end = n + unit.text.size();
    const bool is_longer = std::any_of(std::begin(kUnits), std::end(kUnits), [&](const HanUnit& u) {
      return u.text == unit.text && !u.not_before.empty() && has(text, end, u.not_before);
    });
    return is_longer ? nullptr : &unit;
  }
  return nullptr;
}

// 三, 12, 3.2, （一）: the key and the bytes; 0 bytes where there is none.
std::size_t number_at(std::string_view text, std::size_t begin, std::string& key) {
  std::size_t n = begin;
  std::string_view closing;
  if (has(text, n, "（")) closing = "）";
  if (has(text, n, "(")) closing = ")";
  if (!closing.empty()) n += closing.size();
  n = skip_blank(text, n);
  const std::optional<text::ChineseNumber> number = text::chinese_number(text.substr(n, 48));
  if (number) {
    key = std::to_string(number->value);
    n += number->bytes;
    while (n + 1 < text.size() && text[n] == '.' && text[n + 1] >= '0' && text[n + 1] <= '9') {
      const std::optional<text::ChineseNumber> part = text::chinese_number(text.substr(n + 1, 4));
      if (!part) break;
      key += "." + std::to_string(part->value);
      n += 1 + part->bytes;
    }
  } else if (!closing.empty() && n < text.size() && text[n] >= 'a' && text[n] <= 'z') {
    key = text.substr(n, 1);
    ++n;
  } else {
    return 0;
  }
  n = skip_blank(text, n);
  if (!closing.empty()) {
    if (has(text, n, "）")) {
      n += 3;
    } else if (has(text, n, ")")) {
      n += 1;
    } else {
      return 0;
    }
  }
  return n - begin;
}

struct Joint {
  std::size_t bytes = 0;
  bool is_range = false;
};

Joint joint_at(std::string_view text, std::size_t n) {
  struct Word {
    std::string_view text;
    bool is_range;
  };
  constexpr Word kWords[] = {{"以及", false}, {"或者", false}, {"或", false}, {"和", false},
                             {"与", false},   {"及", false},   {"、", false}, {"，", false},
                             {",", false},    {"至", true},    {"到", true},  {"-", true},
                             {"—", true},     {"–", true},     {"~", true},   {"～", true}};
  for (const Word& word : kWords) {
    if (has(text, n, word.text)) return {word.text.size(), word.is_range};
  }
  return {};
}

class HanScanner {
 public:
  HanScanner(std::string_view text, std::size_t begin, ReferenceExpression& found)
      : text_(text), begin_(begin), found_(found) {}

  bool scan() {
    found_ = {};
    found_.text = {begin_, begin_};
    if (has(text_, begin_, "附")) return scan_attachments();
    ReferencePath path;
    std::size_t n = begin_;
    if (!scan_path(n, path)) return false;
    while (found_.items.size() < kMostItems) {
      const std::size_t gap = skip_blank(text_, n);
      const Joint joint = joint_at(text_, gap);
      if (joint.bytes == 0) break;
      std::size_t next = skip_blank(text_, gap + joint.bytes);
      if (!has(text_, next, "第") || !has_room(joint)) break;
      ReferencePath above = path;
      if (!scan_path(next, above, joint.is_range)) break;
      path = std::move(above);
      n = next;
    }
    found_.text.end = n;
    take_place();
    return true;
  }

 private:
  bool has_room(const Joint& joint) const {
    return !joint.is_range || found_.items.back().last.empty();
  }

  // Reads one path from n on into items, each number of 第一、三款 an item of its own. What `path`
  // holds before is what the new path may carry on from.
  bool scan_path(std::size_t& n, ReferencePath& path, bool ends_range = false) {
    const std::size_t begin = n;
    std::size_t at = n;
    bool is_first = true;
    std::vector<std::string> keys;
    std::vector<bool> ranges;  // keys[i] ends a range
    while (path.size() < kMostSteps) {
      ReferenceStep step;
      std::size_t end = at;
      if (!scan_step(end, step, keys, ranges)) break;
      if (is_first) {
        while (!path.empty() && path.back().unit >= step.unit) path.pop_back();
        if (step.kind != StepKind::numbered) path.clear();
      }
      is_first = false;
      at = end;
      if (keys.size() > 1) {  // 第一、三款 ends the path
        add_items(path, step, keys, ranges, {begin, at});
        path.push_back(std::move(step));
        n = at;
        return true;
      }
      path.push_back(std::move(step));
      const std::size_t next = skip_blank(text_, at);
      if (!has(text_, next, "第") && !has(text_, next, "（")) break;
      at = next;
    }
    if (is_first) return false;
    while (at > begin && (text_[at - 1] == ' ' || text_[at - 1] == '\n')) --at;
    n = at;
    if (ends_range) {
      found_.items.back().last = path;
      found_.items.back().text.end = n;
    } else {
      found_.items.push_back({{begin, n}, path, {}, false});
      if (path[0].count > 1 && path.size() == 1) {  // 前两条: from the second before to the first
        found_.items.back().last = path;
        found_.items.back().last[0].count = 1;
      }
    }
    return true;
  }

  void add_items(const ReferencePath& above, const ReferenceStep& step,
                 const std::vector<std::string>& keys, const std::vector<bool>& ranges,
                 PlaceInText place) {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      ReferencePath path = above;
      path.push_back(step);
      path.back().key = keys[i];
      if (ranges[i] && !found_.items.empty()) {
        found_.items.back().last = std::move(path);
      } else {
        found_.items.push_back({place, std::move(path), {}, false});
      }
    }
  }

  // 第三条, 第（一）项, 第一、三款, 本条, 前款, 前两条; the first key goes into step.
  bool scan_step(std::size_t& n, ReferenceStep& step, std::vector<std::string>& keys,
                 std::vector<bool>& ranges) const {
    keys.clear();
    ranges.clear();
    if (has(text_, n, "第")) return scan_numbered(n, step, keys, ranges);
    if (n != begin_) return false;
    if (has(text_, n, "本")) {
      step.kind = StepKind::this_one;
      return scan_named_unit(n + 3, n, step);
    }
    if (!has(text_, n, "前")) return false;
    step.kind = StepKind::previous;
    std::size_t at = n + 3;
    const std::optional<text::ChineseNumber> count = text::chinese_number(text_.substr(at, 12));
    if (count) {
      step.count = static_cast<int>(std::min<std::int64_t>(count->value, 9));
      at += count->bytes;
    }
    if (has(text_, at, "条款") || (has(text_, at, "款") && has(text_, at + 3, "项"))) return false;
    return scan_named_unit(at, n, step);
  }

  bool scan_named_unit(std::size_t at, std::size_t& n, ReferenceStep& step) const {
    const HanUnit* unit = unit_at(text_, at);
    if (unit == nullptr || unit->unit == Unit::part) return false;
    step.unit = unit->unit;
    if (step.unit == Unit::section) step.key = kHanArticle;
    n = at + unit->text.size();
    return true;
  }

  bool scan_numbered(std::size_t& n, ReferenceStep& step, std::vector<std::string>& keys,
                     std::vector<bool>& ranges) const {
    std::size_t at = skip_blank(text_, n + 3);
    bool ends_range = false;
    const HanUnit* unit = nullptr;
    while (keys.size() < kMostItems) {
      std::string key;
      const std::size_t bytes = number_at(text_, at, key);
      if (bytes == 0) return false;
      keys.push_back(std::move(key));
      ranges.push_back(ends_range);
      at = skip_blank(text_, at + bytes);
      unit = unit_at(text_, at);
      if (unit != nullptr) break;
      const Joint joint = joint_at(text_, at);
      if (joint.bytes == 0) return false;
      at += joint.bytes;
      ends_range = joint.is_range;
    }
    if (unit == nullptr) return false;
    at += unit->text.size();
    step.kind = StepKind::numbered;
    step.unit = unit->unit;
    step.key = keys[0];
    if (has(text_, at, "之")) {  // 第一百二十条之一
      const std::optional<text::ChineseNumber> more =
          text::chinese_number(text_.substr(at + 3, 12));
      if (more && more->value > 0) {
        step.key += "-" + std::to_string(more->value);
        at += 3 + more->bytes;
      }
    }
    n = at;
    return true;
  }

  // 附件一, 附件一至附件三, 附件1、2
  bool scan_attachments() {
    std::string_view name;
    for (const std::string_view word : {"附件", "附录", "附表"}) {
      if (has(text_, begin_, word)) name = word;
    }
    if (name.empty()) return false;
    std::size_t n = begin_ + name.size();
    bool is_range = false;
    while (found_.items.size() < kMostItems) {
      const std::size_t begin = skip_blank(text_, n);
      std::string key;
      std::size_t bytes = number_at(text_, begin, key);
      if (bytes == 0 && begin < text_.size() && text_[begin] >= 'A' && text_[begin] <= 'Z') {
        key = text_.substr(begin, 1);
        bytes = 1;
      }
      if (bytes == 0 || has(text_, begin + bytes, "份") || has(text_, begin + bytes, "个")) break;
      ReferencePath path = {{StepKind::numbered, Unit::schedule, std::string(name) + " " + key, 1}};
      if (is_range) {
        found_.items.back().last = std::move(path);
      } else {
        found_.items.push_back({{begin, begin + bytes}, std::move(path), {}, false});
      }
      found_.text.end = found_.items.back().text.end = begin + bytes;
      const Joint joint = joint_at(text_, found_.text.end);
      if (joint.bytes == 0) break;
      n = found_.text.end + joint.bytes;
      if (has(text_, n, name)) n += name.size();
      is_range = joint.is_range;
    }
    if (found_.items.empty()) return false;
    if (found_.items.size() == 1 && found_.items[0].last.empty()) scan_inside_attachment();
    take_place();
    return true;
  }

  void scan_inside_attachment() {
    std::size_t n = found_.text.end;
    if (has(text_, n, "的")) n += 3;
    ReferencePath path = found_.items[0].first;
    if (!has(text_, n, "第")) return;
    found_.items.clear();
    if (scan_path(n, path)) {
      found_.text.end = n;
      found_.items[0].text.begin = begin_;
    }
  }

  // What stands before: 本协议第三条, 《公司法》第三条, 公司法第三条.
  void take_place() {
    std::size_t end = begin_;
    while (end > 0 && (text_[end - 1] == ' ' || text_[end - 1] == '\n')) --end;
    const std::string_view before =
        text_.substr(end > 180 ? end - 180 : 0, std::min<std::size_t>(end, 180));
    const std::size_t offset = end - before.size();
    std::string_view name = before;
    if (name.ends_with("的")) name.remove_suffix(3);
    if (name.ends_with("》") || name.ends_with("〉")) {
      const std::size_t open = name.rfind("《");
      if (open == std::string_view::npos || name.size() - open > kLongestTitle) return;
      const std::string_view lead = name.substr(0, open);
      found_.place = lead.ends_with("本") ? ReferencePlace::own : ReferencePlace::outside;
      found_.outside = {offset + open + 3, offset + name.size() - 3};
      return;
    }
    for (const std::string_view word : {"本法", "本协议", "本合同", "本章程", "本办法", "本条例",
                                        "本规定", "本补充协议", "本细则", "本制度", "本规则"}) {
      if (name.ends_with(word)) {
        found_.place = ReferencePlace::own;
        return;
      }
    }
    for (const std::string_view word : {"法典", "法", "条例", "办法", "细则", "准则", "原协议",
                                        "原合同", "主合同", "主协议", "公约"}) {
      if (!name.ends_with(word)) continue;
      if (word == "法" && (name.ends_with("方法") || name.ends_with("违法") ||
                           name.ends_with("依法") || name.ends_with("合法"))) {
        continue;
      }
      found_.place = ReferencePlace::outside;
      found_.outside = {end - word.size(), end};
      return;
    }
  }

  std::string_view text_;
  std::size_t begin_;
  ReferenceExpression& found_;
};

bool may_begin_english(std::string_view text, std::size_t at) {
  const char c = text[at];
  const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  if (is_letter) {
    if (at == 0) return true;
    const char before = text[at - 1];
    return !((before >= 'a' && before <= 'z') || (before >= 'A' && before <= 'Z') ||
             (before >= '0' && before <= '9') || before == '-' || before == '\'');
  }
  return has(text, at, "§");
}

bool may_begin_han(std::string_view text, std::size_t at) {
  return has(text, at, "第") || has(text, at, "本") || has(text, at, "前") || has(text, at, "附");
}

}  // namespace

bool scan_han_reference(std::string_view text, std::size_t begin, ReferenceExpression& found) {
  return HanScanner(text, begin, found).scan();
}

std::vector<ReferenceExpression> scan_references(std::string_view text) {
  std::vector<ReferenceExpression> expressions;
  ReferenceExpression found;
  for (std::size_t at = 0; at < text.size();) {
    const bool is_found =
        (may_begin_english(text, at) && scan_english_reference(text, at, found)) ||
        (may_begin_han(text, at) && scan_han_reference(text, at, found));
    if (is_found) {
      at = std::max(found.text.end, at + 1);
      expressions.push_back(std::move(found));
      found = {};
    } else {
      ++at;
    }
  }
  return expressions;
}

}  // namespace whereof::document
