#include "runtime/model/units.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

std::string fields(Units u) {
  return fmt::format("{},{},{},{},{},{}", u.dim_space, u.dim_time, u.dim_count, u.scale_space,
                     u.scale_time, u.scale_count);
}

// As the vectors print a multiplier: %.17g.
std::string number(double value) { return fmt::format("{:.17g}", value); }

TEST(Units, TextIsTheReferences) {
  const auto rows = read_vectors("unitsstr.tsv");
  ASSERT_GT(rows.size(), 200u);
  for (const VectorRow& row : rows)
    EXPECT_EQ(units_text(units_of_fields(row[0])), row[1]) << row[0];
}

TEST(Units, TextReadsBackAsTheReferenceReadsIt) {
  for (const VectorRow& row : read_vectors("unitsstr.tsv")) {
    const auto back = parse_units(row[1]);
    if (row[2] != "0") {
      EXPECT_FALSE(back) << row[1];
      continue;
    }
    ASSERT_TRUE(back) << row[1];
    EXPECT_EQ(fields(back->units) + " x " + number(back->multiplier), row[3]) << row[1];
  }
}

TEST(Units, ParsesAsTheReference) {
  const auto rows = read_vectors("parseunits.tsv");
  ASSERT_GT(rows.size(), 200u);
  for (const VectorRow& row : rows) {
    const auto parsed = parse_units(row[0]);
    if (row[1] == "0") {
      ASSERT_TRUE(parsed) << row[0] << ": " << parsed.error().what();
      EXPECT_EQ(fields(parsed->units), row[2]) << row[0];
      EXPECT_EQ(number(parsed->multiplier), row[3]) << row[0];
    } else {
      ASSERT_FALSE(parsed) << row[0];
      EXPECT_EQ(parsed.error().what(), row[4]) << row[0];
      EXPECT_EQ(parsed.error().pm_code(), -12362);
    }
  }
}

TEST(Units, RawTimeScalesWithoutMeaningCannotBeReduced) {
  EXPECT_FALSE(parse_units("time-6 / sec"));  // an assertion stops the reference here
  EXPECT_TRUE(parse_units("time-6 / byte"));
}

TEST(Units, WordsRoundTrip) {
  for (const VectorRow& row : read_vectors("unitsstr.tsv")) {
    const Units units = units_of_fields(row[0]);
    EXPECT_EQ(units_from_word(units_to_word(units)), units) << row[0];
  }
  // dimSpace 1, dimTime -1, scaleSpace 2, scaleTime 3; the low byte is not ours.
  EXPECT_EQ(units_from_word(0x1f0230ff),
            (Units{.dim_space = 1, .dim_time = -1, .scale_space = 2, .scale_time = 3}));
}

TEST(Units, FactorsAreTheReferences) {
  size_t judged = 0;
  for (const VectorRow& row : read_vectors("convscale.tsv")) {
    const Units from = units_of_fields(row[2]), to = units_of_fields(row[3]);
    const auto factor = scale_factor(from, to);
    // The same scale on both sides needs no factor, known or not.
    if (row[4] == "PM_ERR_UNIT" && from != to) {
      EXPECT_FALSE(factor) << row[2] << " → " << row[3];
    }
    if (row[0] != "DOUBLE" || row[4] != "0" || !factor) continue;
    const double value = std::stod(row[1]);
    const double scaled =
        value * (static_cast<double>(factor->num) / static_cast<double>(factor->den));
    EXPECT_NEAR(scaled, std::stod(row[5]), std::abs(scaled) * 1e-15) << row[2] << " → " << row[3];
    ++judged;
  }
  EXPECT_GT(judged, 100u);
}

TEST(Units, FactorsOfSeveralDimensionsAreReduced) {
  // Mbyte/min → Kbyte/s: ×1024 and /60.
  const auto factor =
      scale_factor(parse_units("Mbyte / min")->units, parse_units("Kbyte / sec")->units);
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->num, 256u);
  EXPECT_EQ(factor->den, 15u);
}

TEST(Units, FactorsThatDoNotFitAreNone) {
  EXPECT_FALSE(scale_factor(parse_units("Ebyte^3")->units, parse_units("byte^3")->units));
  EXPECT_FALSE(scale_factor(parse_units("byte")->units, parse_units("sec")->units));
  EXPECT_FALSE(scale_factor(parse_units("Ybyte")->units, parse_units("byte")->units));
  EXPECT_TRUE(scale_factor(parse_units("Ybyte / sec")->units, parse_units("Ybyte / min")->units));
}

TEST(Units, CountsAndNothingAreAlike) {
  const Units none{}, count{.dim_count = 1}, thousands{.dim_count = 1, .scale_count = 3};
  EXPECT_TRUE(same_dimensions(none, count));
  EXPECT_TRUE(same_dimensions(parse_units("count / sec")->units, parse_units("/ sec")->units));
  EXPECT_FALSE(same_dimensions(none, parse_units("byte")->units));
  EXPECT_EQ(scale_factor(thousands, none)->num, 1000u);
  EXPECT_EQ(scale_factor(none, thousands)->den, 1000u);
  EXPECT_EQ(scale_factor(Units{.scale_count = 2}, count)->num, 100u);
}

TEST(Units, CanonicalScales) {
  EXPECT_TRUE(canonical_scales(parse_units("byte / sec")->units));
  EXPECT_TRUE(
      canonical_scales(Units{.scale_space = 3}));  // a scale without its dimension says nothing
  EXPECT_FALSE(canonical_scales(parse_units("Kbyte")->units));
  EXPECT_FALSE(canonical_scales(parse_units("/ millisec")->units));
  EXPECT_FALSE(canonical_scales(parse_units("count x 10")->units));
}

}  // namespace
}  // namespace pmjit
