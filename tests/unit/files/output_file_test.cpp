// Output files appear whole or not at all, also when the disk is full.
#include "files/output_file.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <thread>
#include <vector>

#include "geodescent/error.hpp"
#include "support/temporary_folder.hpp"

namespace geodescent {
namespace {

using testing::contents;
using testing::put;
using testing::TemporaryFolder;

void write_whole(const std::string& path, const std::string& text) {
  OutputFile file(path);
  file.write(text);
  file.commit();
}

std::string writing_error(const std::string& path, const std::string& text = "new") {
  try {
    write_whole(path, text);
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

unsigned permissions(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::stat(path.c_str(), &status), 0);
  return status.st_mode & 07777;
}

TEST(OutputFile, AppearsAtCommit) {
  TemporaryFolder folder;
  {
    OutputFile file(folder / "a");
    file.write("one ");
    file.write("two");
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
    file.commit();
    EXPECT_EQ(contents(folder / "a"), "one two");
  }
  EXPECT_EQ(folder.files(), 1U) << "a temporary file was left behind";
}

TEST(OutputFile, WhatAKilledWriterLeftIsRemovedAndWhatIsBeingWrittenIsNot) {
  const TemporaryFolder folder;
  std::array<char, 256> host{};
  ASSERT_EQ(::gethostname(host.data(), host.size() - 1), 0);
  const std::string left = folder / (std::string(".geodescent-") + host.data() + "-1-0.tmp");
  put(left, "of a writer that was killed");
  put(folder / ".geodescent-another host-1-0.tmp", "perhaps being written there");
  put(folder / ".geodescent-notes", "somebody's");
  put(folder / "geodescent-1-0.tmp", "somebody's");
  OutputFile first(folder / "a");
  EXPECT_FALSE(std::filesystem::exists(left));
  first.write("first");
  OutputFile second(folder / "b");
  second.write("second");
  second.commit();
  first.commit();
  EXPECT_EQ(contents(folder / "a"), "first");
  EXPECT_EQ(contents(folder / "b"), "second");
  EXPECT_EQ(folder.files(), 5U);
}

TEST(OutputFile, ManyWritersInOneFolderDoNotRemoveEachOthersFiles) {
  const TemporaryFolder folder;
  std::vector<std::thread> writers;
  for (int k = 0; k < 4; ++k)
    writers.emplace_back([&, k] {
      for (int round = 0; round < 100; ++round) write_whole(folder / std::to_string(k), std::to_string(round));
    });
  for (std::thread& writer : writers) writer.join();
  for (int k = 0; k < 4; ++k) EXPECT_EQ(contents(folder / std::to_string(k)), "99");
  EXPECT_EQ(folder.files(), 4U);
}

TEST(OutputFile, WithoutCommitNothingChanges) {
  TemporaryFolder folder;
  put(folder / "a", "old");
  {
    OutputFile file(folder / "a");
    file.write(std::string(1000000, 'x'));  // more than any buffer
  }
  EXPECT_EQ(contents(folder / "a"), "old");
  EXPECT_EQ(folder.files(), 1U);
}

TEST(OutputFile, LargeText) {
  TemporaryFolder folder;
  std::string text;
  OutputFile file(folder / "a");
  for (int k = 0; k < 200000; ++k) {
    const std::string line = std::to_string(k) + "\n";
    text += line;
    file.write(line);
  }
  file.commit();
  EXPECT_EQ(contents(folder / "a"), text);
}

TEST(OutputFile, NameWithoutFolder) {
  TemporaryFolder folder;
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  write_whole("plain", "text");
  std::filesystem::current_path(before);
  EXPECT_EQ(contents(folder / "plain"), "text");
}

TEST(OutputFile, NewFileFollowsTheUmaskAndAnOldOneKeepsItsBits) {
  TemporaryFolder folder;
  const mode_t before = ::umask(027);
  write_whole(folder / "new", "x");
  put(folder / "old", "x");
  ASSERT_EQ(::chmod((folder / "old").c_str(), 0604), 0);
  write_whole(folder / "old", "y");
  ::umask(before);
  EXPECT_EQ(permissions(folder / "new"), 0640U);
  EXPECT_EQ(permissions(folder / "old"), 0604U);
  EXPECT_EQ(contents(folder / "old"), "y");
}

TEST(OutputFile, SymbolicLinkIsFollowed) {
  TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  put(folder / "sub/real", "old");
  std::filesystem::create_symlink("sub/real", folder / "link");
  write_whole(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(contents(folder / "sub/real"), "new");

  std::filesystem::create_symlink("sub/later", folder / "dangling");
  write_whole(folder / "dangling", "made");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "dangling"));
  EXPECT_EQ(contents(folder / "sub/later"), "made");

  std::filesystem::create_symlink("circle", folder / "circle");
  EXPECT_NE(writing_error(folder / "circle").find("circle: cannot write: "), std::string::npos);
}

TEST(OutputFile, Failures) {
  TemporaryFolder folder;
  EXPECT_EQ(writing_error(folder / "none/a"),
            folder / "none/a: cannot write: No such file or directory; create the folder first");
  EXPECT_EQ(writing_error(folder.path().string()),
            folder.path().string() + ": cannot write: Is a directory; give the name of a file");
  put(folder / "file", "x");
  EXPECT_NE(writing_error(folder / "file/a").find("cannot write: Not a directory; "), std::string::npos);
  EXPECT_NE(writing_error("").find("cannot write: "), std::string::npos);
  EXPECT_EQ(folder.files(), 1U);
}

TEST(OutputFile, NoPermission) {
  TemporaryFolder folder;
  put(folder / "read-only", "old");
  ASSERT_EQ(::chmod((folder / "read-only").c_str(), 0444), 0);
  ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
  {
    const testing::WithoutPrivileges nobody;
    EXPECT_EQ(writing_error(folder / "read-only"),
              folder / "read-only: cannot write: Permission denied; choose a place where you may write");
  }
  ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
  {
    const testing::WithoutPrivileges nobody;
    EXPECT_EQ(writing_error(folder / "new"),
              folder / "new: cannot write: Permission denied; choose a place where you may write");
  }
  ASSERT_EQ(::chmod(folder.path().c_str(), 0755), 0);
  EXPECT_EQ(contents(folder / "read-only"), "old");
}

TEST(OutputFile, DeviceIsWrittenDirectly) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  EXPECT_EQ(writing_error("/dev/full"),
            "/dev/full: cannot write: No space left on device; free some space or choose another place");
  EXPECT_EQ(writing_error("/dev/full", std::string(1000000, 'x')),
            "/dev/full: cannot write: No space left on device; free some space or choose another place");
  EXPECT_EQ(writing_error("/dev/null"), "no error");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(OutputFile, PipeIsWrittenDirectly) {
  TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string received;
  std::thread reader([&] { received = contents(folder / "pipe"); });
  write_whole(folder / "pipe", "through the pipe");
  reader.join();
  EXPECT_EQ(received, "through the pipe");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(OutputFile, StandardOutputIsNotReplaced) {
  // Standard output is a regular file here, with text in it already, as after `>> file`.
  TemporaryFolder folder;
  put(folder / "out", "before\n");
  const int saved = ::dup(STDOUT_FILENO);
  const int out = ::open((folder / "out").c_str(), O_WRONLY | O_APPEND);
  ASSERT_GE(out, 0);
  ::dup2(out, STDOUT_FILENO);
  const std::string first = writing_error("-", "one\n");
  const std::string second = writing_error("/dev/stdout", "two\n");
  ::dup2(saved, STDOUT_FILENO);
  ::close(saved);
  ::close(out);
  EXPECT_EQ(first, "no error");
  EXPECT_EQ(second, "no error");
  EXPECT_EQ(contents(folder / "out"), "before\none\ntwo\n");
}

TEST(OutputFile, FullFileSystemLeavesTheOldFile) {
  TemporaryFolder folder;
  if (::mount("none", folder.path().c_str(), "tmpfs", 0, "size=64k") != 0) {
    GTEST_SKIP() << "cannot mount a small file system here (needs root)";
  }
  put(folder / "a", "old");
  const std::string error = writing_error(folder / "a", std::string(1000000, 'x'));
  const std::string left = contents(folder / "a");
  const std::size_t files = folder.files();
  EXPECT_EQ(::umount(folder.path().c_str()), 0);
  EXPECT_NE(error.find("cannot write: No space left on device; free some space"), std::string::npos) << error;
  EXPECT_EQ(left, "old");
  EXPECT_EQ(files, 1U);
}

}  // namespace
}  // namespace geodescent
