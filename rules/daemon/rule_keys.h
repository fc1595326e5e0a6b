// RuleKeys: what a rule is, as texts that are the same where nothing has changed but comments,
// layout, and, in conditions, names of macros. A reload goes on with what has the same keys.
// Source: spec alerting.md §2.6.
//
//   const RuleKeys keys = keys_of(rule, source.text);           // strict
//   const RuleKeys keys = keys_of(statement.tokens, delta);     // pmie
//   if (keys.whole == before.whole) …                            // it is the same rule
//   if (keys.condition == before.condition) …                    // it is true when it was
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "compiler/compat/pmie/scanner.h"
#include "compiler/strict_rules/rule_file.h"

namespace pmjit {

struct RuleKeys {
  std::string condition{};  // all conditions of a ruleset, and how often they are due
  std::string whole{};      // with what it does
};

// `text`: of its file.
[[nodiscard]] RuleKeys keys_of(const strict::Rule& rule, std::string_view text);
[[nodiscard]] RuleKeys keys_of(std::span<const pmie::ScannedToken> statement, double delta);

// Without comments, and each stretch of blanks as one; not within quotes.
[[nodiscard]] std::string without_layout(std::string_view text);

}  // namespace pmjit
