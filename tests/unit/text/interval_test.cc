// Intervals and the arithmetic of times against the reference's own answers.
#include "runtime/text/interval.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

template <class T>
T parts_of(const std::string& text) {
  const size_t dot = text.find('.');
  return {std::stoll(text.substr(0, dot)), std::stoll(text.substr(dot + 1))};
}

template <class T>
std::string text_of(T time) {
  return fmt::format("{}.{:0{}}", time.sec, time.part, T::kPerSecond == 1'000'000 ? 6 : 9);
}

std::string text_of(double real) { return fmt::format("{:.17g}", real); }

TEST(Interval, IsTheReferences) {
  const auto rows = read_vectors("interval.tsv");
  size_t equal = 0;
  for (const VectorRow& row : rows) {
    const auto nano = parse_interval<NanoTime>(row[0]);
    const auto micro = parse_interval<MicroTime>(row[0]);
    ASSERT_EQ(nano.has_value(), row[1] == "0") << row[0];
    if (nano) {
      EXPECT_EQ(text_of(*nano), row[2]) << row[0];
      EXPECT_EQ(text_of(*micro), row[3]) << row[0];
      equal += text_of(*nano) == row[2] && text_of(*micro) == row[3];
    } else {
      EXPECT_EQ(nano.error().what(), row[4]) << row[0];
      equal += nano.error().what() == row[4];
    }
  }
  fmt::print("interval.tsv: {} of {}\n", equal, rows.size());
  EXPECT_GT(rows.size(), 130u);
}

// What PCP 6.0.3 answers besides.
TEST(Interval, RoundsInLongDouble) {
  EXPECT_EQ(parse_interval<NanoTime>("0.0060000005")->part, 6'000'000);
  EXPECT_EQ(parse_interval<NanoTime>("1.5nsec")->part, 1);
  EXPECT_EQ(parse_interval<NanoTime>("2.5nsec")->part, 3);
  EXPECT_EQ(parse_interval<NanoTime>("-0")->sec, 0);
  EXPECT_EQ(parse_interval<NanoTime>("5\t: am").error().what(),
            "5\t: am\n \t^ -- unexpected value\n");
}

// One row: a function, its operands, what it gave.
template <class T>
std::string answer(std::string_view function, const VectorRow& row) {
  if (function == "FromReal") return text_of(from_real<T>(std::stod(row[1])));
  const T a = parts_of<T>(row[1]);
  if (function == "ToReal") return text_of(to_real(a));
  const T b = parts_of<T>(row[2]);
  if (function == "Inc") return text_of(pm_inc(a, b));
  if (function == "Dec") return text_of(pm_dec(a, b));
  if (function == "Add") return text_of(pm_add(a, b));
  return text_of(pm_sub(a, b));
}

TEST(TimeParts, AreReckonedAsTheReferenceDoes) {
  constexpr std::string_view kMicro = "pmtimeval", kNano = "pmtimespec";
  const auto rows = read_vectors("timearith.tsv");
  size_t equal = 0;
  for (const VectorRow& row : rows) {
    const std::string_view name = row[0];
    const std::string got = name.starts_with(kMicro)
                                ? answer<MicroTime>(name.substr(kMicro.size()), row)
                                : answer<NanoTime>(name.substr(kNano.size()), row);
    EXPECT_EQ(got, row[3]) << row[0] << " " << row[1] << " " << row[2];
    equal += got == row[3];
  }
  fmt::print("timearith.tsv: {} of {}\n", equal, rows.size());
  EXPECT_GT(rows.size(), 450u);
}

}  // namespace
}  // namespace pmjit
