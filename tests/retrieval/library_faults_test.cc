// A library whose disk fills up, whose process is killed, whose bits flip, whose folder is closed.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iterator>
#include <random>
#include <thread>

#include "retrieval/database.h"
#include "retrieval/failing_calls.h"
#include "retrieval/fts_index.h"
#include "retrieval/library_folder.h"
#include "retrieval/made_document.h"
#include "whereof/error.h"
#include "whereof/retrieval.h"

namespace whereof::retrieval {
namespace {

using ::testing::AnyOf;
using ::testing::Eq;
using ::testing::SizeIs;

// Documents that differ: number names the hash, and a word of its own stands in every clause.
Document numbered_document(int number, int clauses) {
  DocumentMaker maker;
  for (int i = 1; i <= clauses; ++i) {
    maker.clause(std::to_string(i), std::to_string(i) + ". The Buyer pays w" +
                                        std::to_string(number) + " to the Seller within " +
                                        std::to_string(i) + " days; 买方应当付款。");
  }
  std::string hash = std::to_string(number);
  hash.insert(0, 64 - hash.size(), '0');
  return maker.make(hash);
}

class LibraryFaults : public LibraryFolder {
 protected:
  // The file is sound, and each of these documents is there with all of its passages or not at all.
  void expect_sound(const std::vector<Document>& documents) {
    Database database(file());
    Statement check = database.prepare("PRAGMA integrity_check");
    ASSERT_TRUE(check.step());
    EXPECT_EQ(check.text(0), "ok");
    register_fts(database);
    EXPECT_NO_THROW(database.execute(
        "INSERT INTO passage_index(passage_index, rank) VALUES('integrity-check', 1)"));
    const auto library = Library::open(file());
    for (std::size_t i = 0; i < documents.size(); ++i) {
      const Document& document = documents[i];
      const auto found =
          library->search("w" + std::to_string(std::stoi(document.content_hash)), 10'000);
      if (library->contains(document.content_hash)) {
        EXPECT_EQ(library->load(document.content_hash)->text, document.text);
        EXPECT_EQ(found.size(), split_passages(document).size());
      } else {
        EXPECT_THAT(found, SizeIs(0));
      }
    }
  }
};

// Starts a process that ends with what `work` returns. It never leaves this function, so that it
// takes no test's folder down with it.
pid_t start_child(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  int code = 99;
  try {
    code = work();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "child: %s\n", error.what());
    code = 98;
  }
  ::_exit(code);
}

// The exit code of a child that ended, or minus the signal that ended it.
int end_of(pid_t child) {
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

int in_child(const std::function<int()>& work) { return end_of(start_child(work)); }

int code_of(ErrorKind kind) { return 10 + static_cast<int>(kind); }

// A child that runs with every system call of these names failing from the n-th on.
int add_with_failing_calls(const std::filesystem::path& file, const Document& document,
                           const FailingCalls::Plan& plan) {
  return in_child([&] {
    FailingCalls failing(plan);
    try {
      Library::open(file)->add(document);
    } catch (const Error& error) {
      return code_of(error.kind());
    }
    return failing.has_failed() ? 1 : 0;
  });
}

TEST_F(LibraryFaults, FullDiskAtEveryWrite) {
  Library::open(file())->add(numbered_document(1, 30));
  const Document more = numbered_document(2, 60);
  int refused = 0;
  for (int n = 1;; n += 1 + n / 12) {
    const int code = add_with_failing_calls(file(), more, {{"pwrite"}, n, ENOSPC});
    if (code == 0) break;
    ASSERT_THAT(code, AnyOf(Eq(1), Eq(code_of(ErrorKind::out_of_space)))) << "write " << n;
    if (code != 1) ++refused;
    ASSERT_NO_FATAL_FAILURE(expect_sound({numbered_document(1, 30), more})) << "write " << n;
    EXPECT_TRUE(Library::open(file())->contains(numbered_document(1, 30).content_hash));
    Library::open(file())->remove(more.content_hash);
    ASSERT_LT(n, 1000);
  }
  EXPECT_GT(refused, 5);
}

TEST_F(LibraryFaults, EveryCallFailsOnce) {
  Library::open(file())->add(numbered_document(1, 30));
  const Document more = numbered_document(2, 20);
  for (const char* call : {"open", "read", "pread", "pwrite", "ftruncate", "fstat"}) {
    for (int n = 1; n < 300; n += 1 + n / 8) {
      const int code = add_with_failing_calls(file(), more, {{call}, n, EIO});
      if (code == 0) break;
      ASSERT_THAT(code, AnyOf(Eq(1), Eq(code_of(ErrorKind::input_output)),
                              Eq(code_of(ErrorKind::corrupt_library))))
          << call << " " << n;
      ASSERT_NO_FATAL_FAILURE(expect_sound({numbered_document(1, 30), more})) << call << " " << n;
      Library::open(file())->remove(more.content_hash);
    }
  }
}

TEST_F(LibraryFaults, KilledAtAnyMoment) {
  std::mt19937 random(11);
  std::vector<Document> documents;
  for (int i = 1; i <= 20; ++i) documents.push_back(numbered_document(i, 40));
  Library::open(file());
  int killed = 0;
  for (int round = 0; round < 25; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto library = Library::open(file());
      for (;;) {
        for (const Document& document : documents) library->add(document);
        for (const Document& document : documents) library->remove(document.content_hash);
      }
    }
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 60'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFSIGNALED(status)) ++killed;
    ASSERT_NO_FATAL_FAILURE(expect_sound(documents)) << "round " << round;
  }
  EXPECT_EQ(killed, 25);
}

TEST_F(LibraryFaults, KilledWhileTheFileIsMade) {
  for (int delay_us = 0; delay_us < 20'000; delay_us += 1000) {
    const std::filesystem::path fresh = folder() / ("fresh" + std::to_string(delay_us));
    const pid_t child = ::fork();
    if (child == 0) {
      Library::open(fresh);
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::microseconds(delay_us));
    ::kill(child, SIGKILL);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_NO_THROW(Library::open(fresh)->add(numbered_document(1, 3))) << delay_us;
  }
}

TEST_F(LibraryFaults, TwoProcessesAddAtOnce) {
  const auto add_range = [&](int begin, int end) {
    const auto library = Library::open(file());
    for (int i = begin; i < end; ++i) library->add(numbered_document(i, 20));
    return 0;
  };
  const pid_t child = start_child([&] { return add_range(1, 16); });
  add_range(11, 26);
  EXPECT_EQ(end_of(child), 0);
  EXPECT_THAT(Library::open(file())->entries(), SizeIs(25));
  std::vector<Document> documents;
  for (int i = 1; i < 26; ++i) documents.push_back(numbered_document(i, 20));
  expect_sound(documents);
}

TEST_F(LibraryFaults, ManyProcessesMakeOneLibrary) {
  for (int round = 0; round < 12; ++round) {
    const std::filesystem::path fresh = folder() / ("fresh" + std::to_string(round));
    if (round % 3 == 0) std::ofstream(fresh).flush();  // an empty file is there already
    std::vector<pid_t> children;
    for (int i = 1; i <= 4; ++i) {
      children.push_back(start_child([&] {
        Library::open(fresh)->add(numbered_document(i, 2));
        return 0;
      }));
    }
    for (const pid_t child : children) EXPECT_EQ(end_of(child), 0) << "round " << round;
    EXPECT_THAT(Library::open(fresh)->entries(), SizeIs(4)) << "round " << round;
  }
}

// The system gives up all of a process's locks on a file when the process closes any descriptor of
// it. Another process would then take itself for the only one and remove the log under this one.
TEST_F(LibraryFaults, OpeningTwiceKeepsTheLocksOfTheFirst) {
  // The other process starts first, for SQLite's locks must not be carried across a fork.
  std::array<int, 2> gate{};
  ASSERT_EQ(::pipe(gate.data()), 0);
  const pid_t other = start_child([&] {
    ::close(gate[1]);
    char opened = 0;
    if (::read(gate[0], &opened, 1) != 1) return 2;
    return Library::open(file())->entries().size() == 1 ? 0 : 3;
  });
  ::close(gate[0]);
  const auto first = Library::open(file());
  first->add(numbered_document(1, 5));
  Library::open(file());
  EXPECT_EQ(::write(gate[1], "+", 1), 1);
  ::close(gate[1]);
  EXPECT_EQ(end_of(other), 0);
  EXPECT_TRUE(std::filesystem::exists(file().string() + "-wal"));
}

// What a library says to one question and of one document; kinds of errors in their place.
std::string account_of(const std::filesystem::path& file, const Document& document) {
  try {
    const auto library = Library::open(file);
    std::string account;
    for (const Hit& hit : library->search("Buyer w1 付款", 5, document.content_hash)) {
      account += std::to_string(hit.passage) + ":" + std::to_string(hit.score) + ":" +
                 std::to_string(hit.where.text.begin) + " ";
    }
    const auto loaded = library->load(document.content_hash);
    return account + (loaded ? loaded->text : "absent");
  } catch (const Error& error) {
    return std::string(name_of(error.kind()));
  }
}

TEST_F(LibraryFaults, FlippedBitsAreFoundOrHarmless) {
  const Document document = numbered_document(1, 40);
  Library::open(file())->add(document);
  const std::string sound = account_of(file(), document);
  std::string bytes;
  {
    std::ifstream stream(file(), std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(stream), {});
  }
  std::mt19937 random(5);
  int found = 0;
  for (int round = 0; round < 1500; ++round) {
    // The header's bytes one by one, then anywhere.
    const std::size_t at = round < 100 ? static_cast<std::size_t>(round) : random() % bytes.size();
    std::string damaged = bytes;
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << (random() % 8)));
    const std::filesystem::path copy = folder() / "damaged.db";
    for (const char* tail : {"", "-wal", "-shm"}) std::filesystem::remove(copy.string() + tail);
    std::ofstream(copy, std::ios::binary) << damaged;
    const std::string account = account_of(copy, document);
    ASSERT_THAT(account, AnyOf(Eq(sound), Eq("corrupt_library"))) << "bit of byte " << at;
    if (account != sound) ++found;
  }
  EXPECT_GT(found, 500);
}

TEST_F(LibraryFaults, CutFilesAreFound) {
  const Document document = numbered_document(1, 40);
  Library::open(file())->add(document);
  const std::string sound = account_of(file(), document);
  const auto size = std::filesystem::file_size(file());
  for (std::uintmax_t cut = 1; cut < size; cut += 1009) {
    const std::filesystem::path copy = folder() / "cut.db";
    for (const char* tail : {"", "-wal", "-shm"}) std::filesystem::remove(copy.string() + tail);
    std::filesystem::copy_file(file(), copy);
    std::filesystem::resize_file(copy, cut);
    ASSERT_THAT(account_of(copy, document), AnyOf(Eq(sound), Eq("corrupt_library"))) << cut;
  }
}

TEST_F(LibraryFaults, ClosedFolderIsAnInputOutputError) {
  const std::filesystem::path closed = folder() / "closed";
  std::filesystem::create_directory(closed);
  std::filesystem::permissions(folder(), std::filesystem::perms::all);
  ASSERT_EQ(::chmod(closed.c_str(), 0555), 0);
  const int code = in_child([&] {
    constexpr uid_t kNobody = 65534;
    if (::geteuid() == 0 && ::setuid(kNobody) != 0) return 97;
    try {
      Library::open(closed / "library.db");
    } catch (const Error& error) {
      return code_of(error.kind());
    }
    return 0;
  });
  EXPECT_EQ(code, code_of(ErrorKind::input_output));
}

}  // namespace
}  // namespace whereof::retrieval
