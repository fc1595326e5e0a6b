// The table of diagnostics and the list of them.
#include "compiler/diag/diag.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace pmjit {
namespace {

TEST(Diag, EveryCodeIsUsedOnce) {
  std::map<std::string_view, int> uses;
#define DIAG(name, code, severity, text) ++uses[code];
#include "compiler/diag/diag.def"
#undef DIAG
  for (const auto& [code, count] : uses) EXPECT_EQ(count, 1) << code;
}

TEST(Diag, ArgumentsFillTheTextInOrderAndAreNotReadAgain) {
  Diags diags;
  diags.add(DiagCode::D_AddDimensions, Span{0, 1}, "{} {}", "b");
  EXPECT_EQ(diags.all().front().message, "dimensions differ: {} {} and b");
  EXPECT_EQ(diag_code_text(diags.all().front().code), "D50");
}

TEST(Diag, ReferenceStaysValidAsOthersAreAdded) {
  Diags diags;
  Diag& first = diags.add(DiagCode::D_NoDigits, Span{0, 1});
  for (int i = 0; i < 1000; ++i) diags.add(DiagCode::D_NoDigits, Span{1, 2});
  first.label(Span{2, 3}, "here").help("that way");
  EXPECT_EQ(diags.all().front().labels.size(), 1u);
  EXPECT_EQ(diags.all().front().helps, std::vector<std::string>{"that way"});
}

TEST(Diag, OfACompatibleDialectARowIsAWarningInItsOwnWords) {
  Diags diags;
  diags.add_here(DiagCode::S_Duplicate, Span{});
  diags.add_here(DiagCode::D_NoDigits, Span{});
  EXPECT_EQ(diags.all().front().message, "the first definition stays here");
  EXPECT_EQ(diags.all().back().message, "number without digits");
  EXPECT_FALSE(diags.has_errors());
}

TEST(Diag, OnlyErrorsAreErrors) {
  Diags diags;
  EXPECT_TRUE(diags.empty());
  EXPECT_FALSE(diags.has_errors());
  diags.add(DiagCode::D_NoDigits, Span{});
  EXPECT_TRUE(diags.has_errors());
}

}  // namespace
}  // namespace pmjit
