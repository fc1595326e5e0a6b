// Bitmaps against a vector of bools: every operation at every odd place, and nothing beside it is
// touched.
#include "runtime/base/bits.h"
#include "tests/unit/turns.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace pmjit {
namespace {

using Words = std::vector<uint64_t>;

std::vector<bool> as_bools(const Words& words) {
  std::vector<bool> out;
  for (size_t i = 0; i < words.size() * 64; ++i) out.push_back(bits::get(words.data(), i));
  return out;
}

Words random_words(std::mt19937_64& random, size_t count) {
  Words out(count);
  for (uint64_t& word : out) word = random();
  return out;
}

TEST(Bits, WordsForCounts) {
  EXPECT_EQ(bits::words_for(0), 0u);
  EXPECT_EQ(bits::words_for(1), 1u);
  EXPECT_EQ(bits::words_for(64), 1u);
  EXPECT_EQ(bits::words_for(65), 2u);
}

TEST(Bits, FillClearsTheTail) {
  for (size_t count : {1u, 63u, 64u, 65u, 128u, 200u}) {
    Words words(bits::words_for(count), 0x5555);
    bits::fill(words.data(), count, true);
    EXPECT_TRUE(bits::all_set(words.data(), count));
    EXPECT_EQ(words.back(), bits::tail_mask(count));
    EXPECT_EQ(bits::count_set(words.data(), count), count);
    bits::fill(words.data(), count, false);
    EXPECT_EQ(bits::count_set(words.data(), count), 0u);
  }
  bits::fill(nullptr, 0, true);
  EXPECT_TRUE(bits::all_set(nullptr, 0));
}

TEST(Bits, AllSetSeesEveryHole) {
  for (size_t count : {1u, 64u, 65u, 130u}) {
    for (size_t hole = 0; hole < count; ++hole) {
      Words words(bits::words_for(count));
      bits::fill(words.data(), count, true);
      bits::clear(words.data(), hole);
      EXPECT_FALSE(bits::all_set(words.data(), count)) << count << " " << hole;
      EXPECT_EQ(bits::count_set(words.data(), count), count - 1);
    }
  }
}

TEST(Bits, AllSetOfARangeSeesNothingElse) {
  for (const size_t from : {0u, 1u, 63u, 64u, 70u}) {
    for (const size_t count : {0u, 1u, 63u, 64u, 65u, 130u}) {
      Words words(4);
      bits::set_range(words.data(), from, count, true);
      EXPECT_TRUE(bits::all_set(words.data(), from, count)) << from << " " << count;
      EXPECT_FALSE(bits::all_set(words.data(), from, count + 1)) << from << " " << count;
      if (count == 0) continue;
      bits::clear(words.data(), from + count - 1);
      EXPECT_FALSE(bits::all_set(words.data(), from, count)) << from << " " << count;
    }
  }
}

TEST(Bits, CopyMovesExactlyTheBitsAsked) {
  std::mt19937_64 random(1);
  for (uint32_t round = 0; round < test::turns(20'000); ++round) {
    const Words src = random_words(random, 5), before = random_words(random, 5);
    const size_t count = random() % 200;
    const size_t from = random() % (320 - count), to = random() % (320 - count);
    Words dst = before;
    bits::copy(dst.data(), to, src.data(), from, count);
    std::vector<bool> expected = as_bools(before);
    for (size_t i = 0; i < count; ++i) expected[to + i] = bits::get(src.data(), from + i);
    ASSERT_EQ(as_bools(dst), expected) << from << " → " << to << ", " << count << " bits";
  }
}

TEST(Bits, SetRangeTouchesNothingElse) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 5'000; ++round) {
    const Words before = random_words(random, 4);
    const size_t count = random() % 150, from = random() % (256 - count);
    const bool value = random() % 2 != 0;
    Words words = before;
    bits::set_range(words.data(), from, count, value);
    std::vector<bool> expected = as_bools(before);
    for (size_t i = 0; i < count; ++i) expected[from + i] = value;
    ASSERT_EQ(as_bools(words), expected);
  }
}

}  // namespace
}  // namespace pmjit
