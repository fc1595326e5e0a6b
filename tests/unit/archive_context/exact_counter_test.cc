// Counters between two observations in whole numbers: every type's extremes, halves, long pauses.
#include "runtime/client/archive_context/counter_value.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "runtime/model/pm_codes.h"

namespace pmjit::test {
namespace {

constexpr uint64_t kTwo63 = uint64_t{1} << 63;

template <class T>
constexpr int kType = sizeof(T) == 4 ? (std::is_signed_v<T> ? pm_type::i32 : pm_type::u32)
                                     : (std::is_signed_v<T> ? pm_type::i64 : pm_type::u64);

template <class T>
T at(T prior, T next, Int128 done, Int128 whole, bool wrap = false) {
  using Bits = std::make_unsigned_t<T>;
  const uint64_t bits = exact_counter_between({.type = kType<T>,
                                               .prior = static_cast<Bits>(prior),
                                               .next = static_cast<Bits>(next),
                                               .done = done,
                                               .whole = whole},
                                              wrap);
  EXPECT_EQ(bits, static_cast<Bits>(bits));
  return static_cast<T>(bits);
}

TEST(ExactCounter, HalvesGoUp) {
  EXPECT_EQ(at<uint64_t>(10, 13, 1, 2), 12u);   // 11.5
  EXPECT_EQ(at<uint64_t>(13, 10, 1, 2), 12u);   // 11.5, falling
  EXPECT_EQ(at<int64_t>(-10, -13, 1, 2), -11);  // -11.5
  EXPECT_EQ(at<int64_t>(-13, -10, 1, 2), -11);  // -11.5, rising
  EXPECT_EQ(at<int32_t>(-10, -13, 1, 2), -11);  // and in 32 bits
  EXPECT_EQ(at<int64_t>(-1, 0, 1, 2), 0);       // -0.5
  EXPECT_EQ(at<int64_t>(0, -1, 1, 2), 0);       // -0.5, falling
  EXPECT_EQ(at<uint64_t>(0, 100, 333, 1000), 33u);
  EXPECT_EQ(at<uint64_t>(100, 0, 333, 1000), 67u);
}

TEST(ExactCounter, NoBitIsLostBeyond53) {
  const uint64_t odd = (uint64_t{1} << 53) + 1;
  EXPECT_EQ(at<uint64_t>(odd, odd + 3, 1, 3), odd + 1);
  EXPECT_EQ(at<uint64_t>(UINT64_MAX - 3, UINT64_MAX, 2, 3), UINT64_MAX - 1);
  EXPECT_EQ(at<int64_t>(INT64_MAX - 3, INT64_MAX, 1, 3), INT64_MAX - 2);
  EXPECT_EQ(at<int64_t>(INT64_MIN, INT64_MIN + 3, 1, 3), INT64_MIN + 1);
}

TEST(ExactCounter, TheWholeRange) {
  EXPECT_EQ(at<uint64_t>(0, UINT64_MAX, 1, 2), kTwo63);           // 2^63 − 0.5
  EXPECT_EQ(at<uint64_t>(UINT64_MAX, 0, 1, 2), kTwo63);           // likewise, falling
  EXPECT_EQ(at<int64_t>(INT64_MIN, INT64_MAX, 1, 2), 0);          // −0.5
  EXPECT_EQ(at<int64_t>(INT64_MAX, INT64_MIN, 1, 2), 0);          // −0.5, falling
  EXPECT_EQ(at<int32_t>(INT32_MIN, INT32_MAX, 1, 2), 0);          // −0.5
  EXPECT_EQ(at<uint64_t>(kTwo63 - 8, kTwo63 + 8, 1, 2), kTwo63);  // across the sign
  EXPECT_EQ(at<uint32_t>(0, UINT32_MAX, 1, 2), 1u << 31);
  EXPECT_EQ(at<uint64_t>(7, 7, 1, 2), 7u);
}

TEST(ExactCounter, BothEndsAreTheObservations) {
  EXPECT_EQ(at<uint64_t>(5, UINT64_MAX, 0, 9), 5u);
  EXPECT_EQ(at<uint64_t>(5, UINT64_MAX, 9, 9), UINT64_MAX);
  EXPECT_EQ(at<int64_t>(INT64_MAX, INT64_MIN, 9, 9), INT64_MIN);
}

// Seconds of the format have 64 bits: 2^64 of them are 2^94 nanoseconds.
TEST(ExactCounter, LongPauses) {
  const Int128 longest = (Int128{1} << 94) - 1;
  EXPECT_EQ(at<uint64_t>(0, UINT64_MAX, longest - 1, longest), UINT64_MAX);
  EXPECT_EQ(at<uint64_t>(0, UINT64_MAX, longest / 2, longest), kTwo63 - 1);
  EXPECT_EQ(at<uint64_t>(0, 3, longest / 3, longest), 1u);
  EXPECT_EQ(at<uint64_t>(0, 1, longest / 2, longest), 0u);      // just below a half
  EXPECT_EQ(at<uint64_t>(0, 1, longest / 2 + 1, longest), 1u);  // just above
}

TEST(ExactCounter, OneThatPassedTheTopGoesOnFromZero) {
  constexpr bool kWrap = true;
  EXPECT_EQ(at<uint64_t>(UINT64_MAX - 9, 10, 3, 10, kWrap), UINT64_MAX - 3);
  EXPECT_EQ(at<uint64_t>(UINT64_MAX - 9, 10, 7, 10, kWrap), 4u);
  EXPECT_EQ(at<uint32_t>(UINT32_MAX - 9, 10, 7, 10, kWrap), 4u);
  EXPECT_EQ(at<int32_t>(INT32_MAX - 9, INT32_MIN + 10, 7, 10, kWrap), INT32_MIN + 4);
  EXPECT_EQ(at<int64_t>(INT64_MAX - 9, INT64_MIN + 10, 3, 10, kWrap), INT64_MAX - 3);
  EXPECT_EQ(at<uint64_t>(10, 20, 1, 2, kWrap), 15u);  // one that did not
}

}  // namespace
}  // namespace pmjit::test
