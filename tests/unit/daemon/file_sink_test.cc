// A sink that writes lines to a file.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "full_disk.h"
#include "rules/sinks/delivery.h"

namespace pmjit {
namespace {

class FileSinkTest : public testing::Test {
 protected:
  FileSinkTest() {
    std::string name = testing::TempDir() + "pmjit_sink_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    sink_.file.path = folder_ + "/lines";
  }
  ~FileSinkTest() override { std::filesystem::remove_all(folder_); }

  Delivery deliver(const std::string& line) {
    return make_deliverer(sink_, clock_)
        ->deliver({.sink = "", .dedup = "", .rule = "", .host = "", .event = "", .body = line},
                  [] { return false; });
  }
  [[nodiscard]] std::string lines() const {
    std::ifstream file(sink_.file.path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  SystemClock clock_;
  std::string folder_;
  SinkBlock sink_{.type = SinkType::file};
};

TEST_F(FileSinkTest, LeavesNoHalfLine) {
  using enum Delivery::Outcome;
  EXPECT_EQ(deliver("first\n").outcome, accepted);
  {
    const FullDisk full(9);
    EXPECT_EQ(deliver("second\n").outcome, again);
  }
  EXPECT_EQ(lines(), "first\n");
  EXPECT_EQ(deliver("second\n").outcome, accepted);
  EXPECT_EQ(lines(), "first\nsecond\n");
}

TEST_F(FileSinkTest, APipeIsNotWaitedFor) {
  ASSERT_EQ(::mkfifo(sink_.file.path.c_str(), 0600), 0);
  EXPECT_EQ(deliver("first\n").outcome, Delivery::Outcome::again);
}

}  // namespace
}  // namespace pmjit
