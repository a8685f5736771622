// Folders into a library: what is found, what is passed over, what happens when it is interrupted.
#include "whereof/add_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>

#include "retrieval/library_folder.h"
#include "whereof/find_passages.h"

namespace whereof::retrieval {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class AddFiles : public LibraryFolder {
 protected:
  AddFiles() { fs::create_directories(contracts()); }
  fs::path contracts() const { return folder() / "contracts"; }
  fs::path write(const std::string& name, std::string_view text) const {
    const fs::path path = contracts() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  static std::string agreement(int number) {
    return "SUPPLY AGREEMENT\n\n1. Term\nThis Agreement runs for " + std::to_string(number) +
           " years.\n\n2. Price\nThe Buyer pays w" + std::to_string(number) + " to the Seller.\n";
  }
  AddFilesOptions options() const {
    AddFilesOptions options;
    options.worker_program =
        fs::path(WHEREOF_BINARY_DIR) / "libexec/whereof/whereof-document-worker";
    options.readers = 2;
    return options;
  }
  AddFilesResult add(const fs::path& place) {
    const auto library = Library::open(file());
    const std::vector<fs::path> files = document_files({&place, 1});
    return add_files(*library, files, options());
  }
};

TEST_F(AddFiles, WalksFoldersAndPassesOverWhatIsNoDocument) {
  const fs::path second = write("sub/b.md", "# B\n");
  const fs::path first = write("a.txt", "A\n");
  write("picture.png", "x");
  write(".hidden.txt", "x");
  write(".git/c.txt", "x");
  const fs::path named = write("notes.weird", "x");
  fs::create_symlink(folder() / "nowhere", contracts() / "dangling.txt");
  const fs::path places[] = {contracts(), first, named};
  EXPECT_THAT(document_files(places), ElementsAre(first, named, second));
  const fs::path absent = folder() / "absent";
  try {
    document_files({&absent, 1});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
    EXPECT_THAT(error.what(), HasSubstr("absent"));
  }
}

TEST_F(AddFiles, AddsNamesWhatFailsAndPassesOverWhatIsThere) {
  for (int i = 1; i <= 5; ++i) write(std::to_string(i) + ".txt", agreement(i));
  write("copy.txt", agreement(3));
  const fs::path empty = write("empty.txt", "");
  const fs::path broken = write("broken.pdf", "no PDF at all");
  const AddFilesResult result = add(contracts());
  EXPECT_EQ(result.added, 5);
  EXPECT_EQ(result.known, 1);
  ASSERT_THAT(result.failed, SizeIs(2));
  EXPECT_EQ(result.failed[0].path, broken);
  EXPECT_EQ(result.failed[1].path, empty);
  EXPECT_EQ(result.failed[1].kind, ErrorKind::bad_document);
  const AddFilesResult again = add(contracts());
  EXPECT_EQ(again.added, 0);
  EXPECT_EQ(again.known, 6);
  EXPECT_THAT(again.failed, SizeIs(2));
}

TEST_F(AddFiles, AChangedFileTakesThePlaceOfWhatItWas) {
  write("1.txt", agreement(1));
  add(contracts());
  const fs::path changed = write("1.txt", agreement(2));
  const AddFilesResult result = add(contracts());
  EXPECT_EQ(result.added, 1);
  EXPECT_EQ(result.removed, 1);
  const auto entries = Library::open(file())->entries();
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_EQ(file_state(entries[0]), FileState::unchanged);
  // What another file still holds stays.
  write("copy.txt", agreement(2));
  write("1.txt", agreement(3));
  EXPECT_EQ(add(contracts()).removed, 0);
  EXPECT_THAT(Library::open(file())->entries(), SizeIs(2));
}

TEST_F(AddFiles, AKilledRunGoesOn) {
  for (int i = 1; i <= 40; ++i) write(std::to_string(i) + ".txt", agreement(i));
  for (int round = 0; round < 4; ++round) {
    const pid_t child = ::fork();
    if (child == 0) {
      add(contracts());
      ::_exit(0);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(40 + 30 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  const AddFilesResult result = add(contracts());
  EXPECT_THAT(result.failed, IsEmpty());
  EXPECT_EQ(result.added + result.known, 40);
  const auto library = Library::open(file());
  for (const LibraryEntry& entry : library->entries()) {
    EXPECT_TRUE(entry.is_current);
    EXPECT_TRUE(library->load(entry.content_hash).has_value());
  }
  for (int i = 1; i <= 40; ++i) {
    EXPECT_THAT(library->search("w" + std::to_string(i), 10), SizeIs(1)) << i;
  }
}

TEST_F(AddFiles, TwoProcessesAddTheSameFolder) {
  for (int i = 1; i <= 20; ++i) write(std::to_string(i) + ".txt", agreement(i));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(add(contracts()).failed.empty() ? 0 : 1);
  EXPECT_THAT(add(contracts()).failed, IsEmpty());
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(Library::open(file())->entries(), SizeIs(20));
}

TEST_F(AddFiles, StopsWhenAskedTo) {
  for (int i = 1; i <= 10; ++i) write(std::to_string(i) + ".txt", agreement(i));
  const auto library = Library::open(file());
  const fs::path place = contracts();
  const std::vector<fs::path> files = document_files({&place, 1});
  std::stop_source stop;
  AddFilesOptions stopping = options();
  stopping.stop = stop.get_token();
  stopping.progress = [&](const Progress& progress) {
    if (progress.done == 3) stop.request_stop();
  };
  try {
    add_files(*library, files, stopping);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::cancelled);
  }
  EXPECT_GE(library->entries().size(), 3U);
}

TEST_F(AddFiles, FindsOverAllDocumentsButNotInOutdatedOnes) {
  const fs::path one = write("one.txt", agreement(1));
  const fs::path two = write("two.txt", agreement(2));
  add(contracts());
  const auto library = Library::open(file());
  FoundPassages found = find_passages(*library, "the Buyer pays", 10);
  ASSERT_THAT(found.passages, SizeIs(2));
  EXPECT_THAT(found.passages[0].text, HasSubstr("Buyer pays"));
  EXPECT_EQ(found.passages[0].label, "2");
  EXPECT_EQ(found.passages[0].heading, "Price");
  EXPECT_THAT(found.outdated, IsEmpty());
  EXPECT_THAT(find_passages(*library, "the Buyer pays", 1).passages, SizeIs(1));

  write("one.txt", "something else\n");
  found = find_passages(*library, "the Buyer pays", 1);
  ASSERT_THAT(found.passages, SizeIs(1));
  EXPECT_EQ(found.passages[0].document_name, "two.txt");
  EXPECT_THAT(find_passages(*library, "the Buyer pays", 10).outdated, ElementsAre("one.txt"));

  fs::remove(two);  // the library's copy stands
  EXPECT_THAT(find_passages(*library, "the Buyer pays", 10).passages, SizeIs(1));
  EXPECT_THAT(find_passages(*library, "zebra", 10).passages, IsEmpty());
  EXPECT_THAT(find_passages(*library, "", 10).passages, IsEmpty());
}

}  // namespace
}  // namespace whereof::retrieval
