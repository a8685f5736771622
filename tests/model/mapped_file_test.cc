#include "model/mapped_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <thread>

#include "model/gguf_writer.h"
#include "model/temporary_file.h"
#include "whereof/error.h"
#include "whereof/gguf.h"

namespace whereof::model {
namespace {

using tests::GgufWriter;
using tests::TemporaryFile;

constexpr std::size_t kMegabyte = 1 << 20;

std::uint64_t sum_of(std::span<const std::byte> bytes) {
  std::uint64_t sum = 0;
  for (const std::byte byte : bytes) sum += static_cast<std::uint64_t>(byte);
  return sum;
}

TEST(MappedFile, ReadsTheFile) {
  const TemporaryFile source(std::string(kMegabyte, '\x01'));
  const MappedFile file(source.path());
  EXPECT_EQ(sum_of(file.bytes()), kMegabyte);
  EXPECT_TRUE(file.is_intact());
  file.check_intact();
}

TEST(MappedFile, AFileCutWhileMappedIsAnError) {
  const TemporaryFile source(std::string(kMegabyte, '\x01'));
  const TemporaryFile other_source(std::string(kMegabyte, '\x01'));
  const MappedFile file(source.path());
  const MappedFile other(other_source.path());
  ASSERT_EQ(truncate(source.path().c_str(), 8192), 0);
  EXPECT_EQ(sum_of(file.bytes()), 8192U);  // lost pages read as zeros
  EXPECT_FALSE(file.is_intact());
  try {
    file.check_intact();
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::bad_model);
    EXPECT_NE(std::string(error.what()).find(source.path().string()), std::string::npos);
  }
  EXPECT_EQ(sum_of(other.bytes()), kMegabyte);
  other.check_intact();
}

TEST(MappedFile, StaysDamagedWhenTheFileGrowsBack) {
  const TemporaryFile source(std::string(kMegabyte, '\x01'));
  const MappedFile file(source.path());
  ASSERT_EQ(truncate(source.path().c_str(), 0), 0);
  EXPECT_EQ(sum_of(file.bytes()), 0U);
  source.write(std::string(kMegabyte, '\x02'));
  EXPECT_THROW(file.check_intact(), Error);
}

// Bytes lost on the last page that is left raise no signal: the size tells.
TEST(MappedFile, ALostTailIsAnError) {
  const TemporaryFile source(std::string(kMegabyte, '\x01'));
  const MappedFile file(source.path());
  ASSERT_EQ(truncate(source.path().c_str(), kMegabyte - 1), 0);
  EXPECT_THROW(file.check_intact(), Error);
}

TEST(MappedFile, ManyThreadsSurviveTheCut) {
  for (int round = 0; round < 10; ++round) {
    const TemporaryFile source(std::string(kMegabyte, '\x01'));
    const MappedFile file(source.path());
    std::atomic<int> ready{0};
    std::vector<std::thread> readers;
    for (int i = 0; i < 4; ++i) {
      readers.emplace_back([&] {
        ++ready;
        for (int pass = 0; pass < 4; ++pass) EXPECT_LE(sum_of(file.bytes()), kMegabyte);
      });
    }
    while (ready < 4) std::this_thread::yield();
    ASSERT_EQ(truncate(source.path().c_str(), 4096), 0);
    for (std::thread& reader : readers) reader.join();
    EXPECT_THROW(file.check_intact(), Error);
  }
}

TEST(MappedFile, GgufReportsTheCut) {
  GgufWriter writer;
  writer.uint32("a", 1).tensor("x", {kMegabyte}, 0, 4 * kMegabyte);
  const TemporaryFile source(writer.bytes());
  const auto file = GgufFile::open(source.path());
  const std::uint64_t whole = sum_of(file->tensors()[0].data);
  file->check_intact();
  ASSERT_EQ(truncate(source.path().c_str(), kMegabyte), 0);
  EXPECT_LT(sum_of(file->tensors()[0].data), whole);
  EXPECT_THROW(file->check_intact(), Error);
}

// The handler takes faults of its own mappings only.
TEST(MappedFileDeathTest, AForeignBusErrorEndsTheProcess) {
  const TemporaryFile own(std::string(4096, '\x01'));
  const MappedFile installs_the_handler(own.path());
  const TemporaryFile foreign(std::string(kMegabyte, '\x01'));
  const auto read_lost_page = [&] {
    const int descriptor = open(foreign.path().c_str(), O_RDONLY);
    const auto* bytes = static_cast<const volatile char*>(
        mmap(nullptr, kMegabyte, PROT_READ, MAP_PRIVATE, descriptor, 0));
    if (truncate(foreign.path().c_str(), 0) != 0) return;
    static_cast<void>(bytes[kMegabyte / 2]);
  };
  EXPECT_DEATH(read_lost_page(), "");
  EXPECT_DEATH(raise(SIGBUS), "");
}

}  // namespace
}  // namespace whereof::model
