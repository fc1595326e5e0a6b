// The order of listings, and the temporal index as it is stored.
#include <gtest/gtest.h>

#include "runtime/archive/reader/hash_order.h"
#include "runtime/archive/reader/index.h"
#include "runtime/archive/writer/encode.h"

namespace pmjit {
namespace {

using Keys = std::vector<uint32_t>;

// The sizes of the table of the reference: 1, then 6 from the eighth key, 14 from the 28th.
TEST(HashOrder, ChainsAndTheirGrowth) {
  EXPECT_EQ(hash_order({}), Keys{});
  EXPECT_EQ(hash_order(Keys{5, 3, 4}), (Keys{4, 3, 5}));
  EXPECT_EQ(hash_order(Keys{1, 2, 3, 4, 5, 6, 7}), (Keys{7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(hash_order(Keys{1, 2, 3, 4, 5, 6, 7, 8}), (Keys{6, 1, 7, 8, 2, 3, 4, 5}));
  Keys many;
  for (uint32_t key = 0; key < 28; ++key) many.push_back(key);
  const Keys listed = hash_order(many);
  for (size_t i = 0; i < 28; ++i) EXPECT_EQ(listed[i] % 14, i / 2);
}

TEST(Index, EntriesAsTheyAre) {
  for (const Version version : {Version::v2, Version::v3}) {
    ByteVector file = encode_label({.version = version}, kIndexVolume);
    const auto add = [&file](const ByteVector& entry) {
      file.insert(file.end(), entry.begin(), entry.end());
    };
    const size_t label = file.size();
    EXPECT_TRUE(read_index(file, version).empty());
    add(encode_index_entry(version, {.sec = 100, .nsec = 5'000}, 3, 900, 1'000));
    add(encode_index_entry(version, {.sec = 90, .nsec = 1'000'000'000}, -5, 80, 70));
    const IndexEntry first{
        .stamp = {100, 5'000}, .volume = 3, .meta_offset = 900, .data_offset = 1'000};
    const IndexEntry second{
        .stamp = {90, 1'000'000'000}, .volume = -5, .meta_offset = 80, .data_offset = 70};
    EXPECT_EQ(read_index(file, version), (std::vector{first, second}));
    file.pop_back();
    EXPECT_EQ(read_index(file, version), std::vector{first});
    file.resize(label - 1);
    EXPECT_TRUE(read_index(file, version).empty());
  }
}

}  // namespace
}  // namespace pmjit
