// The language, feature by feature, against Jinja2.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "chat_template/json_values.h"
#include "whereof/error.h"

namespace whereof::chat_template {
namespace {

TEST(Language, IsThatOfJinja) {
  std::ifstream lines(WHEREOF_SOURCE_DIR "/tests/chat_template/golden/language.jsonl");
  std::string line;
  std::getline(lines, line);
  const auto variables = tests::Json::parse(line);
  int texts = 0;
  int errors = 0;
  while (std::getline(lines, line)) {
    const auto golden = tests::Json::parse(line);
    const auto source = golden["template"].get<std::string>();
    SCOPED_TRACE(source);
    try {
      const MarkedText text = tests::render(source, variables);
      EXPECT_TRUE(golden["text"].is_string()) << text.bytes();
      EXPECT_EQ(text.bytes(), golden["text"].is_string() ? golden["text"].get<std::string>() : "");
      ++texts;
    } catch (const Error& error) {
      EXPECT_TRUE(golden["text"].is_null()) << error.what();
      ++errors;
    }
  }
  EXPECT_GT(texts, 250);
  EXPECT_GT(errors, 80);
}

// Which characters of the result are the template's: "t" for each that is, "m" for a message's.
std::string marks(const std::string& source, const std::string& content) {
  const tests::Json variables = {{"messages", {{{"role", "user"}, {"content", content}}}}};
  const MarkedText text = tests::render("{% set c = messages[0].content %}" + source, variables);
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) result += text.is_template_at(i) ? 't' : 'm';
  return result;
}

TEST(Marks, GoWithTheText) {
  EXPECT_EQ(marks("{{ '<' ~ c ~ '>' }}", "ab"), "tmmt");
  EXPECT_EQ(marks("{{ '<' + c + '>' }}-", "ab"), "tmmtt");
  EXPECT_EQ(marks("{{ c | trim }}{{ c.strip() }}{{ c.rstrip('b') }}", " ab "), "mmmmmmmm");
  EXPECT_EQ(marks("{{ ('<' ~ c ~ '>')[1:] }}", "ab"), "mmt");
  EXPECT_EQ(marks("{{ ('<' ~ c ~ '>')[::-1] }}", "ab"), "tmmt");
  EXPECT_EQ(marks("{{ ('<' ~ c)[0] }}{{ ('<' ~ c)[1] }}", "ab"), "tm");
  EXPECT_EQ(marks("{{ c.split(',') | join('<>') }}", "a,b"), "mttm");
  EXPECT_EQ(marks("{{ '-'.join([c, 'x']) }}", "ab"), "mmtt");
  EXPECT_EQ(marks("{{ c | replace('a', 'xy') }}{{ 'a' | replace('a', c) }}", "ab"), "ttmmm");
  EXPECT_EQ(marks("{{ c.replace('b', '') }}", "ab"), "m");
  EXPECT_EQ(marks("{{ ('a' ~ c) | upper }}{{ c | title }}{{ c | capitalize }}", "ß"), "tmmmmmm");
  EXPECT_EQ(marks("{{ c | tojson }}", "a\nb"), "tmmmmt");
  EXPECT_EQ(marks("{{ [c] }}", "a\n"), "ttmmmtt");
  EXPECT_EQ(marks("{{ ('a' ~ c) * 2 }}", "b"), "tmtm");
  EXPECT_EQ(marks("{% for x in c %}{{ x }}.{% endfor %}", "ab"), "mtmt");
  EXPECT_EQ(marks("{% set x %}<{{ c }}>{% endset %}{{ x | trim }}", "ab"), "tmmt");
  EXPECT_EQ(marks("{% macro f(x) %}<{{ x }}>{% endmacro %}{{ f(c) }}", "ab"), "tmmt");
  EXPECT_EQ(marks("{% filter upper %}a{{ c }}{% endfilter %}", "b"), "tm");
  EXPECT_EQ(marks("{{ c | indent(2, true) }}", "a\nb"), "ttmtttm");
  EXPECT_EQ(marks("{{ c | reverse }}{{ c | first }}{{ c | list | last }}", "ab"), "mmmm");
  EXPECT_EQ(marks("{{ c | default('x') }}{{ c if c else 'x' }}{{ c or 'x' }}", "a"), "mmm");
  EXPECT_EQ(marks("{{ {'k': c}.k }}{{ dict(k=c)['k'] }}{{ namespace(k=c).k }}", "a"), "mmm");
  EXPECT_EQ(marks("{{ messages | map(attribute='content') | join }}", "a"), "m");
  EXPECT_EQ(marks("{{ messages[0].role }}{{ c | length }}", "a"), "ttttt");
}

}  // namespace
}  // namespace whereof::chat_template
