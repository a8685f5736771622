// Contracts of the corpus that were published both as PDF and as text.
#include "document/twin.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

namespace whereof {
namespace {

using testing::common_length;
using testing::compare_twins;
namespace fs = std::filesystem;

TEST(Twin, CountsWhatIsCommon) {
  using std::string;
  EXPECT_EQ(common_length(string("abcdef"), string("abcdef")), 6u);
  EXPECT_EQ(common_length(string("abcdef"), string("xbcdyf")), 4u);
  EXPECT_EQ(common_length(string(""), string("abc")), 0u);
  EXPECT_EQ(common_length(string("abc"), string("acb")), 2u);
}

TEST(Twin, BontermsCloudTermsAsPdfAndMarkdown) {
  const char* const named = std::getenv("WHEREOF_CORPUS");
  const fs::path corpus = named != nullptr
                              ? fs::path(named)
                              : fs::path(WHEREOF_SOURCE_DIR) / ".." / "shared" / "corpus";
  const fs::path folder = corpus / "documents" / "contracts_en" / "bonterms";
  if (!fs::is_directory(folder)) GTEST_SKIP() << "no corpus at " << corpus;
  const Document pdf = read_document(folder / "Bonterms-Cloud-Terms-Version-1.0.pdf");
  Document twin = read_document(folder / "Cloud-Terms.md");
  // The Markdown ends in the publisher's notice, which the PDF has in its footers: the title, then
  // the copyright.
  const auto copyright = std::find_if(twin.lines.begin(), twin.lines.end(), [&](const Line& line) {
    return twin.slice(line.text).starts_with("©");
  });
  ASSERT_NE(copyright, twin.lines.begin());
  twin.lines.erase(copyright - 1, twin.lines.end());
  const testing::TwinShare share = compare_twins(pdf, twin);
  std::printf("Cloud Terms: %.2f %% of characters, %.2f %% of %zu clauses\n",
              100 * share.characters, 100 * share.clauses, share.twin_clauses);
  EXPECT_GE(share.characters, 0.995);
  EXPECT_GE(share.clauses, 0.99);
  EXPECT_GT(share.twin_clauses, 100u);
}

}  // namespace
}  // namespace whereof
