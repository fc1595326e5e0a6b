#include "runtime/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace pmjit {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "whole_file.XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ifstream in(path);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  fs::path folder_;
};

TEST_F(WholeFile, NewOne) {
  const fs::path path = folder_ / "new";
  EXPECT_EQ(can_write_whole_file(path), 0);
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(write_whole_file(path, "text"), 0);
  EXPECT_EQ(content(path), "text");
  const mode_t mask = umask(0);
  umask(mask);
  EXPECT_EQ(static_cast<mode_t>(fs::status(path).permissions()), 0666 & ~mask);
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, OldOneBehindALinkKeepsItsPermissions) {
  const fs::path path = folder_ / "old", link = folder_ / "link";
  std::ofstream(path) << "a longer text";
  fs::permissions(path, fs::perms(0640));
  fs::create_symlink("old", link);
  EXPECT_EQ(write_whole_file(link, "text"), 0);
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(content(path), "text");
  EXPECT_EQ(fs::status(path).permissions(), fs::perms(0640));
  EXPECT_EQ(files(), 2);
}

TEST_F(WholeFile, ALinkToWhatIsNotThereYet) {
  fs::create_directory(folder_ / "sub");
  fs::create_symlink("sub/second", folder_ / "first");
  fs::create_symlink("file", folder_ / "sub" / "second");
  EXPECT_EQ(can_write_whole_file(folder_ / "first"), 0);
  EXPECT_EQ(write_whole_file(folder_ / "first", "text"), 0);
  EXPECT_TRUE(fs::is_symlink(folder_ / "first"));
  EXPECT_TRUE(fs::is_symlink(folder_ / "sub" / "second"));
  EXPECT_EQ(content(folder_ / "sub" / "file"), "text");
  fs::create_symlink("circle", folder_ / "circle");
  EXPECT_EQ(can_write_whole_file(folder_ / "circle"), ELOOP);
}

TEST_F(WholeFile, WhatIsNoFile) {
  EXPECT_EQ(can_write_whole_file(folder_), EISDIR);
  EXPECT_EQ(write_whole_file(folder_, ""), EISDIR);
  EXPECT_EQ(can_write_whole_file(folder_ / "no" / "file"), ENOENT);
  EXPECT_EQ(write_whole_file(folder_ / "no" / "file", ""), ENOENT);
  const fs::path pipe = folder_ / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(can_write_whole_file(pipe), EINVAL);
  EXPECT_EQ(whole_file_text(EINVAL), "it is a pipe or a device, and no file");
  EXPECT_EQ(files(), 1);
}

TEST_F(WholeFile, InTheFolderAtHand) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_);
  EXPECT_EQ(can_write_whole_file("plain"), 0);
  EXPECT_EQ(write_whole_file("plain", "text"), 0);
  fs::current_path(before);
  EXPECT_EQ(content(folder_ / "plain"), "text");
}

}  // namespace
}  // namespace pmjit
