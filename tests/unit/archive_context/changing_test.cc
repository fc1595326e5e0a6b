// Archives that change while they are read: volumes that grow, shrink, or are gone.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>

#include "runtime/client/archive_context/archive_context.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/folder.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {
namespace {

constexpr uint64_t kLabel = label_bytes(Version::v3);

class Changing : public ::testing::Test {
 protected:
  Changing() {
    for (const char* member : {"0", "1", "2", "meta", "index"}) {
      folder_.copy(golden("vols-v3.") + member, std::string("foo.") + member);
    }
  }
  void resize(const char* name, uint64_t bytes) const {
    std::filesystem::resize_file(folder_.path(name), bytes);
  }
  // A cursor over everything that has read its first row.
  void open() {
    auto archive = Archive::open(folder_.path("foo"));
    ASSERT_TRUE(archive.has_value()) << archive.error().text();
    archive_ = *std::move(archive);
    FetchPlan plan{.metrics = {archive_->catalog().describe("vo.c")->pmid}, .rows_max = 1};
    cursor_ = *archive_->open(plan, rosters_);
    ASSERT_TRUE(cursor_->next(block_).value_or(false));
  }
  // Rows until the end, and the error there; "" if there is none.
  std::pair<int, std::string> rest() {
    for (int rows = 0;; ++rows) {
      const auto more = cursor_->next(block_);
      if (!more) return {rows, more.error().text()};
      if (!*more) return {rows, ""};
    }
  }

  Folder folder_;
  std::unique_ptr<Archive> archive_;
  Rosters rosters_;
  std::unique_ptr<Cursor> cursor_;
  Block block_;
};

TEST_F(Changing, AVolumeThatGrowsIsReadToItsNewEnd) {
  resize("foo.2", kLabel + 44);
  open();
  const auto file = open_file(golden("vols-v3.2"));
  const auto whole = read_whole(**file, 1u << 20);
  const int fd = ::open(folder_.path("foo.2").c_str(), O_WRONLY | O_APPEND);
  const size_t more = whole->size() - kLabel - 44;
  ASSERT_EQ(write(fd, whole->data() + kLabel + 44, more), static_cast<ssize_t>(more));
  close(fd);
  EXPECT_EQ(rest(), std::pair(8, std::string()));
}

TEST_F(Changing, AReplayGoesOnWhereAnArchiveHasGrown) {
  resize("foo.2", kLabel + 44);
  const auto archives = Archives::open(folder_.path("foo"));
  ASSERT_TRUE(archives.has_value()) << archives.error().text();
  const PmId metric = *(*archives)->metadata().names.find("vo.c");
  const auto count = [&](ReplayContext& context) {
    Fetched result;
    int fetches = 0;
    while (context.fetch({&metric, 1}, {}, result)) ++fetches;
    return fetches;
  };
  ReplayContext records(**archives, BadVolumes::pass_over);
  ReplayContext between(**archives, BadVolumes::pass_over);
  between.set_mode(ReplayMode::interpolated, (*archives)->start(), {10, 0});
  const int recorded = count(records), sampled = count(between);
  const Stamp end = *(*archives)->end();
  std::filesystem::copy_file(golden("vols-v3.2"), folder_.path("foo.2"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_GT(*(*archives)->end(), end);
  EXPECT_EQ(recorded + count(records), 9);
  between.set_mode(ReplayMode::interpolated, (*archives)->start(), {10, 0});
  EXPECT_GT(count(between), sampled);
}

TEST_F(Changing, AVolumeThatGrowsWhileItIsOpen) {
  resize("foo.1", kLabel + 44);
  open();
  auto volume = Volume::open(archive_->volumes()[1], &archive_->label());
  ASSERT_TRUE(volume.has_value()) << volume.error().text();
  EXPECT_FALSE(volume->reaches(kLabel + 44));
  resize("foo.1", kLabel + 50);
  EXPECT_TRUE(volume->reaches(kLabel + 44));
  EXPECT_EQ(volume->size(), kLabel + 50);
}

TEST_F(Changing, AVolumeCutShortIsSeen) {
  resize("foo.1", 700'000);  // more than is read ahead
  open();
  auto volume = Volume::open(archive_->volumes()[1], &archive_->label());
  ASSERT_TRUE(volume.has_value()) << volume.error().text();
  EXPECT_FALSE(volume->shrunk());
  resize("foo.1", kLabel + 44);
  EXPECT_TRUE(volume->shrunk());
  EXPECT_TRUE(volume->reaches(kLabel + 44));  // it did when it was opened
  const auto bytes = volume->window().at(600'000, 4);
  EXPECT_TRUE(bytes.has_value() && bytes->empty());
}

TEST_F(Changing, AVolumeCutShortIsAnErrorThatNamesIt) {
  resize("foo.0", 600'000);  // zeros behind the records: more than is read ahead
  open();
  resize("foo.0", kLabel + 44);
  const auto [rows, error] = rest();
  EXPECT_EQ(rows, 2);
  EXPECT_NE(error.find("foo.0"), std::string::npos) << error;
  EXPECT_NE(error.find("became shorter"), std::string::npos) << error;
}

TEST_F(Changing, AVolumeThatIsGoneIsAnErrorThatNamesIt) {
  open();
  std::filesystem::remove(folder_.path("foo.1"));
  const auto [rows, error] = rest();
  EXPECT_EQ(rows, 2);
  EXPECT_NE(error.find("foo.1"), std::string::npos) << error;
}

TEST_F(Changing, MetadataCutShortLaterHurtsNobody) {
  open();
  resize("foo.meta", 0);
  resize("foo.index", 0);
  EXPECT_TRUE(archive_->catalog().describe("vo.c").has_value());
  EXPECT_EQ(rest(), std::pair(8, std::string()));
}

TEST_F(Changing, AFolderInTheMembersPlace) {
  std::filesystem::remove(folder_.path("foo.meta"));
  std::filesystem::create_directory(folder_.path("foo.meta"));
  const auto archive = Archive::open(folder_.path("foo"));
  ASSERT_FALSE(archive.has_value());
  EXPECT_EQ(archive.error().pm_code(), -EISDIR);
}

}  // namespace
}  // namespace pmjit::test
