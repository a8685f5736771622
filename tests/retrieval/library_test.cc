#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "retrieval/database.h"
#include "retrieval/library_folder.h"
#include "retrieval/made_document.h"
#include "whereof/error.h"
#include "whereof/retrieval.h"

namespace whereof::retrieval {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::string hash_of(char digit) { return std::string(64, digit); }

Document agreement(const std::string& hash = hash_of('a')) {
  return DocumentMaker()
      .clause("1", "1. The term of this agreement is five years.", "Term")
      .clause("2", "2. \"Losses\" means all damages, costs and expenses.", "Definitions")
      .clause("3", "3. Such compensation shall not exceed $10,000,000.", "Cap")
      .clause("11", "11. The Buyer may terminate and is reimbursed without limit.", "Termination")
      .clause("第十二条", "第十二条 该等赔偿不得超过损失的百分之十。", "赔偿")
      .make(hash);
}

class LibraryTest : public LibraryFolder {
 protected:
  std::string best(std::string_view question) {
    const auto hits = library_->search(question, 10, document_.content_hash);
    return hits.empty() ? "" : std::string(document_.slice(hits.front().where.text));
  }
  std::unique_ptr<Library> library_ = Library::open(file());
  Document document_ = agreement();
};

TEST_F(LibraryTest, KeepsWhatIsAdded) {
  EXPECT_FALSE(library_->contains(document_.content_hash));
  library_->add(document_);
  EXPECT_TRUE(library_->contains(document_.content_hash));
  library_.reset();
  library_ = Library::open(file());
  const auto loaded = library_->load(document_.content_hash);
  ASSERT_TRUE(loaded.has_value());
  EXPECT_EQ(loaded->text, document_.text);
  EXPECT_EQ(loaded->clauses.size(), document_.clauses.size());
  EXPECT_FALSE(library_->load(hash_of('b')).has_value());
  const auto entries = library_->entries();
  ASSERT_THAT(entries, SizeIs(1));
  EXPECT_EQ(entries[0].content_hash, document_.content_hash);
  EXPECT_EQ(entries[0].name, "made.txt");
  EXPECT_EQ(entries[0].path, "/made/made.txt");
  EXPECT_EQ(entries[0].characters, document_.report.characters);
  EXPECT_EQ(entries[0].pages, 1);
  EXPECT_GT(entries[0].added_unix_seconds, 1'700'000'000);
}

TEST_F(LibraryTest, FindsByWordsInBothLanguages) {
  library_->add(document_);
  EXPECT_THAT(best("How long does it last, what is its term?"), HasSubstr("five years"));
  EXPECT_THAT(best("terminating"), HasSubstr("may terminate"));
  EXPECT_THAT(best("Is there a cap?"), HasSubstr("not exceed"));
  EXPECT_THAT(best("10000000"), HasSubstr("$10,000,000"));
  EXPECT_THAT(best("赔偿的上限是多少？"), HasSubstr("该等赔偿"));
  EXPECT_THAT(best("损失"), HasSubstr("第十二条"));
  EXPECT_EQ(best("zebra"), "");
}

TEST_F(LibraryTest, FindsClausesByNumber) {
  library_->add(document_);
  EXPECT_THAT(best("What does clause 11 say about expenses?"), HasSubstr("11. The Buyer"));
  EXPECT_THAT(best("What does Section 2 say?"), HasSubstr("2. \"Losses\""));
  EXPECT_THAT(best("第12条规定了什么？"), HasSubstr("第十二条"));
}

TEST_F(LibraryTest, LooksForMoreWordsToo) {
  library_->add(document_);
  const auto best_with = [&](std::string_view question, std::string_view more_words) {
    const auto hits = library_->search(question, 10, document_.content_hash, more_words);
    return hits.empty() ? std::string() : std::string(document_.slice(hits[0].where.text));
  };
  EXPECT_EQ(best_with("zebra", ""), "");
  EXPECT_THAT(best_with("zebra", "terminating\n"), HasSubstr("may terminate"));
  EXPECT_THAT(best_with("", "该等赔偿\n"), HasSubstr("该等赔偿"));
  EXPECT_NO_THROW(best_with("Losses", "\"\" NEAR(a b, 3) ^* \xFF"));
}

TEST_F(LibraryTest, HitsNameTheirPassage) {
  library_->add(document_);
  const auto passages = split_passages(document_);
  const auto hits = library_->search("Losses damages term buyer 赔偿", 10);
  ASSERT_THAT(hits, SizeIs(5));  // "compensation" may stand for "Losses"
  double last = hits.front().score;
  for (const Hit& hit : hits) {
    EXPECT_EQ(hit.content_hash, document_.content_hash);
    EXPECT_EQ(hit.where.text, passages[static_cast<std::size_t>(hit.passage)].text);
    EXPECT_EQ(hit.where.clause, passages[static_cast<std::size_t>(hit.passage)].clause);
    EXPECT_LE(hit.score, last);
    last = hit.score;
  }
  EXPECT_THAT(library_->search("Losses damages term buyer", 2), SizeIs(2));
  EXPECT_THAT(library_->search("Losses", 0), IsEmpty());
}

TEST_F(LibraryTest, OtherDocumentsDoNotChangeARanking) {
  library_->add(document_);
  const auto alone = library_->search("term of the Losses", 10, document_.content_hash);
  DocumentMaker other;
  for (int i = 0; i < 50; ++i) other.clause(std::to_string(i), "The term of losses, term.");
  library_->add(other.make(hash_of('b')));
  const auto together = library_->search("term of the Losses", 10, document_.content_hash);
  ASSERT_EQ(alone.size(), together.size());
  for (std::size_t i = 0; i < alone.size(); ++i) {
    EXPECT_EQ(alone[i].passage, together[i].passage);
    EXPECT_EQ(alone[i].score, together[i].score);
  }
  EXPECT_GT(library_->search("term of the Losses", 100).size(), 50U);
}

TEST_F(LibraryTest, AddingAgainReplaces) {
  library_->add(document_);
  const Document shorter = DocumentMaker().clause("1", "Only zebras.").make(document_.content_hash);
  library_->add(shorter);
  EXPECT_THAT(library_->entries(), SizeIs(1));
  EXPECT_THAT(library_->search("Losses term Buyer", 10), IsEmpty());
  EXPECT_THAT(library_->search("zebra", 10), SizeIs(1));
}

TEST_F(LibraryTest, RemovedIsGone) {
  library_->add(document_);
  library_->add(agreement(hash_of('b')));
  EXPECT_TRUE(library_->remove(document_.content_hash));
  EXPECT_FALSE(library_->remove(document_.content_hash));
  EXPECT_FALSE(library_->contains(document_.content_hash));
  EXPECT_THAT(library_->search("Buyer", 10, document_.content_hash), IsEmpty());
  EXPECT_THAT(library_->search("Buyer", 10), SizeIs(1));
}

TEST_F(LibraryTest, NothingInAQuestionIsQuerySyntax) {
  library_->add(document_);
  for (const char* question : {"\"",
                               "\"\"\"",
                               "Losses\" OR \"x",
                               "NEAR(a b, 3)",
                               "body : Losses",
                               "{labels} : 3",
                               "^Losses",
                               "Losses*",
                               "a AND",
                               "NOT",
                               "OR OR OR",
                               "(",
                               ")))",
                               "-Losses",
                               "+",
                               "'; DROP TABLE passages",
                               "\xFF\xFE",
                               "",
                               " ",
                               "%s%n",
                               "*:*"}) {
    EXPECT_NO_THROW(library_->search(question, 10)) << question;
  }
  EXPECT_EQ(best("body : Losses"), best("Losses body"));
  EXPECT_EQ(library_->search("Losses*", 10).size(), library_->search("Losses", 10).size());
  EXPECT_NO_THROW(library_->search(std::string("a\0b", 3), 10));
  std::string long_question;
  for (int i = 0; i < 200'000; ++i) long_question += " w" + std::to_string(i);
  EXPECT_NO_THROW(library_->search(long_question + " Losses", 10));
}

TEST_F(LibraryTest, ADocumentWithoutTextIsKeptButNotFound) {
  library_->add(DocumentMaker().make(hash_of('e')));
  EXPECT_TRUE(library_->contains(hash_of('e')));
  EXPECT_THAT(library_->search("Losses", 10, hash_of('e')), IsEmpty());
}

TEST_F(LibraryTest, TwoConnectionsSeeEachOther) {
  const auto other = Library::open(file());
  library_->add(document_);
  EXPECT_TRUE(other->contains(document_.content_hash));
  other->remove(document_.content_hash);
  EXPECT_THAT(library_->entries(), IsEmpty());
}

TEST_F(LibraryTest, IsReadableByItsOwnerOnly) {
  const auto permissions = std::filesystem::status(file()).permissions();
  EXPECT_EQ(permissions & std::filesystem::perms::all,
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

class LibraryFileTest : public LibraryFolder {
 protected:
  ErrorKind kind_of_opening(const std::filesystem::path& path) {
    try {
      Library::open(path);
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(path.filename().string()));
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.kind();
    }
    ADD_FAILURE() << path << " was opened";
    return ErrorKind::invalid_argument;
  }
  void write(const std::string& bytes) { std::ofstream(file(), std::ios::binary) << bytes; }
};

TEST_F(LibraryFileTest, FolderIsMade) {
  Library::open(folder() / "a/b/library.db");
  EXPECT_TRUE(std::filesystem::exists(folder() / "a/b/library.db"));
}

TEST_F(LibraryFileTest, EmptyFileBecomesALibrary) {
  write("");
  Library::open(file())->add(agreement());
  EXPECT_TRUE(Library::open(file())->contains(hash_of('a')));
}

TEST_F(LibraryFileTest, OtherFilesAreRefused) {
  write("This is a letter, not a library.\n");
  EXPECT_EQ(kind_of_opening(file()), ErrorKind::corrupt_library);
  write(std::string(100'000, 'x'));
  EXPECT_EQ(kind_of_opening(file()), ErrorKind::corrupt_library);
  write("x");
  EXPECT_EQ(kind_of_opening(file()), ErrorKind::corrupt_library);
}

TEST_F(LibraryFileTest, AnotherProgramsDatabaseIsRefused) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file().c_str(), &database), SQLITE_OK);
  sqlite3_exec(database, "CREATE TABLE bookmarks(url)", nullptr, nullptr, nullptr);
  sqlite3_close(database);
  EXPECT_EQ(kind_of_opening(file()), ErrorKind::corrupt_library);
}

TEST_F(LibraryFileTest, AnotherVersionIsRefused) {
  Library::open(file());
  Database(file()).execute("PRAGMA user_version=99");
  EXPECT_EQ(kind_of_opening(file()), ErrorKind::unsupported);
}

TEST_F(LibraryFileTest, WhatIsNoFileIsRefused) {
  std::filesystem::create_directory(file());
  EXPECT_EQ(kind_of_opening(file()), ErrorKind::input_output);
  write_fifo(folder() / "fifo");
  EXPECT_EQ(kind_of_opening(folder() / "fifo"), ErrorKind::input_output);
}

TEST_F(LibraryFileTest, AFileInPlaceOfAFolderIsRefused) {
  std::ofstream(folder() / "plain") << "x";
  EXPECT_THROW(Library::open(folder() / "plain/library.db"), Error);
}

TEST_F(LibraryFileTest, DefaultPathFollowsXdg) {
  const EnvironmentVariable home("HOME", "/home/somebody");
  {
    const EnvironmentVariable data("XDG_DATA_HOME", "/data");
    EXPECT_EQ(Library::default_path(), "/data/whereof/library.db");
  }
  for (const char* ignored : {"", "relative/path"}) {
    const EnvironmentVariable data("XDG_DATA_HOME", ignored);
    EXPECT_EQ(Library::default_path(), "/home/somebody/.local/share/whereof/library.db");
  }
  const EnvironmentVariable no_data("XDG_DATA_HOME", nullptr);
  const EnvironmentVariable no_home("HOME", nullptr);
  try {
    Library::default_path();
    FAIL() << "a path without HOME";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::not_found);
  }
}

}  // namespace
}  // namespace whereof::retrieval
