// Reading a file ends where somebody asks for that.
#include "runtime/base/file.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/unit/archive/folder.h"

namespace pmjit::test {
namespace {

TEST(File, ReadingStopsWhereSomebodyAsks) {
  const Folder folder;
  folder.write("some", "bytes");
  const auto file = open_file(folder.path("some"));
  ASSERT_TRUE(file.has_value());
  std::array<std::byte, 5> out{};
  stop_reading_when([] { return false; });
  EXPECT_EQ((*file)->read(0, out).value_or(0), 5U);
  stop_reading_when([] { return true; });
  EXPECT_THROW((void)(*file)->read(0, out), ReadingStopped);
  const auto memory = memory_file({std::byte{1}});
  EXPECT_EQ(memory->read(0, out).value_or(0), 1U);
  stop_reading_when(nullptr);
  EXPECT_EQ((*file)->read(1, out).value_or(0), 4U);
}

}  // namespace
}  // namespace pmjit::test
