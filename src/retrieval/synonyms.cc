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

// What people say, then what Chinese statutes and contracts write for it: words of a dictionary,
// whoever asks. One way only: a clause's own words need no help.
constexpr std::string_view kPlainWords[] = {
    "老公 丈夫 配偶 夫妻", "老婆 妻子 配偶 夫妻", "媳妇 妻子 配偶 夫妻", "两口子 夫妻",
    "小两口 夫妻",         "家产 财产 遗产",      "家当 财产 遗产",      "爸妈 父母",
    "爹妈 父母",           "爷爷 祖父",           "奶奶 祖母",           "外公 外祖",
    "外婆 外祖",           "亲人 亲属",           "小孩 子女 未成",      "娃娃 子女 未成",
    "怀孕 胎儿",           "去世 死亡",           "过世 死亡",           "嫁妆 财物",
    "彩礼 财物",           "工资 报酬",           "房东 出租",           "租客 承租",
    "租房 租赁",           "房子 房屋 不动 住宅", "过户 登记 转移",      "卖家 出卖",
    "买家 买受",           "顾客 消费",           "店家 经营",           "老板 用人",
    "打工 劳务",           "债主 债权",           "欠钱 债务",           "借钱 借款",
    "放贷 借款",           "利滚利 高利 利率",    "还钱 返还 清偿 偿还", "还债 清偿 偿还",
    "告状 诉讼 起诉",      "官司 诉讼",           "作废 无效 撤销",      "反悔 撤销 解除",
    "搞错 误解 错误",      "弄错 误解 错误",      "威胁 胁迫",           "骗人 欺诈",
    "上当 欺诈",           "捡到 拾得 遗失",      "丢了 遗失",           "弄坏 毁损 损坏",
    "坏了 毁损 灭失",      "摔坏 毁损 灭失",      "打伤 人身 伤害",      "不知情 善意",
    "价钱 价格 价款",      "到期 届满 期限",      "期满 届满 期限",      "赔钱 赔偿 补偿",
    "商量 协商",           "火车 旅客 客票",      "飞机 旅客 客票",      "车票 客票 票款",
};

using Table = std::map<std::string, std::vector<std::string>, std::less<>>;

// The last term of each word, in order: of a Chinese word the pair of its last two characters.
std::vector<std::string> terms_of_group(TermScanner& scanner, std::string_view group) {
  std::vector<std::string> terms;
  std::int64_t end = -1;
  scanner.scan(group, [&](const Term& term) {
    if (term.is_colocated || term.bytes.begin == end) terms.pop_back();
    terms.emplace_back(term.text);
    end = term.bytes.end;
    return true;
  });
  return terms;
}

void add_other(Table& table, const std::string& term, const std::string& other) {
  std::vector<std::string>& others = table[term];
  if (other != term && std::find(others.begin(), others.end(), other) == others.end()) {
    others.push_back(other);
  }
}

Table make_table() {
  Table table;
  TermScanner scanner;
  for (const std::string_view group : kGroups) {
    const std::vector<std::string> terms = terms_of_group(scanner, group);
    for (const std::string& term : terms) {
      for (const std::string& other : terms) add_other(table, term, other);
    }
  }
  for (const std::string_view line : kPlainWords) {
    const std::vector<std::string> terms = terms_of_group(scanner, line);
    for (const std::string& other : terms) add_other(table, terms.front(), other);
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
