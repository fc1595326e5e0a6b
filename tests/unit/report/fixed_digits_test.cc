#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <random>
#include <string>

#include "runtime/report/text/values.h"
#include "tests/unit/turns.h"

namespace pmjit {
namespace {

std::string ours(double value, int digits) {
  char text[kNumberBytes];
  return {text, put_fixed(text, value, digits)};
}

std::string theirs(double value, int digits) {
  char text[kNumberBytes];
  return {text,
          std::to_chars(text, text + kNumberBytes, value, std::chars_format::fixed, digits).ptr};
}

void same(double value) {
  for (int digits = 0; digits <= 17; ++digits) {
    ASSERT_EQ(ours(value, digits), theirs(value, digits)) << value << " with " << digits;
    ASSERT_EQ(ours(-value, digits), theirs(-value, digits)) << -value << " with " << digits;
  }
}

TEST(Fixed, TiesGoToTheEvenDigit) {
  EXPECT_EQ(ours(0.5, 0), "0");
  EXPECT_EQ(ours(1.5, 0), "2");
  EXPECT_EQ(ours(0.125, 2), "0.12");
  EXPECT_EQ(ours(0.375, 2), "0.38");
  EXPECT_EQ(ours(0.9995, 3), "1.000");  // the double is above it
  EXPECT_EQ(ours(-0.0, 1), "-0.0");
}

// What lies at borders: powers, their neighbours, ties and numbers beside them.
TEST(Fixed, IsToCharsAtTheEdges) {
  for (int e = -1074; e<1024; e += e> - 70 && e < 70 ? 1 : 37) {
    const double power = std::ldexp(1.0, e);
    for (const double v : {power, std::nextafter(power, 0.0), std::nextafter(power, INFINITY)}) {
      same(v);
    }
  }
  double decimal = 1e-17;
  for (int e = -17; e < 20; ++e, decimal *= 10) {
    for (const double factor : {1.0, 5.0, 0.5, 9.9999999999999995, 1.25, 4.5}) {
      const double v = decimal * factor;
      same(v);
      same(std::nextafter(v, 0.0));
      same(std::nextafter(v, INFINITY));
    }
  }
}

TEST(Fixed, IsToCharsForRandomNumbers) {
  std::mt19937_64 random(7);
  for (uint32_t i = 0; i < test::turns(20'000); ++i) {
    const auto bits = std::bit_cast<double>(random());
    if (std::isfinite(bits)) same(bits);
    // Of the size of measurements, some of them with few bits, which makes ties.
    const double plain = static_cast<double>(random() >> 11) * 0x1p-53;
    same(std::ldexp(plain, static_cast<int>(random() % 60) - 10));
    same(std::ldexp(std::floor(plain * 4096), -static_cast<int>(random() % 14)));
  }
}

TEST(Digits, AreThoseOfToString) {
  char text[32];
  uint64_t power = 1;
  for (int i = 0; i < 20; ++i, power *= 10) {
    for (const uint64_t v : {power - 1, power, power + 1, power * 9}) {
      EXPECT_EQ(std::string(text, put_whole(text, v)), std::to_string(v));
    }
  }
  EXPECT_EQ(std::string(text, put_whole(text, UINT64_MAX)), std::to_string(UINT64_MAX));
  EXPECT_EQ(std::string(text, put_padded(text, 42, 5)), "00042");
  EXPECT_EQ(std::string(text, put_padded(text, 0, 0)), "");
}

}  // namespace
}  // namespace pmjit
