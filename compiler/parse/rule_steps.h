// The generated parser of grammar/rules.g4 over the tokens of one statement. What it finds is a
// list of steps in the order of the tokens: a token is taken where it stands, or what began earlier
// is complete, operands before operators. Steps end at the first token that cannot stand where it
// stands; everything complete to the left of it is said to be so.
//
//   parse_rule({NAME, RELATION, NUMBER, END})  x > 3: take x, fetch done, take >, take 3, number
//   done, binary done, take the end
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pmjit::parse {

enum class RuleToken : uint8_t {
#define RULE_TOKEN(name) name,
#include "compiler/parse/rule_tokens.def"
#undef RULE_TOKEN
  END,
};

struct ParseStep {
  enum class Kind : uint8_t {
    take,
    fetch,
    number,
    action,
    binary,  // an operator between two operands
    prefix,  // an operator before its operand
    ruleset,
    alert,
  };
  Kind kind;
  uint32_t token = 0;  // take: the token
};

struct RuleSteps {
  std::vector<ParseStep> steps;
  std::optional<uint32_t> offending;  // the token that does not fit
};

// `tokens` end with END, and nest no deeper than limits::kRuleNestingMax (rule_nesting()).
[[nodiscard]] RuleSteps parse_rule(std::span<const RuleToken> tokens);

// How deep the parser will nest, counted before it does: parentheses and operators before operands.
[[nodiscard]] uint32_t rule_nesting(std::span<const RuleToken> tokens);

}  // namespace pmjit::parse
