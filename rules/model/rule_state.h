// What is known of a rule from one evaluation to the next, and what changes: pure values.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pmjit {

enum class RuleTruth : uint8_t { no, yes, unknown };
[[nodiscard]] std::string_view rule_truth_text(RuleTruth truth);  // "false", "true", "unknown"

struct RuleState {
  std::optional<RuleTruth> truth{};  // none: it has not been evaluated
  double since = 0;                  // seconds: when it became so
};

struct Transition {
  RuleTruth from = RuleTruth::unknown, to = RuleTruth::unknown;
  bool is_first = false;  // nothing was before: `from` says nothing
  double when = 0;        // seconds
  double lasted = 0;      // seconds that it had been as before
};

struct RuleStep {
  RuleState state;
  std::optional<Transition> transition{};  // none: as before
};
[[nodiscard]] RuleStep step(const RuleState& state, RuleTruth truth, double now);

}  // namespace pmjit
