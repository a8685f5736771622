// What the tests of every tokenizer check.
#ifndef WHEREOF_TESTS_MODEL_TOKENIZER_CHECKS_H_
#define WHEREOF_TESTS_MODEL_TOKENIZER_CHECKS_H_

#include <gtest/gtest.h>
#include <pthread.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "whereof/tokenizer.h"

namespace whereof::tests {

constexpr std::size_t kSmallStackBytes = 512 << 10;
constexpr std::size_t kMegabyte = 1 << 20;

inline std::string hash_of_ids(const std::vector<TokenId>& ids) {
  std::uint64_t hash = 0xCBF29CE484222325;
  for (const TokenId id : ids) {
    for (int shift = 0; shift < 32; shift += 8) {
      hash = (hash ^ (static_cast<std::uint32_t>(id) >> shift & 0xFF)) * 0x100000001B3;
    }
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

inline std::string repeated(const std::string& piece, std::size_t count) {
  std::string text;
  text.reserve(piece.size() * count);
  for (std::size_t i = 0; i < count; ++i) text += piece;
  return text;
}

// Runs the work in a thread whose stack is small, and waits for it.
inline void on_small_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, kSmallStackBytes), 0);
  pthread_t thread;
  const auto call = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, call, const_cast<std::function<void()>*>(&work)),
            0);
  ASSERT_EQ(pthread_join(thread, nullptr), 0);
  pthread_attr_destroy(&attributes);
}

// Every end is the end of its token's bytes, and the ends cover the text.
inline void expect_exact_ends(const Tokenizer& tokenizer, std::string_view text,
                              const Encoding& encoding) {
  ASSERT_EQ(encoding.ids.size(), encoding.ends.size());
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < encoding.ids.size(); ++i) {
    const std::string_view bytes = tokenizer.bytes_of_token(encoding.ids[i]);
    ASSERT_EQ(encoding.ends[i] - begin, std::ssize(bytes)) << "token " << i;
    ASSERT_EQ(text.substr(static_cast<std::size_t>(begin), bytes.size()), bytes) << "token " << i;
    begin = encoding.ends[i];
  }
  ASSERT_EQ(begin, std::ssize(text));
}

inline void expect_golden_ids(const Tokenizer& tokenizer, const char* file_name,
                              int wanted_strings = 2000) {
  std::ifstream lines(std::string(WHEREOF_SOURCE_DIR "/tests/model/golden/") + file_name);
  ASSERT_TRUE(lines) << file_name;
  int strings = 0;
  int runs = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto golden = nlohmann::json::parse(line);
    if (golden.contains("text")) {
      const auto text = golden["text"].get<std::string>();
      ++strings;
      EXPECT_EQ(tokenizer.encode(text).ids, golden["ids"].get<std::vector<TokenId>>()) << line;
    } else {
      const std::string text = repeated(golden["repeat"], golden["count"]);
      const Encoding encoding = tokenizer.encode(text);
      ++runs;
      EXPECT_EQ(encoding.ids.size(), golden["id_count"].get<std::size_t>()) << line;
      EXPECT_EQ(hash_of_ids(encoding.ids), golden["ids_fnv1a"].get<std::string>()) << line;
    }
  }
  EXPECT_EQ(strings, wanted_strings);
  EXPECT_EQ(runs, 10);
}

}  // namespace whereof::tests

#endif  // WHEREOF_TESTS_MODEL_TOKENIZER_CHECKS_H_
