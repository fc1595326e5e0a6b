#include "runtime/archive/reader/index.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

using Sentences = std::vector<std::string>;

IndexEntry entry(int64_t sec, int32_t volume) {
  return {.stamp = {.sec = sec}, .volume = volume, .meta_offset = 0, .data_offset = 0};
}
// Three volumes of 30 seconds from 1970-01-01T00:01:00Z on, closed after the last record.
const std::vector<IndexEntry> kThree = {entry(60, 0), entry(90, 1), entry(120, 2), entry(140, 2)};

TEST(MissingVolumes, NothingIsSaidOfAWholeArchive) {
  EXPECT_EQ(missing_volumes(std::vector<int32_t>{0, 1, 2}, kThree), Sentences{});
  EXPECT_EQ(missing_volumes(std::vector<int32_t>{0, 1, 2}, {}), Sentences{});
}

TEST(MissingVolumes, TheIndexKnowsTheTimesOfAVolume) {
  EXPECT_EQ(missing_volumes(std::vector<int32_t>{0, 2}, kThree),
            Sentences{"volume 1 is missing: what was recorded from 1970-01-01T00:01:30Z until "
                      "1970-01-01T00:02:00Z is not there; rules of pmie interpolate "
                      "values there"});
  EXPECT_EQ(missing_volumes(std::vector<int32_t>{1, 2}, kThree),
            Sentences{"volume 0 is missing: what was recorded from 1970-01-01T00:01:00Z until "
                      "1970-01-01T00:01:30Z is not there"});
}

TEST(MissingVolumes, TheIndexNamesVolumesBehindTheLastOne) {
  EXPECT_EQ(missing_volumes(std::vector<int32_t>{0, 1}, kThree),
            Sentences{"volume 2 is missing: what was recorded from 1970-01-01T00:02:00Z to "
                      "1970-01-01T00:02:20Z or later is not there"});
  EXPECT_EQ(missing_volumes(std::vector<int32_t>{0}, kThree),
            Sentences{"volumes 1 to 2 are missing: what was recorded from 1970-01-01T00:01:30Z to "
                      "1970-01-01T00:02:20Z or later is not there"});
}

TEST(MissingVolumes, HolesInTheNumbersNeedNoIndex) {
  EXPECT_EQ(missing_volumes(std::vector<int32_t>{0, 1, 3, 2147483647}, {}),
            (Sentences{"volume 2 is missing: the temporal index does not say what was recorded "
                       "there; rules of pmie interpolate values there",
                       "volumes 4 to 2147483646 are missing: the temporal index does not say what "
                       "was recorded there; rules of pmie interpolate values there"}));
}

TEST(MissingVolumes, ADamagedIndexIsNotBelieved) {
  const std::vector<IndexEntry> odd = {entry(60, 0), entry(INT64_MAX, 1), entry(120, 2),
                                       entry(130, -5)};
  EXPECT_EQ(missing_volumes(std::vector<int32_t>{0, 2}, odd),
            Sentences{"volume 1 is missing: what was recorded from an unknown time until "
                      "1970-01-01T00:02:00Z is not there; rules of pmie interpolate "
                      "values there"});
}

}  // namespace
}  // namespace pmjit
