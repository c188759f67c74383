// File names are bytes of somebody else: none of them may command a terminal or pass for a line of
// a report.
#include <gtest/gtest.h>

#include <algorithm>

#include "cli/support/program.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent::testing {
namespace {

using nlohmann::json;

/// Colours, a title of the window, a false line, a backspace, DEL, and CSI as a character of UTF-8.
const std::string hostile =
    "a\x1b[31m\x1b]0;title\x07\nverdict     holds\r\b\x7f\xc2\x9b"
    "1mz";

bool is_command(const std::string& text, std::size_t place) {
  const auto byte = static_cast<unsigned char>(text[place]);
  if (byte == 0x7f || (byte < ' ' && byte != '\n')) return true;
  return byte == 0xc2 && place + 1 < text.size() && static_cast<unsigned char>(text[place + 1]) < 0xa0;
}

std::size_t commands_in(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t k = 0; k < text.size(); ++k) count += is_command(text, k) ? 1 : 0;
  return count;
}

std::size_t lines_in(const Outcome& outcome) {
  const std::string all = outcome.out + outcome.err;
  return static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n'));
}

class Names : public ::testing::Test {
 protected:
  Names() {
    std::filesystem::create_directory(tame);
    std::filesystem::create_directory(wild);
  }

  /// Runs the same with files in both folders. `~` in an argument stands for the folder.
  void expect_tame(const std::vector<std::string>& words, int code = 0) const {
    const auto in = [&](const std::string& place) {
      std::vector<std::string> arguments = words;
      for (std::string& word : arguments)
        if (const std::size_t at = word.find('~'); at != word.npos) word.replace(at, 1, place);
      return geodescent(arguments);
    };
    SCOPED_TRACE(::testing::PrintToString(words));
    const Outcome usual = in(tame), outcome = in(wild);
    EXPECT_EQ(usual.code, code) << usual.err;
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_EQ(commands_in(outcome.out), 0u) << json(outcome.out).dump();
    EXPECT_EQ(commands_in(outcome.err), 0u) << json(outcome.err).dump();
    EXPECT_EQ(lines_in(outcome), lines_in(usual)) << outcome.out << outcome.err;
  }

  const TemporaryFolder folder;
  const std::string tame = folder / "tame", wild = folder / hostile;
};

TEST_F(Names, DoNotReachTheTerminal) {
  expect_tame({"generate", "--rows", "60", "--features", "4", "~/data.svm"});
  expect_tame({"info", "~/data.svm"});
  expect_tame({"convert", "~/data.svm", "~/data.gdm"});
  expect_tame({"train", "~/data.svm", "~/data.model"});
  expect_tame({"train", "--l2-path", "1e-4:1e-2:3", "~/data.svm", "~/path.model"});
  expect_tame({"train", "--folds", "3", "--l2-path", "1e-4:1e-2:3", "~/data.gdm", "~/folds.model"});
  expect_tame({"verify", "~/data.svm", "~/data.model"});
  expect_tame({"verify", "~/data.svm", "~/path.model.01", "~/path.model.02"}, 1);
  expect_tame({"verify", "--loss", "logistic", "--l2", "1e-4", "~/data.svm", "~/data.model"});
  expect_tame({"predict", "~/data.svm", "~/data.model", "~/predictions"});
  expect_tame({"bench", "geometry", "--steps", "2", "--out", "~/bench"});
  expect_tame({"fetch", "--list", "--data", "~", "a1a"});
}

TEST_F(Names, DoNotReachTheTerminalInErrors) {
  put(tame + "/bad", "1 1:x\n");
  put(wild + "/bad", "1 1:x\n");
  for (const char* const command : {"info", "train"}) {
    expect_tame({command, "~/bad"}, 3);
    expect_tame({command, "~/absent"}, 3);
    expect_tame({command, "~"}, 3);
  }
  expect_tame({"fetch", "--data", "~", "~"}, 2);
  expect_tame({"verify", "~/bad", "~/absent"}, 3);
  expect_tame({"fetch", "--mirror", "file://~/none/", "--retries", "0", "--data", "~", "a1a"}, 3);
}

TEST_F(Names, AreWholeInJson) {
  expect_tame({"generate", "--rows", "60", "--features", "4", "~/data.svm"});
  const std::string data = wild + "/data.svm", model = wild + "/data.model";
  for (const std::vector<std::string>& words : {std::vector<std::string>{"info", "--json", data},
                                                {"train", "--json", "--quiet", data, model},
                                                {"verify", "--json", "--quiet", data, model}}) {
    const Outcome outcome = geodescent(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(commands_in(outcome.out), 0u) << outcome.out;
    EXPECT_EQ(json::parse(outcome.out)["data"], data);
  }
}

TEST_F(Names, InOtherEncodingsDoNotReachTheTerminal) {
  // 0x9b alone is CSI for a terminal that is not set to UTF-8; 0xe9 is a letter there.
  const std::string data = folder /
                           "\x9b"
                           "1m\xe9.svm";
  put(data, "1 1:1\n-1 2:1\n");
  const Outcome outcome = geodescent({"info", data});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.out.find('\x9b'), std::string::npos);
  EXPECT_NE(outcome.out.find(" 1m\xe9.svm\n"), std::string::npos) << "letters stay";
}

}  // namespace
}  // namespace geodescent::testing
