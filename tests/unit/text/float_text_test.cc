#include "runtime/text/float_text.h"
#include "tests/unit/turns.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>

namespace pmjit {
namespace {

constexpr int kRounds = test::turns(50'000);

template <class T>
void expect_as_printf(T value) {
  char text[kFloatTextMax], wanted[64];
  std::string got;
  if constexpr (sizeof(T) == 8) {
    got.assign(text, write_f64(text, value));
    std::snprintf(wanted, sizeof wanted, "%.16g", value);
  } else {
    got.assign(text, write_f32(text, value));
    std::snprintf(wanted, sizeof wanted, "%.8g", static_cast<double>(value));
  }
  ASSERT_EQ(got, wanted);
}

template <class T>
void expect_both(double value) {
  ASSERT_NO_FATAL_FAILURE(expect_as_printf(static_cast<T>(value)));
  ASSERT_NO_FATAL_FAILURE(expect_as_printf(static_cast<T>(-value)));
}

void expect_any(double value) {
  ASSERT_NO_FATAL_FAILURE(expect_both<double>(value));
  ASSERT_NO_FATAL_FAILURE(expect_both<float>(value));
}

TEST(FloatText, RandomBitsPrintAsPrintf) {
  std::mt19937_64 random(1);
  for (int i = 0; i < kRounds; ++i) {
    ASSERT_NO_FATAL_FAILURE(expect_as_printf(std::bit_cast<double>(random())));
    ASSERT_NO_FATAL_FAILURE(
        expect_as_printf(std::bit_cast<float>(static_cast<uint32_t>(random()))));
    // Subnormals and their like are rare among random bits.
    ASSERT_NO_FATAL_FAILURE(expect_as_printf(std::bit_cast<double>(random() >> (12 + i % 40))));
    ASSERT_NO_FATAL_FAILURE(
        expect_as_printf(std::bit_cast<float>(static_cast<uint32_t>(random() >> (41 + i % 20)))));
  }
}

TEST(FloatText, ValuesOfEveryMagnitudePrintAsPrintf) {
  std::mt19937_64 random(2);
  for (int i = 0; i < kRounds; ++i) {
    const auto digits = static_cast<double>(random() >> (random() % 64));
    const int power = static_cast<int>(random() % 60) - 30;
    ASSERT_NO_FATAL_FAILURE(expect_any(digits * std::pow(10.0, power)));
    ASSERT_NO_FATAL_FAILURE(expect_any(digits / 100));
    ASSERT_NO_FATAL_FAILURE(expect_any(std::ldexp(digits, -static_cast<int>(random() % 80))));
  }
}

// Halves between two neighbours go to the even one; carries run through nines.
TEST(FloatText, HalvesAndCarriesPrintAsPrintf) {
  std::mt19937_64 random(3);
  for (int i = 0; i < kRounds; ++i) {
    const double whole = static_cast<double>(random() % 10'000'000'000'000'000);
    ASSERT_NO_FATAL_FAILURE(expect_any(whole / 2));
    ASSERT_NO_FATAL_FAILURE(expect_any(whole / 8));
    ASSERT_NO_FATAL_FAILURE(expect_any(static_cast<double>(random() % 1'000'000'000) / 16));
  }
}

TEST(FloatText, PowersAndTheirNeighboursPrintAsPrintf) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const auto expect_around = [&](double value) {
    expect_any(value);
    expect_both<double>(std::nextafter(value, kInf));
    expect_both<double>(std::nextafter(value, 0));
    const auto narrow = static_cast<float>(value);
    expect_both<float>(std::nextafter(narrow, HUGE_VALF));
    expect_both<float>(std::nextafter(narrow, 0.0F));
  };
  for (int power = -330; power < 310; ++power) {
    for (int digit = 1; digit < 10; ++digit) {
      ASSERT_NO_FATAL_FAILURE(expect_around(digit * std::pow(10.0, power)));
    }
  }
  for (int power = -1080; power < 1024; ++power) {
    ASSERT_NO_FATAL_FAILURE(expect_around(std::ldexp(1, power)));
  }
  for (double value : {0.0, kInf, std::numeric_limits<double>::quiet_NaN()}) expect_any(value);
}

TEST(FloatText, ScientificPrintsAsPrintf) {
  std::mt19937_64 random(4);
  for (int i = 0; i < kRounds; ++i) {
    const auto value = std::bit_cast<double>(random());
    char wanted[64];
    std::snprintf(wanted, sizeof wanted, "%e", value);
    ASSERT_EQ(scientific_text(value), wanted);
  }
}

TEST(FloatText, FixedPrintsAsPrintf) {
  std::mt19937_64 random(5);
  const auto expect_fixed = [](double value, int digits) {
    char wanted[kFixedTextMax + 1], text[kFixedTextMax];
    std::snprintf(wanted, sizeof wanted, "%.*f", digits, value);
    ASSERT_EQ(std::string(text, write_fixed(text, value, digits)), wanted);
  };
  for (int i = 0; i < kRounds; ++i) {
    const int digits = static_cast<int>(random() % 12);
    const auto bits = random();
    ASSERT_NO_FATAL_FAILURE(expect_fixed(std::bit_cast<double>(bits), digits));
    const double part = static_cast<double>(random() % 1'000'000'007) / 1e3;
    ASSERT_NO_FATAL_FAILURE(expect_fixed(part, digits));
    ASSERT_NO_FATAL_FAILURE(expect_fixed(static_cast<double>(bits % 100'000) / 64, digits));
    ASSERT_NO_FATAL_FAILURE(
        expect_fixed(std::ldexp(1.5, static_cast<int>(bits % 90) - 60), digits));
  }
  for (const double value : {0.0, 0.5, 1.5, 2.5, 0.05, 999.95, 1e15, 1e22, 5e-324, -1.0, -0.0}) {
    for (int digits = 0; digits < 12; ++digits) {
      ASSERT_NO_FATAL_FAILURE(expect_fixed(value, digits));
    }
  }
}

}  // namespace
}  // namespace pmjit
