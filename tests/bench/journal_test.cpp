#include "journal/journal.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

#include "geodescent/error.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::lab {
namespace {

using Json = nlohmann::ordered_json;
using Start = Journal::Start;
using testing::contents;
using testing::put;

class JournalTest : public ::testing::Test {
 protected:
  /// Opens, adds nothing, and says why it could not; empty when it could.
  std::string refusal(const Json& wanted, Start start = Start::resume) const {
    try {
      const Journal journal(path, wanted, start);
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << "the file is named: " << error.what();
      return error.what();
    }
    return "";
  }
  /// A journal with three pieces.
  std::string three_pieces() const {
    Journal journal(path, experiment, Start::resume);
    journal.add("one", {{"a", 1}});
    journal.add("two", "text with\nline and \xe2\x82\xac");
    journal.add("three", {1.5, nullptr, "x"});
    return contents(path);
  }

  const testing::TemporaryFolder folder;
  const std::string path = folder / "cells.jsonl";
  const Json experiment = {{"loss", "logistic"}, {"accuracies", {0.1, 0.01}}};
};

TEST_F(JournalTest, RemembersWhatWasAdded) {
  Journal journal(path, experiment, Start::resume);
  EXPECT_EQ(journal.find("one"), nullptr);
  journal.add("one", 1);
  const Json* const first = journal.find("one");
  ASSERT_NE(first, nullptr);
  for (int k = 0; k < 100; ++k) journal.add("other " + std::to_string(k), k);
  EXPECT_EQ(journal.find("one"), first) << "the pointer stays good";
  EXPECT_EQ(*first, 1);
}

TEST_F(JournalTest, ResumesWithAllThatWasFinished) {
  const std::string before = three_pieces();
  const Journal journal(path, experiment, Start::resume);
  EXPECT_EQ(*journal.find("one"), (Json{{"a", 1}}));
  EXPECT_EQ(*journal.find("two"), "text with\nline and \xe2\x82\xac");
  EXPECT_EQ(*journal.find("three"), (Json{1.5, nullptr, "x"}));
  EXPECT_EQ(contents(path), before) << "opening writes nothing";
}

TEST_F(JournalTest, NumbersComeBackWithTheSameBits) {
  const double values[] = {0.1, 1e-300, 5e-324, 1.7976931348623157e308, 0.69314718055994529, -0.0};
  {
    Journal journal(path, experiment, Start::resume);
    for (std::size_t k = 0; k < std::size(values); ++k) journal.add(std::to_string(k), values[k]);
  }
  const Journal journal(path, experiment, Start::resume);
  for (std::size_t k = 0; k < std::size(values); ++k)
    EXPECT_EQ(journal.find(std::to_string(k))->get<double>(), values[k]);
}

TEST_F(JournalTest, AfreshForgets) {
  three_pieces();
  {
    Journal journal(path, experiment, Start::afresh);
    EXPECT_EQ(journal.find("one"), nullptr);
    journal.add("four", 4);
  }
  const Journal journal(path, experiment, Start::resume);
  EXPECT_EQ(journal.find("one"), nullptr);
  EXPECT_EQ(*journal.find("four"), 4);
}

TEST_F(JournalTest, TornLastLineIsDoneAgainWhereverItWasTorn) {
  const std::string whole = three_pieces();
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  for (std::size_t length = last; length < whole.size(); ++length) {
    put(path, whole.substr(0, length));
    {
      Journal journal(path, experiment, Start::resume);
      ASSERT_NE(journal.find("one"), nullptr) << length;
      ASSERT_NE(journal.find("two"), nullptr) << length;
      ASSERT_EQ(journal.find("three"), nullptr) << length;
      ASSERT_EQ(contents(path), whole.substr(0, last));
      journal.add("three", {1.5, nullptr, "x"});
    }
    ASSERT_EQ(contents(path), whole) << "torn after " << length - last << " bytes";
  }
}

TEST_F(JournalTest, TornFirstLineIsWrittenAgainWhereverItWasTorn) {
  { const Journal journal(path, experiment, Start::resume); }
  const std::string whole = contents(path);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    put(path, whole.substr(0, length));
    { const Journal journal(path, experiment, Start::resume); }
    ASSERT_EQ(contents(path), whole) << "torn after " << length << " bytes";
  }
}

TEST_F(JournalTest, ZerosAtTheEndAreCutOff) {
  const std::string whole = three_pieces();
  put(path, whole + std::string(512, '\0'));
  const Journal journal(path, experiment, Start::resume);
  EXPECT_NE(journal.find("three"), nullptr);
  EXPECT_EQ(contents(path), whole);
}

TEST_F(JournalTest, NothingAfterABrokenLineIsTrusted) {
  const std::string whole = three_pieces();
  const std::size_t second = whole.find('\n', whole.find('\n') + 1) + 1, third = whole.find('\n', second) + 1;
  for (const char* broken : {"", "{\"key\":\"two\"", "null", "[1]", "{\"key\":\"two\"}", "{\"value\":2}",
                             "{\"key\":2,\"value\":2}", "\xff\xfe"}) {
    put(path, whole.substr(0, second) + broken + "\n" + whole.substr(third));
    Journal journal(path, experiment, Start::resume);
    EXPECT_NE(journal.find("one"), nullptr) << broken;
    EXPECT_EQ(journal.find("two"), nullptr) << broken;
    EXPECT_EQ(journal.find("three"), nullptr) << broken;
    EXPECT_EQ(contents(path), whole.substr(0, second)) << broken;
  }
}

TEST_F(JournalTest, RefusesAnotherExperimentAndNamesTheDifference) {
  const std::string before = three_pieces();
  Json other = experiment;
  other["loss"] = "squared";
  std::string message = refusal(other);
  for (const char* word : {"loss", "logistic", "squared", "--restart"})
    EXPECT_NE(message.find(word), std::string::npos) << message;
  other = experiment;
  other["proven"] = true;
  message = refusal(other);
  for (const char* word : {"proven", "absent", "true"}) EXPECT_NE(message.find(word), std::string::npos) << message;
  EXPECT_NE(refusal({{"loss", "logistic"}}), "");
  EXPECT_EQ(contents(path), before) << "nothing is touched";
}

TEST_F(JournalTest, SaysThatTheMethodsAreOfAnotherVersionRatherThanTheirChecksum) {
  { const Journal journal(path, {{"methods", "0123abcd"}}, Start::resume); }
  const std::string message = refusal({{"methods", "4567cdef"}});
  EXPECT_NE(message.find("another version"), std::string::npos) << message;
  EXPECT_EQ(message.find("0123abcd"), std::string::npos) << message;
}

TEST_F(JournalTest, RefusesWhatIsNoJournal) {
  for (const std::string text : {"data,lambda\n", "\n", "{}\n", "[]\n", "{\"key\":\"a\",\"value\":1}\n",
                                 "notes without an end of line", "{\"mine\": 1}", "{\"experiment\":3}\n"}) {
    put(path, text);
    EXPECT_NE(refusal(experiment), "") << text;
    EXPECT_EQ(contents(path), text) << "nothing is touched";
  }
}

TEST_F(JournalTest, RefusesAFileThatAnotherProcessHasOpen) {
  int ready[2], go[2];
  ASSERT_EQ(::pipe(ready), 0);
  ASSERT_EQ(::pipe(go), 0);
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  char byte = 0;
  if (child == 0) {
    const Journal journal(path, experiment, Start::resume);
    if (::write(ready[1], "x", 1) != 1 || ::read(go[0], &byte, 1) != 1) ::_exit(1);
    ::_exit(0);
  }
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const std::string before = contents(path);
  for (const Start start : {Start::resume, Start::afresh}) {
    const std::string message = refusal(experiment, start);
    EXPECT_NE(message.find("another process"), std::string::npos) << message;
    EXPECT_EQ(contents(path), before) << "nothing is touched";
  }
  ASSERT_EQ(::write(go[1], "x", 1), 1);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(refusal(experiment), "") << "free again";
  for (const int descriptor : {ready[0], ready[1], go[0], go[1]}) ::close(descriptor);
}

TEST_F(JournalTest, RefusesWhatCannotBeWritten) {
  three_pieces();
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(path.c_str(), 0444), 0);
  const testing::WithoutPrivileges guard;
  const std::string message = refusal(experiment);
  EXPECT_NE(message.find("cannot write"), std::string::npos) << message;
}

TEST_F(JournalTest, RefusesAFolderThatIsNotThere) {
  EXPECT_THROW(Journal(folder / "no/such/cells.jsonl", experiment, Start::resume), InputError);
  EXPECT_THROW(Journal(folder.path().string(), experiment, Start::resume), InputError) << "a folder is no file";
}

TEST_F(JournalTest, TakesPiecesFromSeveralThreads) {
  constexpr int each = 50;
  {
    Journal journal(path, experiment, Start::resume);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&journal, t] {
        for (int k = 0; k < each; ++k) {
          journal.add(std::to_string(t) + " " + std::to_string(k), k);
          journal.find("0 0");
        }
      });
  }
  const Journal journal(path, experiment, Start::resume);
  for (int t = 0; t < 4; ++t)
    for (int k = 0; k < each; ++k) {
      const Json* const piece = journal.find(std::to_string(t) + " " + std::to_string(k));
      ASSERT_NE(piece, nullptr);
      EXPECT_EQ(*piece, k);
    }
}

}  // namespace
}  // namespace geodescent::lab
