#include "whereof/gguf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <limits>
#include <map>
#include <random>

#include "model/gguf_header.h"
#include "model/gguf_writer.h"
#include "model/model_files.h"
#include "model/temporary_file.h"
#include "whereof/error.h"

namespace whereof {
namespace {

using testing::HasSubstr;
using tests::GgufWriter;
using tests::TemporaryFile;

constexpr std::uint32_t kF32 = 0;
constexpr std::uint32_t kQ8 = 8;

// One of every value type and a few tensors.
GgufWriter small_file() {
  GgufWriter writer;
  writer.string("general.architecture", "llama")
      .number("a.uint8", 0, std::uint8_t{200})
      .number("a.int8", 1, std::int8_t{-3})
      .number("a.uint16", 2, std::uint16_t{60000})
      .number("a.int16", 3, std::int16_t{-30000})
      .uint32("a.uint32", 4000000000U)
      .number("a.int32", 5, std::int32_t{-5})
      .number("a.float32", 6, 0.5F)
      .boolean("a.bool", true)
      .number("a.uint64", 10, std::uint64_t{1} << 40)
      .number("a.int64", 11, std::int64_t{-7})
      .number("a.float64", 12, 0.25)
      .strings("a.strings", {"one", "", "three"})
      .numbers<std::int32_t>("a.int32s", 5, {1, -2, 3})
      .numbers<float>("a.floats", 6, {1.5F, -2})
      .tensor("token_embd.weight", {64, 3}, kF32, 64 * 3 * 4)
      .tensor("blk.0.ffn_up.weight", {64, 2, 2}, kQ8, 64 * 4 / 32 * 34)
      .tensor("norm.weight", {5}, kF32, 20);
  return writer;
}

// Opens the bytes as a file; also parses them from memory that ends where they end, so that the
// address sanitizer sees a read behind them. Null with the Error's text if they are refused.
std::shared_ptr<const GgufFile> open_bytes(const std::string& bytes, std::string& message,
                                           ErrorKind& kind) {
  const std::vector<char> exact(bytes.begin(), bytes.end());
  bool is_accepted = true;
  try {
    model::read_gguf_header("memory", std::as_bytes(std::span(exact)));
  } catch (const Error&) {
    is_accepted = false;
  }
  const TemporaryFile file(bytes);
  try {
    auto opened = GgufFile::open(file.path());
    EXPECT_TRUE(is_accepted);
    return opened;
  } catch (const Error& error) {
    EXPECT_FALSE(is_accepted) << error.what();
    message = error.what();
    kind = error.kind();
    return nullptr;
  }
}

// Reads all that the file offers; each answer is a value or an Error.
void use_everything(const GgufFile& file) {
  const auto attempt = [](const auto& read) {
    try {
      read();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::bad_model) << error.what();
    }
  };
  for (const std::string_view key : file.keys()) {
    attempt([&] { file.integer(key); });
    attempt([&] { file.real(key); });
    attempt([&] { file.boolean(key); });
    attempt([&] { file.string(key); });
    attempt([&] { file.strings(key); });
    attempt([&] { file.integers(key); });
    attempt([&] { file.reals(key); });
  }
  for (const GgufTensor& tensor : file.tensors()) {
    ASSERT_EQ(file.find_tensor(tensor.name), &tensor);
    ASSERT_EQ(std::ssize(tensor.data), tensor.columns() / block_elements(tensor.type) *
                                           tensor.rows() * block_bytes(tensor.type));
    unsigned sum = 0;
    for (const std::byte byte : tensor.data) sum += static_cast<unsigned>(byte);
    ASSERT_LE(sum, 255U * tensor.data.size());
  }
  file.check_intact();
}

// True if the bytes are a file that can be used.
bool survives(const std::string& bytes) {
  std::string message;
  ErrorKind kind{};
  const auto file = open_bytes(bytes, message, kind);
  if (file) {
    use_everything(*file);
  } else {
    EXPECT_THAT(message, testing::Not(HasSubstr("\n")));
  }
  return file != nullptr;
}

void expect_refused(const std::string& bytes, ErrorKind wanted, std::string_view text) {
  std::string message;
  ErrorKind kind{};
  ASSERT_EQ(open_bytes(bytes, message, kind), nullptr) << text;
  EXPECT_EQ(kind, wanted) << message;
  EXPECT_THAT(message, HasSubstr(std::string(text)));
}

TEST(Gguf, ReadsEveryValueType) {
  const TemporaryFile source(small_file().bytes());
  const auto file = GgufFile::open(source.path());
  EXPECT_EQ(file->version(), 3U);
  EXPECT_EQ(file->path(), source.path());
  EXPECT_EQ(file->file_bytes(), std::ssize(small_file().bytes()));
  EXPECT_EQ(file->keys().size(), 15U);
  EXPECT_EQ(file->keys().front(), "general.architecture");
  EXPECT_EQ(file->string("general.architecture"), "llama");
  EXPECT_EQ(file->integer("a.uint8"), 200);
  EXPECT_EQ(file->integer("a.int8"), -3);
  EXPECT_EQ(file->integer("a.uint16"), 60000);
  EXPECT_EQ(file->integer("a.int16"), -30000);
  EXPECT_EQ(file->integer("a.uint32"), 4000000000);
  EXPECT_EQ(file->integer("a.int32"), -5);
  EXPECT_EQ(file->integer("a.uint64"), std::int64_t{1} << 40);
  EXPECT_EQ(file->integer("a.int64"), -7);
  EXPECT_EQ(file->real("a.float32"), 0.5);
  EXPECT_EQ(file->real("a.float64"), 0.25);
  EXPECT_EQ(file->boolean("a.bool"), true);
  EXPECT_EQ(file->strings("a.strings"), (std::vector<std::string_view>{"one", "", "three"}));
  EXPECT_EQ(file->integers("a.int32s"), (std::vector<std::int64_t>{1, -2, 3}));
  EXPECT_EQ(file->reals("a.floats"), (std::vector<float>{1.5F, -2}));
  EXPECT_EQ(file->integer("absent"), std::nullopt);
  EXPECT_EQ(file->strings("absent"), std::nullopt);
  ASSERT_EQ(file->tensors().size(), 3U);
  const GgufTensor* up = file->find_tensor("blk.0.ffn_up.weight");
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->type, GgufTensorType::q8_0);
  EXPECT_EQ(up->shape, (std::vector<std::int64_t>{64, 2, 2}));
  EXPECT_EQ(up->rows(), 4);
  EXPECT_EQ(file->find_tensor("absent"), nullptr);
  use_everything(*file);
}

TEST(Gguf, RefusesAnotherTypeThanAskedFor) {
  const TemporaryFile source(
      small_file().number("a.huge", 10, std::numeric_limits<std::uint64_t>::max()).bytes());
  const auto file = GgufFile::open(source.path());
  EXPECT_THROW(file->integer("a.float32"), Error);
  EXPECT_THROW(file->integer("a.bool"), Error);
  EXPECT_THROW(file->integer("a.int32s"), Error);
  EXPECT_THROW(file->integer("a.huge"), Error);  // over 2^63-1
  EXPECT_THROW(file->real("a.int32"), Error);
  EXPECT_THROW(file->boolean("a.uint8"), Error);
  EXPECT_THROW(file->string("a.strings"), Error);
  EXPECT_THROW(file->strings("a.int32s"), Error);
  EXPECT_THROW(file->strings("general.architecture"), Error);
  EXPECT_THROW(file->integers("a.floats"), Error);
  EXPECT_THROW(file->reals("a.int32s"), Error);
}

TEST(Gguf, ReadsVersions2And3Only) {
  EXPECT_TRUE(survives(GgufWriter(2).uint32("a", 1).bytes()));
  EXPECT_TRUE(survives(GgufWriter(3).uint32("a", 1).bytes()));
  for (const std::uint32_t version : {0U, 1U, 4U, 0x7FFFFFFFU}) {
    expect_refused(GgufWriter(version).bytes(), ErrorKind::unsupported, std::to_string(version));
  }
  expect_refused(GgufWriter(0x03000000).bytes(), ErrorKind::unsupported, "big-endian");
}

TEST(Gguf, RefusesWhatIsNoFile) {
  const auto kind_of = [](const std::filesystem::path& path) {
    try {
      GgufFile::open(path);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(path.string()));
      return error.kind();
    }
    return ErrorKind::cancelled;
  };
  EXPECT_EQ(kind_of("/nonexistent/model.gguf"), ErrorKind::not_found);
  EXPECT_EQ(kind_of(std::filesystem::temp_directory_path()), ErrorKind::bad_model);
  const TemporaryFile empty("");
  EXPECT_EQ(kind_of(empty.path()), ErrorKind::bad_model);
  const TemporaryFile pdf("%PDF-1.7\n%\xE2\xE3\xCF\xD3\n1 0 obj");
  EXPECT_EQ(kind_of(pdf.path()), ErrorKind::bad_model);
  const std::filesystem::path pipe = TemporaryFile::unused_path();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(kind_of(pipe), ErrorKind::bad_model);  // and does not wait for a writer
  std::filesystem::remove(pipe);
}

TEST(Gguf, EveryCountAndLengthMayLie) {
  const GgufWriter writer = small_file();
  const std::string good = writer.bytes();
  ASSERT_TRUE(survives(good));
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  for (const GgufWriter::Field& field : writer.fields()) {
    for (const std::uint64_t value :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x7FFFFFFF}, std::uint64_t{1} << 32,
          kMax / 2, kMax / 2 + 1, kMax - 7, kMax}) {
      std::string bad = good;
      std::memcpy(bad.data() + field.offset, &value, field.width);
      const bool is_huge = field.width == 8 && value >= 0x7FFFFFFF;
      const bool is_accepted = survives(bad);
      EXPECT_FALSE(is_huge && is_accepted) << field.name << " = " << value;
    }
  }
}

TEST(Gguf, MayBeCutAnywhere) {
  const std::string good = small_file().bytes();
  for (std::size_t size = 0; size < good.size(); ++size) {
    ASSERT_FALSE(survives(good.substr(0, size))) << size;
  }
}

TEST(Gguf, MayHaveAnyByteFlipped) {
  const GgufWriter writer = small_file();
  const std::string good = writer.bytes();
  for (std::size_t at = 0; at < writer.header_bytes(); ++at) {
    for (const int mask : {0x01, 0x80, 0xFF}) {
      std::string bad = good;
      bad[at] = static_cast<char>(bad[at] ^ mask);
      survives(bad);
    }
  }
  constexpr unsigned kSeed = 20261130;
  std::mt19937 random(kSeed);
  int accepted = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string bad = good;
    for (int flips = 1 + static_cast<int>(random() % 4); flips > 0; --flips) {
      bad[random() % writer.header_bytes()] = static_cast<char>(random());
    }
    accepted += survives(bad) ? 1 : 0;
  }
  EXPECT_LT(accepted, 3000) << "seed " << kSeed;  // some flips change a value only
}

TEST(Gguf, RefusesWhatContradictsItself) {
  const auto bad = [](const GgufWriter& writer, std::string_view text) {
    expect_refused(writer.bytes(), ErrorKind::bad_model, text);
  };
  bad(small_file().uint32("a.bool", 1), "'a.bool': name is there twice");
  bad(small_file().describe("norm.weight", {1}, kF32, 992), "there twice");
  bad(small_file().describe("x", {1}, kF32, 0), "inside that of tensor");
  bad(small_file().describe("x", {1}, kF32, 33), "a multiple of 32");
  bad(small_file().describe("x", {0}, kF32, 0), "dimension is 0");
  bad(small_file().describe("x", {}, kF32, 0), "number of dimensions is 0");
  bad(small_file().describe("x", {1, 1, 1, 1, 1}, kF32, 0), "number of dimensions is 5");
  bad(small_file().describe("x", {33}, kQ8, 0), "a multiple of 32 for q8_0");
  bad(small_file().describe("", {1}, kF32, 0), "name is empty");
  bad(small_file().describe(std::string(65, 'x'), {1}, kF32, 0), "at most 64");
  bad(small_file().number("b", 7, std::uint8_t{2}), "bool is 2");
  bad(small_file().number("b", 13, std::uint8_t{2}), "value type is 13");
  bad(small_file().string("", "b"), "key is empty");
  for (const std::uint32_t alignment : {0U, 1U, 4U, 24U, 33U, 0xFFFFFFFFU}) {
    bad(small_file().uint32("general.alignment", alignment), "a power of two");
  }
  bad(small_file().boolean("general.alignment", true), "wanted uint32");
  bad(small_file().uint32("general.alignment", 0x80000000U), "past the end of the file");
}

TEST(Gguf, NamesWhatItDoesNotSupport) {
  for (const std::uint32_t type : {4U, 5U, 9U, 16U, 24U, 31U, 39U, 0xFFFFFFFFU}) {
    expect_refused(small_file().describe("odd", {256}, type, 0).bytes(), ErrorKind::unsupported,
                   "tensor 'odd': type is " + std::to_string(type));
  }
  expect_refused(small_file().numbers<std::uint64_t>("nested", 9, {0}).bytes(),
                 ErrorKind::unsupported, "'nested'");
}

// Sums and products that come out small in 64 bits.
TEST(Gguf, SizesDoNotWrapAround) {
  constexpr std::uint64_t kTop = std::uint64_t{1} << 63;
  const std::vector<std::vector<std::uint64_t>> shapes = {
      {std::uint64_t{1} << 32, std::uint64_t{1} << 32},
      {std::uint64_t{1} << 62, 4},
      {std::uint64_t{1} << 62, 1},
      {kTop},
      {kTop - 1},
      {kTop - 1, kTop - 1, kTop - 1, kTop - 1},
      {std::uint64_t{1} << 31, std::uint64_t{1} << 31, 4},
      {0x4000000000000001, 4},
      {1, 1, std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 1},
  };
  for (const auto& shape : shapes) {
    ASSERT_FALSE(survives(small_file().describe("x", shape, kF32, 0).bytes()));
    auto blocks = shape;
    blocks[0] &= ~std::uint64_t{255};
    ASSERT_FALSE(survives(small_file().describe("x", blocks, 12, 0).bytes()));
  }
  for (std::uint64_t back = 32; back <= 4096; back += 32) {
    ASSERT_FALSE(survives(small_file().describe("x", {8}, kF32, 0 - back).bytes())) << back;
  }
}

TEST(Gguf, MessagesStayOneLine) {
  expect_refused(small_file().number("a\nb\x1B[31m\xFF", 7, std::uint8_t{9}).bytes(),
                 ErrorKind::bad_model, "'a\\x0ab\\x1b[31m\\xff'");
  expect_refused(small_file().number(std::string(5000, 'k'), 7, std::uint8_t{9}).bytes(),
                 ErrorKind::bad_model, std::string(80, 'k') + "...");
}

TEST(Gguf, ReadsRealFiles) {
  const auto smollm = GgufFile::open(tests::model_file(tests::kSmolLm2));
  EXPECT_EQ(smollm->string("general.architecture"), "llama");
  EXPECT_EQ(smollm->tensors().size(), 272U);
  EXPECT_EQ(smollm->integer("llama.block_count"), 30);
  EXPECT_EQ(smollm->strings("tokenizer.ggml.tokens")->size(), 49152U);
  const auto qwen = GgufFile::open(tests::model_file(tests::kQwenSmall));
  std::map<std::string_view, int> types;
  for (const GgufTensor& tensor : qwen->tensors()) ++types[name_of(tensor.type)];
  EXPECT_EQ(types, (std::map<std::string_view, int>{
                       {"f32", 121}, {"q4_k", 12}, {"q5_0", 133}, {"q6_k", 12}, {"q8_0", 13}}));
  EXPECT_NEAR(*qwen->real("qwen2.attention.layer_norm_rms_epsilon"), 1e-6, 1e-12);
  const GgufTensor& last = qwen->tensors().back();
  const std::byte* file_end = qwen->tensors().front().data.data();
  for (const GgufTensor& tensor : qwen->tensors()) {
    file_end = std::max(file_end, tensor.data.data() + tensor.data.size());
  }
  EXPECT_EQ(file_end, last.data.data() + last.data.size());
}

TEST(Gguf, ARealHeaderMayBeCutAndFlipped) {
  std::ifstream stream(tests::model_file(tests::kSmolLm2), std::ios::binary);
  std::string bytes(std::istreambuf_iterator<char>(stream), {});
  const auto parse = [&](std::size_t size) {
    try {
      model::read_gguf_header("smollm2", std::as_bytes(std::span(bytes.data(), size)));
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  ASSERT_TRUE(parse(bytes.size()));
  constexpr std::size_t kHeaderBytes = 1'785'664;
  constexpr unsigned kSeed = 7;
  std::mt19937 random(kSeed);
  for (int i = 0; i < 500; ++i) ASSERT_FALSE(parse(random() % (kHeaderBytes + 1)));
  for (int i = 0; i < 1500; ++i) {
    // Half of them in the first kilobytes and the tensor list, where the lengths are dense.
    const std::size_t at = i % 2 == 0   ? random() % kHeaderBytes
                           : i % 4 == 1 ? random() % 4096
                                        : kHeaderBytes - 1 - random() % 16384;
    const char kept = bytes[at];
    bytes[at] = static_cast<char>(random());
    parse(bytes.size());
    bytes[at] = kept;
  }
  EXPECT_TRUE(parse(bytes.size())) << "seed " << kSeed;
}

}  // namespace
}  // namespace whereof
