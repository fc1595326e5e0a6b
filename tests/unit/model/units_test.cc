#include "runtime/model/units.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "runtime/text/parse_units.h"
#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

std::string fields(Units u) {
  return fmt::format("{},{},{},{},{},{}", u.dim_space, u.dim_time, u.dim_count, u.scale_space,
                     u.scale_time, u.scale_count);
}

// As the vectors print a multiplier: %.17g.
std::string number(double value) { return fmt::format("{:.17g}", value); }

Units named(std::string_view text) { return parse_units(text, ExtraUnits::known)->units; }

TEST(Units, TextIsTheReferences) {
  const auto rows = read_vectors("unitsstr.tsv");
  ASSERT_GT(rows.size(), 200u);
  for (const VectorRow& row : rows)
    EXPECT_EQ(units_text(units_of_fields(row[0])), row[1]) << row[0];
}

TEST(Units, TextReadsBackAsTheReferenceReadsIt) {
  for (const VectorRow& row : read_vectors("unitsstr.tsv")) {
    const auto back = parse_units(row[1], ExtraUnits::ignored);
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
    const auto parsed = parse_units(row[0], ExtraUnits::ignored);
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
  EXPECT_FALSE(
      parse_units("time-6 / sec", ExtraUnits::ignored));  // an assertion stops the reference here
  EXPECT_TRUE(parse_units("time-6 / byte", ExtraUnits::ignored));
}

TEST(Units, WordsRoundTrip) {
  for (const VectorRow& row : read_vectors("unitsstr.tsv")) {
    const Units units = units_of_fields(row[0]);
    EXPECT_EQ(units_from_word(units_to_word(units), ExtraUnits::ignored), units) << row[0];
  }
  // dimSpace 1, dimTime -1, scaleSpace 2, scaleTime 3; the low byte is not ours.
  EXPECT_EQ(units_from_word(0x1f0230ff, ExtraUnits::ignored),
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
  const auto factor = scale_factor(named("Mbyte / min"), named("Kbyte / sec"));
  ASSERT_TRUE(factor);
  EXPECT_EQ(factor->num, 256u);
  EXPECT_EQ(factor->den, 15u);
}

TEST(Units, FactorsThatDoNotFitAreNone) {
  EXPECT_FALSE(scale_factor(named("Ebyte^3"), named("byte^3")));
  EXPECT_FALSE(scale_factor(named("byte"), named("sec")));
  EXPECT_FALSE(scale_factor(named("Ybyte"), named("byte")));
  EXPECT_TRUE(scale_factor(named("Ybyte / sec"), named("Ybyte / min")));
}

TEST(Units, CountsAndNothingAreAlike) {
  const Units none{}, count{.dim_count = 1}, thousands{.dim_count = 1, .scale_count = 3};
  EXPECT_TRUE(same_dimensions(none, count));
  EXPECT_TRUE(same_dimensions(named("count / sec"), named("/ sec")));
  EXPECT_FALSE(same_dimensions(none, named("byte")));
  EXPECT_EQ(scale_factor(thousands, none)->num, 1000u);
  EXPECT_EQ(scale_factor(none, thousands)->den, 1000u);
  EXPECT_EQ(scale_factor(Units{.scale_count = 2}, count)->num, 100u);
}

TEST(Units, CanonicalScales) {
  EXPECT_TRUE(canonical_scales(named("byte / sec")));
  EXPECT_TRUE(
      canonical_scales(Units{.scale_space = 3}));  // a scale without its dimension says nothing
  EXPECT_FALSE(canonical_scales(named("Kbyte")));
  EXPECT_FALSE(canonical_scales(named("/ millisec")));
  EXPECT_FALSE(canonical_scales(named("count x 10")));
}

TEST(ExtraUnits, TextsReadBack) {
  for (const std::string_view text :
       {"temperature (C)", "temperature (F) / sec", "voltage (uV) byte^2", "/ current (mA)",
        "count / power (kW) sec", "power (W)"}) {
    const auto read = parse_units(text, ExtraUnits::known);
    ASSERT_TRUE(read) << text;
    EXPECT_EQ(units_text(read->units), text);
    EXPECT_EQ(units_from_word(units_to_word(read->units), ExtraUnits::known), read->units) << text;
    EXPECT_FALSE(parse_units(text, ExtraUnits::ignored)) << text;
  }
  EXPECT_EQ(units_to_word(named("temperature (C)")), 0x09u);
  EXPECT_EQ(units_to_word(named("sec / power (W)")), 0x010030e2u);
  EXPECT_EQ(named("VOLTAGE (mv)"), named("voltage (mV)"));
}

TEST(ExtraUnits, WhatNobodyKnowsIsNumbered) {
  EXPECT_EQ(units_text({.extra = {.unit = 2, .scale = 7}}), "voltage (scale-7)");
  EXPECT_EQ(units_text({.extra = {.unit = -9, .scale = 1}}), "/ extra-9");
  EXPECT_FALSE(
      scale_factor({.extra = {.unit = 9, .scale = 1}}, {.extra = {.unit = 9, .scale = 2}}));
}

TEST(ExtraUnits, OneAtATime) {
  const auto refusal = [](std::string_view text) {
    return parse_units(text, ExtraUnits::known).error().what();
  };
  EXPECT_EQ(refusal("voltage (V) current (A)"), "multiple extra units not allowed");
  EXPECT_EQ(refusal("voltage (V) / voltage (V)"),
            "extra units cannot appear in both dividend and divisor");
  EXPECT_EQ(refusal("voltage (V)^2"), "unrecognized or duplicate base unit");
}

TEST(ExtraUnits, Factors) {
  EXPECT_EQ(scale_factor(named("voltage (V)"), named("voltage (uV)"))->num, 1'000'000u);
  EXPECT_EQ(scale_factor(named("power (mW)"), named("power (kW)"))->den, 1'000'000u);
  EXPECT_EQ(scale_factor(named("/ current (A)"), named("/ current (mA)"))->den, 1000u);
  EXPECT_FALSE(scale_factor(named("voltage (V)"), named("current (A)")));
  EXPECT_FALSE(scale_factor(named("temperature (C)"), named("temperature (F)")));
  EXPECT_TRUE(scale_shift(named("temperature (C)"), named("temperature (F)")));
  EXPECT_FALSE(scale_shift(named("temperature (C) / sec"), named("temperature (F) / sec")));
  EXPECT_FALSE(scale_shift(named("temperature (C)"), named("temperature (C)")));
}

}  // namespace
}  // namespace pmjit
