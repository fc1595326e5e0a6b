// Which files make up an archive: spec archives.md §1.
#include "runtime/archive/format/names.h"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "runtime/model/pm_codes.h"

namespace pmjit {
namespace {

class Files : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / fmt::format("pmjit-files-{}", getpid());
    std::filesystem::create_directory(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void make(std::initializer_list<const char*> names) {
    for (const char* name : names) std::ofstream(folder_ / name) << "x";
  }
  Result<FileSet> find(const std::string& name) { return find_files((folder_ / name).string()); }
  int code(const std::string& name) {
    const auto found = find(name);
    return found ? 0 : found.error().pm_code();
  }
  std::filesystem::path folder_;
};

TEST_F(Files, AnyMemberNamesTheArchive) {
  make({"foo.meta", "foo.0", "foo.2", "foo.index", "foo.2x", "foo.bar.0", "foobar.0"});
  for (const char* name : {"foo", "foo.meta", "foo.0", "foo.2", "foo.index"}) {
    const auto found = find(name);
    ASSERT_TRUE(found.has_value()) << name << found.error().text();
    EXPECT_EQ(found->base, (folder_ / "foo").string());
    EXPECT_EQ(found->volumes.size(), 2u);
    EXPECT_FALSE(found->index.empty());
  }
}

TEST_F(Files, NamesWithDotsAndPlainFilesOfTheBasesName) {
  make({"2024.01.02.meta", "2024.01.02.0", "plain", "plain.meta", "plain.0"});
  EXPECT_TRUE(find("2024.01.02").has_value());
  EXPECT_TRUE(find("2024.01.02.0").has_value());
  EXPECT_TRUE(find("plain").has_value());
}

TEST_F(Files, MissingOnes) {
  make({"nometa.0", "novolume.meta", "novolume.index"});
  EXPECT_EQ(code("nothing"), -ENOENT);
  EXPECT_EQ(code("nometa"), pm_err::E_LOGFILE);
  EXPECT_EQ(code("novolume"), pm_err::E_LOGFILE);
  EXPECT_EQ(find_files("").error().pm_code(), pm_err::E_LOGFILE);
}

TEST_F(Files, CompressedMembers) {
  make({"a.meta.xz", "a.0.xz", "a.1.gz", "a.2", "a.index.zst", "a.3.rar"});
  for (const char* name : {"a", "a.0.xz", "a.0", "a.meta", "a.index"}) {
    const auto found = find(name);
    ASSERT_TRUE(found.has_value()) << name << found.error().text();
    EXPECT_EQ(found->meta, (folder_ / "a.meta.xz").string());
    EXPECT_EQ(found->index, (folder_ / "a.index.zst").string());
    EXPECT_EQ(found->volumes.size(), 3u);
    EXPECT_EQ(found->volumes.at(1), (folder_ / "a.1.gz").string());
  }
  EXPECT_EQ(code("a.0.gz"), -ENOENT);
}

TEST_F(Files, OfSeveralFormsThePlainOneThenTheOrderOfLooking) {
  make({"d.meta", "d.meta.xz", "d.0.zst", "d.0.gz", "d.0.bz", "d.0.bz2", "d.1.z", "d.1.Z"});
  const auto found = find("d");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->meta, (folder_ / "d.meta").string());
  EXPECT_EQ(found->volumes.at(0), (folder_ / "d.0.bz2").string());
  EXPECT_EQ(found->volumes.at(1), (folder_ / "d.1.Z").string());
}

TEST_F(Files, NumbersThatNoVolumeHasAndFilesThatAreNone) {
  make({"n.meta", "n.0", "n.99999999999", "n.-1", "n.0x", "other.log"});
  const auto found = find("n");
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->volumes.size(), 1u);
  EXPECT_EQ(code("other.log"), -ENOENT);
  EXPECT_EQ(code("n.7"), -ENOENT);
}

TEST(BaseName, OfPhysicalFiles) {
  EXPECT_EQ(base_of("dir/foo.3.xz"), "dir/foo");
  EXPECT_EQ(base_of("foo.meta"), "foo");
  EXPECT_EQ(base_of("foo.index.zst"), "foo");
  EXPECT_EQ(base_of("foo.12"), "foo");
  EXPECT_EQ(base_of("foo.log"), "");
  EXPECT_EQ(base_of("foo"), "");
}

}  // namespace
}  // namespace pmjit
