#include "answering/declining.h"

#include <gtest/gtest.h>

namespace whereof::answering {
namespace {

TEST(Declining, IsSeenInBothLanguages) {
  for (const char* answer :
       {"Not stated.", "\"Not stated.\"", "not stated in the contract",
        "The agreement does not specify a governing law.", "The clauses do not state it.",
        "The provided clauses do not mention insurance.",
        "The initial term is not stated in the given clauses.",
        "There is no mention of a penalty in the document.", "未载明。", "“未载明”",
        "条款中没有规定违约金。", "合同未提及保险。"}) {
    EXPECT_TRUE(is_declining(answer)) << answer;
  }
}

TEST(Declining, IsNotSeenInAnswers) {
  for (const char* answer :
       {"", "The term is five years.", "The Seller shall not state its price publicly.",
        "Yes. The agreement does not specify a cap in clause 11, so the two conflict.",
        "The price is not stated net of tax; it is £5.", "买方应在三十日内付款。",
        "是的，第三条设有上限。合同未提及例外。"}) {
    EXPECT_FALSE(is_declining(answer)) << answer;
  }
}

}  // namespace
}  // namespace whereof::answering
