// Each limit just under and just over, and templates made to harm.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <string>

#include "chat_template/json_values.h"
#include "whereof/error.h"

namespace whereof::chat_template {
namespace {

using testing::HasSubstr;

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

MarkedText render(const std::string& source, const Limits& limits = {}) {
  return tests::render(source, tests::Json::object(), limits);
}

void expect_refused(const std::string& source, const std::string& reason,
                    ErrorKind kind = ErrorKind::unsupported, const Limits& limits = {}) {
  try {
    const MarkedText text = render(source, limits);
    FAIL() << source.substr(0, 200) << " gave " << text.size() << " bytes";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    EXPECT_THAT(error.what(), HasSubstr("line "));
    EXPECT_THAT(error.what(), HasSubstr(reason)) << source.substr(0, 200);
  }
}

TEST(Limits, DepthOfBrackets) {
  // The template's block and the expression itself are the first two levels.
  const auto nested = [](int levels) {
    return "{{ " + repeated("(", levels) + "1" + repeated(")", levels) + " }}";
  };
  EXPECT_EQ(render(nested(62)).bytes(), "1");
  expect_refused(nested(63), "over 64 deep");
  expect_refused("{{ " + repeated("[", 63) + "1" + repeated("]", 63) + " }}", "over 64 deep");
  expect_refused("{{ " + repeated("{1:", 63) + "1" + repeated("}", 63) + " }}", "over 64 deep");
  expect_refused("{{ " + repeated("not ", 64) + "1 }}", "over 64 deep");
  expect_refused("{{ " + repeated("-", 64) + "1 }}", "over 64 deep");
  expect_refused("{{ " + repeated("1 if 1 else ", 64) + "1 }}", "over 64 deep");
  expect_refused("{{ x" + repeated("[x", 64) + repeated("]", 64) + " }}", "over 64 deep");
  expect_refused("{{ x" + repeated("(x", 64) + repeated(")", 64) + " }}", "over 64 deep");
  expect_refused("{{ 1" + repeated(" if 1", 64) + " }}", "inline ifs");
}

TEST(Limits, DepthOfBlocks) {
  const auto nested = [](int levels) {
    return repeated("{% if true %}", levels) + "x" + repeated("{% endif %}", levels);
  };
  EXPECT_EQ(render(nested(63)).bytes(), "x");
  expect_refused(nested(64), "over 64 deep");
  const auto loops = [](int levels) {
    return repeated("{% for i in [1] %}", levels) + "x" + repeated("{% endfor %}", levels);
  };
  EXPECT_EQ(render(loops(63)).bytes(), "x");
  expect_refused(loops(64), "over 64 deep");
}

TEST(Limits, DepthOfCalls) {
  const auto calls = [](int levels) {
    return "{% macro f(n) %}{% if n > 1 %}{{ f(n - 1) }}{% else %}x{% endif %}{% endmacro %}{{ f(" +
           std::to_string(levels) + ") }}";
  };
  EXPECT_EQ(render(calls(64)).bytes(), "x");
  expect_refused(calls(65), "calls lie over 64 deep");
  expect_refused("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", "calls lie over 64 deep");
  expect_refused(
      "{% macro f() %}{{ g() }}{% endmacro %}{% macro g() %}{{ f() }}{% endmacro %}{{ f() }}",
      "over 64 deep");
  expect_refused("{% macro f(a=f()) %}{% endmacro %}{{ f() }}", "over 64 deep");
  expect_refused("{% macro f() %}{% call f() %}{% endcall %}{% endmacro %}{{ f() }}",
                 "over 64 deep");
  expect_refused("{% macro f() %}" + repeated("{% if true %}", 50) + "{{ f() }}" +
                     repeated("{% endif %}", 50) + "{% endmacro %}{{ f() }}",
                 "lie over 512 deep");
}

TEST(Limits, DepthOfValues) {
  const auto values = [](int levels) {
    return "{% set ns = namespace(x=1) %}{% for i in range(" + std::to_string(levels) +
           ") %}{% set ns.x = [ns.x] %}{% endfor %}{{ ns.x | tojson | length }}";
  };
  EXPECT_EQ(render(values(64)).bytes(), "129");
  expect_refused(values(65), "values lie 65 deep");
}

TEST(Limits, StepsOfLoops) {
  const auto steps = [](int tens, int more) {
    return "{% for i in range(" + std::to_string(tens) +
           ") %}{% for j in range(99999) %}{% endfor %}{% endfor %}{% for k in range(" +
           std::to_string(more) + ") %}{% endfor %}x";
  };
  EXPECT_EQ(render(steps(10, 0)).bytes(), "x");  // 10 + 999,990
  expect_refused(steps(10, 1), "over 1000000 steps");
  expect_refused("{% for i in range(1000000000) %}{% endfor %}", "over 100000 numbers");
  expect_refused("{{ range(0, 9223372036854775807, 1) }}", "over 100000 numbers");
  EXPECT_EQ(render("{{ range(9223372036854775806, 9223372036854775807, 5) | list }}").bytes(),
            "[9223372036854775806]");
}

TEST(Limits, BytesOfTheOutput) {
  EXPECT_EQ(render("{{ 'a' * 1048576 }}").size(), std::size_t{1 << 20});
  expect_refused("{{ 'a' * 1048577 }}", "writes over 1048576 bytes");
  expect_refused("{% for i in range(1000) %}" + repeated("a", 2000) + "{% endfor %}",
                 "writes over 1048576 bytes");
}

TEST(Limits, BytesOfTheTemplate) {
  const std::string most = "{#" + std::string((1 << 20) - 4, ' ') + "#}";
  EXPECT_EQ(render(most).bytes(), "");
  expect_refused(most + " ", "it has 1048577 bytes, wanted at most 1048576");
}

TEST(Limits, WorkOfAllKinds) {
  const std::string bombs[] = {
      "{{ 'a' * 1000000000 }}",
      "{{ ['a'] * 1000000000 }}",
      "{{ ('a' * 1000000) * 1000000 }}",
      "{{ (['a' * 1000000] * 100000000) | length }}",
      "{% set x = 'a' * 1000000 %}{{ (range(100000) | join(x)) | length }}",
      "{% set x = 'a' * 1000000 %}{{ x.replace('a', x) | length }}",
      "{% set x = 'a' * 1000000 %}{{ x.replace('', x) | length }}",
      "{% set x = 'a' * 1000000 %}{{ x.join(range(100000) | map('string') | list) | length }}",
      "{% set ns = namespace(x='aaaaaaaa') %}{% for i in range(100) %}{% set ns.x = ns.x + ns.x %}"
      "{% endfor %}{{ ns.x | length }}",
      "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}"
      "{% endfor %}{{ ns.x | string | length }}",
      "{% set ns = namespace(x=[1]) %}{% for i in range(60) %}{% set ns.x = [ns.x, ns.x] %}"
      "{% endfor %}{{ ns.x | tojson | length }}",
      "{% set a = namespace(x=[1], y=[1]) %}{% for i in range(60) %}{% set a.x = [a.x, a.x] %}"
      "{% set a.y = [a.y, a.y] %}{% endfor %}{{ a.x == a.y }}",
      "{% set x = 'a' * 1000000 %}{% for i in range(100000) %}{% set y = x[1:] %}{% endfor %}",
      "{% set x = 'a' * 1000000 %}{% for i in range(100000) %}{% if 'b' in x %}{% endif %}{% "
      "endfor %}",
      "{% set x = 'a' * 1000000 %}{% for i in range(100000) %}{{ x.find('b') }}{% endfor %}",
      "{% set x = 'a' * 1000000 %}{% for i in range(100000) %}{% if x == x %}{% endif %}{% endfor "
      "%}",
      "{% set x = range(100000) | list %}{{ x | map('string') | map('upper') | sort | unique | "
      "list }}",
      "{{ 'a' | indent(1000000000, true) }}",
      "{{ [1] | tojson(indent=1000000000) }}",
      "{{ [1] | batch(1000000000, 0) | list }}",
      "{% for i in range(100000) %}" + repeated("{% set x = i %}", 1000) + "{% endfor %}"};
  Limits limits;
  limits.work_units = 32 << 20;  // an eighth of what it is by default, for the test's time
  for (const std::string& bomb : bombs) {
    expect_refused(bomb, "", ErrorKind::unsupported, limits);
  }
  expect_refused(
      "{% for i in range(100000) %}" + repeated("{% set x = i %}", 1000) + "{% endfor %}",
      "more work than a template may");
}

TEST(Limits, WorkUnits) {
  // A text of n bytes costs n while it grows, and n, its run and 64 once it is kept.
  Limits limits;
  const auto least = [&limits](const std::string& source) {
    limits.work_units = 1;
    for (std::int64_t step = 1 << 20; step > 0; step /= 2) {
      for (limits.work_units += step; true; limits.work_units += step) {
        try {
          render(source, limits);
          break;
        } catch (const Error&) {
        }
      }
      limits.work_units -= step;
    }
    return limits.work_units + 1;
  };
  const std::int64_t wanted = least("{{ ('a' * 100000) | length }}");
  EXPECT_GT(wanted, 200'000);
  EXPECT_LT(wanted, 500'000);
  limits.work_units = wanted;
  EXPECT_EQ(render("{{ ('a' * 100000) | length }}", limits).bytes(), "100000");
  limits.work_units = wanted - 1;
  expect_refused("{{ ('a' * 100000) | length }}", "more work", ErrorKind::unsupported, limits);
}

TEST(Limits, NumbersOfOver64Bits) {
  expect_refused("{{ 9223372036854775807 + 1 }}", "64 bits");
  expect_refused("{{ 0 - 9223372036854775807 - 2 }}", "64 bits");
  expect_refused("{{ 4611686018427387904 * 2 }}", "64 bits");
  expect_refused("{{ 10 ** 19 }}", "64 bits");
  expect_refused("{{ 2 ** 9223372036854775807 }}", "64 bits");
  expect_refused("{{ 9223372036854775808 }}", "too large");
  expect_refused("{{ 1e999 }}", "too large");
  expect_refused("{{ 1e30 | int }}", "64 bits");
  expect_refused("{{ (0 - 9223372036854775807 - 1) // -1 }}", "64 bits");
  EXPECT_EQ(render("{{ (0 - 9223372036854775807 - 1) % -1 }}").bytes(), "0");
}

TEST(Hostile, SixtyThousandBrackets) {
  for (const char* bracket : {"(", "[", "{", "-", "not ", "{{", "{%", "{% if x %}", "x[", "x("}) {
    EXPECT_THROW(render("{{ " + repeated(bracket, 60'000) + " }}"), Error) << bracket;
    EXPECT_THROW(render(repeated(bracket, 60'000) + "{{"), Error) << bracket;
  }
  // Chains of any length are no depth.
  EXPECT_EQ(render("{{ 0" + repeated("+1", 60'000) + " }}").bytes(), "60000");
  EXPECT_EQ(render("{{ 'a'" + repeated("|trim", 60'000) + " }}").bytes(), "a");
  EXPECT_EQ(render("{{ 1" + repeated(" and 1", 60'000) + " }}").bytes(), "1");
  EXPECT_EQ(render("{% if 0 %}" + repeated("{% elif 0 %}", 60'000) + "{% endif %}").bytes(), "");
  EXPECT_THROW(render("{{ x" + repeated(".a", 60'000) + " }}"), Error);
}

TEST(Hostile, NoInternalsAreReached) {
  for (const char* name : {"__class__", "__mro__", "__subclasses__", "__globals__", "_", "format",
                           "__init__", "mro"}) {
    EXPECT_EQ(render("{{ ''." + std::string(name) + " }}").bytes(), "") << name;
    EXPECT_EQ(render("{{ []['" + std::string(name) + "'] }}").bytes(), "") << name;
    expect_refused("{{ ''." + std::string(name) + ".x }}", "is undefined", ErrorKind::bad_model);
    expect_refused("{{ range." + std::string(name) + "() }}", "is undefined", ErrorKind::bad_model);
  }
  expect_refused("{{ self.x }}", "is undefined", ErrorKind::bad_model);
  expect_refused("{{ [].append(1) }}", "changes a list");
  expect_refused("{{ strftime_now('%' ~ '9' * 20 ~ 'd') }}", "format");
}

constexpr std::size_t kSmallStackBytes = 512 * 1024;

// The deepest of all that the limits let through until they stop it.
TEST(Hostile, DeepestTemplatesNeedLittleStack) {
  const auto work = [](void* message) -> void* {
    try {
      render("{% macro f() %}" + repeated("{% for i in [1] %}", 6) + "{{ f()|trim }}" +
             repeated("{% endfor %}", 6) + "{% endmacro %}{{ f() }}");
    } catch (const Error& error) {
      *static_cast<std::string*>(message) = error.what();
    }
    return nullptr;
  };
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kSmallStackBytes), 0);
  std::string message;
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, work, &message), 0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
  EXPECT_THAT(message, HasSubstr("deep"));
}

}  // namespace
}  // namespace whereof::chat_template
