// Earlier samples of rules: a value N evaluations ago, and what `_sample` makes of a range, in
// terms of single values. Source: spec rules-language.md §3, dialects.md §4.2.
#pragma once

#include <string>
#include <vector>

#include "compiler/compat/pmie/scanner.h"
#include "compiler/strict_rules/tree.h"

namespace pmjit::strict {

// `@1`, `@0..2`
struct SampleRange {
  uint32_t newest = 0, oldest = 0;
  friend constexpr bool operator==(const SampleRange&, const SampleRange&) = default;
};
inline constexpr uint32_t kEarlierMax = 100;

// The values of a range, newest first.
[[nodiscard]] std::vector<ExprId> earlier(AstMaker& tree, ExprId of, const SampleRange& range,
                                          Span where);
// `all_sample` and the like of them.
[[nodiscard]] ExprId over_samples(AstMaker& tree, pmie::PmieOp op,
                                  const std::vector<ExprId>& samples, Span where);
// `50 %_sample`: of at least so many percent of them.
[[nodiscard]] ExprId share_of_samples(AstMaker& tree, const std::string& percent,
                                      const std::vector<ExprId>& samples, Span where);
[[nodiscard]] bool is_earlier(const Expr& expr);
// Is it what over_samples() made of several?
[[nodiscard]] bool is_over_samples(const Expr& expr);

}  // namespace pmjit::strict
