#include "runtime/base/result.h"

#include <gtest/gtest.h>

namespace pmjit {
namespace {

TEST(Error, OuterPlacesComeFirst) {
  const Error error =
      Error(Fault::truncated, "record is cut short").at("offset", "132").at("archive", "x.0");
  EXPECT_EQ(error.text(), "archive x.0, offset 132: record is cut short");
  EXPECT_EQ(error.fault(), Fault::truncated);
}

TEST(Error, TextWithoutPlaceAndWithHelp) {
  EXPECT_EQ(Error(Fault::io, "no").text(), "no");
  EXPECT_EQ(Error(Fault::io, "no").help("say yes").text(), "no\n  help: say yes");
}

TEST(Error, AddingAPlaceToAKeptErrorLeavesItAsItIs) {
  const Error kept(Fault::io, "no");
  EXPECT_EQ(kept.at("file", "a").text(), "file a: no");
  EXPECT_EQ(kept.text(), "no");
}

TEST(Error, CarriesThePmapiNumber) {
  const Result<int> failed = fail(Error(Fault::not_found, "no such metric").pm_code(-12357));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().pm_code(), -12357);
}

}  // namespace
}  // namespace pmjit
