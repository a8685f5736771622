// The vocabulary of commercial contracts, a line of words for each matter. A question says "does
// the agreement end", the clause says "this Agreement shall expire"; full text alone cannot know.
// The lines come from how contracts are written, not from any question; a word may stand in
// several.
#include "retrieval/synonyms.h"

#include <algorithm>
#include <map>
#include <vector>

#include "retrieval/terms.h"

namespace whereof::retrieval {
namespace {

constexpr std::string_view kGroups[] = {
    "affiliate subsidiary parent",
    "amend amendment modify modification vary variation",
    "assign assignment transfer delegate convey",
    "audit inspect inspection examine examination records",
    "begin commence commencement start effective",
    "breach default violation violate fail failure",
    "buy purchase order acquire procure",
    "cap capped limit limited limitation exceed maximum aggregate",
    "cause convenience reason",
    "charge fee price cost",
    "compete competing competitive competitor competition",
    "confidential confidentiality secret secrecy proprietary",
    "consent approval permission authorization",
    "contest challenge dispute oppose",
    "control merger acquisition consolidation change",
    "court jurisdiction venue forum tribunal",
    "create develop conceive invent invention",
    "customer client",
    "damages loss losses compensation",
    "disclose disclosure reveal divulge",
    "dispute arbitration controversy litigation",
    "employee personnel staff hire employ",
    "end expire expiration expiry terminate termination",
    "exclude exception except unlimited",
    "exclusive exclusively exclusivity sole solely",
    "forbid forbidden prohibit prohibition restrict restriction refrain",
    "indemnify indemnification indemnity harmless",
    "insurance insure insured policy coverage",
    "joint jointly together",
    "keep retain maintain preserve",
    "law govern governed construed",
    "liability liable responsible",
    "license licence sublicense grant",
    "notice notify notification inform",
    "obligation duty covenant undertake",
    "own owner ownership title property vest",
    "pay payment payable remit",
    "promise agree covenant undertake",
    "renew renewal extend extension successive",
    "return destroy destruction deliver",
    "revenue profit royalty proceeds income sales",
    "share split percentage portion",
    "solicit induce entice recruit",
    "sue suit claim action proceeding litigation",
    "term duration period",
    "volume quantity amount number",
    "warranty warrant guarantee representation",
    "终止 解除 结束",
    "赔偿 补偿 损害",
    "期限 期间 时间",
    "上限 限额 最高 超过",
    "同意 许可 批准",
    "通知 告知",
    "保密 秘密",
    "转让 让与 移转",
    "争议 纠纷 仲裁",
    "违约 违反",
    "担保 保证",
    "费用 价款 报酬",
};

using Table = std::map<std::string, std::vector<std::string>, std::less<>>;

// The last term of each word: of a Chinese word of two characters the pair.
std::vector<std::string> terms_of_group(TermScanner& scanner, std::string_view group) {
  std::vector<std::string> terms;
  std::int64_t end = -1;
  scanner.scan(group, [&](const Term& term) {
    if (term.is_colocated || term.bytes.begin == end) terms.pop_back();
    terms.emplace_back(term.text);
    end = term.bytes.end;
    return true;
  });
  std::sort(terms.begin(), terms.end());
  terms.erase(std::unique(terms.begin(), terms.end()), terms.end());
  return terms;
}

Table make_table() {
  Table table;
  TermScanner scanner;
  for (const std::string_view group : kGroups) {
    const std::vector<std::string> terms = terms_of_group(scanner, group);
    for (const std::string& term : terms) {
      std::vector<std::string>& others = table[term];
      for (const std::string& other : terms) {
        const bool is_new = std::find(others.begin(), others.end(), other) == others.end();
        if (other != term && is_new) others.push_back(other);
      }
    }
  }
  return table;
}

}  // namespace

std::span<const std::string> synonyms_of(std::string_view term) {
  static const Table table = make_table();
  const auto found = table.find(term);
  if (found == table.end()) return {};
  return found->second;
}

}  // namespace whereof::retrieval
