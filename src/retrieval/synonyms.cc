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

// What people say, then what Chinese statutes and contracts write for it. One way only: a clause's
// own words need no help.
constexpr std::string_view kPlainWords[] = {
    "老公 丈夫 配偶 夫妻",
    "老婆 妻子 配偶 夫妻",
    "媳妇 妻子 婚姻 结婚",
    "两口子 夫妻 婚姻",
    "小两口 夫妻 婚姻",
    "散伙 离婚 解除 解散",
    "闹掰 离婚 解除",
    "家产 财产 遗产",
    "家当 财产 遗产",
    "分家 分割 遗产",
    "爸妈 父母",
    "爹妈 父母",
    "爷爷 祖父 继承",
    "奶奶 祖母 继承",
    "外公 外祖 继承",
    "外婆 外祖 继承",
    "亲人 亲属 配偶 继承",
    "家里人 亲属 利害",
    "小孩 子女 未成",
    "娃娃 子女 未成",
    "怀孕 胎儿",
    "肚子 胎儿",
    "没出生 胎儿 出生",
    "去世 死亡 继承",
    "过世 死亡 继承",
    "死了 死亡",
    "走了 死亡 继承",
    "失踪 下落 不明 失踪",
    "找不到 难以 下落 不明",
    "彩礼 财物 婚姻",
    "嫁妆 财物 婚姻",
    "工资 报酬 工资",
    "挣的 所得 收益",
    "房东 出租",
    "租客 承租",
    "租房 租赁 承租",
    "租住 租赁 承租",
    "租着 租赁 承租",
    "房子 房屋 不动 住宅",
    "过户 登记 转移",
    "归谁 所有 归属",
    "卖家 出卖",
    "买家 买受",
    "卖了 出卖 转让",
    "卖给 出卖 转让",
    "顾客 消费 对方",
    "店家 经营 提供",
    "老板 用人 雇主",
    "打工 劳务 报酬",
    "债主 债权",
    "欠钱 债务",
    "借钱 借款",
    "放贷 借款 利率",
    "利滚利 高利 利率",
    "还钱 返还 清偿 偿还",
    "还债 清偿 偿还",
    "要回 追回 返还",
    "要钱 请求 债权",
    "告状 诉讼 起诉",
    "官司 诉讼",
    "作废 无效 撤销",
    "反悔 撤销 解除",
    "算数 效力 无效",
    "有用 效力 无效",
    "一拍两散 解除 终止",
    "弄错 误解 错误",
    "搞错 误解 错误",
    "逼着 胁迫 强制",
    "威胁 胁迫",
    "刀 胁迫",
    "骗人 欺诈",
    "上当 欺诈",
    "串通 恶意 串通",
    "坑人 损害 欺诈",
    "捡到 拾得 遗失",
    "丢了 遗失",
    "钱包 遗失",
    "弄坏 毁损 损坏",
    "坏了 毁损 灭失",
    "摔坏 毁损 灭失",
    "弄伤 人身 损害 伤害",
    "打伤 人身 损害 伤害",
    "砸伤 坠落 损害",
    "扔东西 抛掷",
    "乱扔 抛掷",
    "往下扔 抛掷",
    "楼上 建筑",
    "救人 救助",
    "好心 自愿",
    "不知情 善意",
    "偷卖 处分 无权",
    "价钱 价格 价款",
    "到期 届满 期限",
    "收走 收回 续期",
    "年限 期限",
    "自家 住宅",
    "概不负责 免除 责任",
    "不用赔 免责 责任",
    "赔钱 赔偿 责任 补偿",
    "行情 条件 变化",
    "剧变 变化 重大",
    "吃亏 公平 损失",
    "想不到 预见",
    "重新谈 协商",
    "谈不拢 协商 协议",
    "商量 协商",
    "不肯 拒绝 履行",
    "不干 拒绝 履行",
    "干活 履行 工作",
    "逼他 强制 履行",
    "坐过站 超程 乘坐",
    "火车 旅客 客票",
    "车票 客票 票款",
    "飞机 旅客 客票",
    "不吭声 表示",
    "不表态 表示",
    "没说 约定",
    "写明 约定 条款",
    "先得 顺序",
    "先拿到 优先 受偿",
    "先买 优先 购买",
    "赊购 价款 抵押",
    "机会 权利",
    "这个亏 风险 承担",
    "路上 交付 运输",
    "期满 届满 期限",
    "天价 财物 索取",
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
