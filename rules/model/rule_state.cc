#include "rules/model/rule_state.h"

namespace pmjit {

std::string_view rule_truth_text(RuleTruth truth) {
  switch (truth) {
    case RuleTruth::no: return "false";
    case RuleTruth::yes: return "true";
    case RuleTruth::unknown: break;
  }
  return "unknown";
}

RuleStep step(const RuleState& state, RuleTruth truth, double now) {
  if (state.truth == truth) return {.state = state};
  const bool is_first = !state.truth;
  return {.state = {.truth = truth, .since = now},
          .transition = Transition{.from = state.truth.value_or(RuleTruth::unknown),
                                   .to = truth,
                                   .is_first = is_first,
                                   .when = now,
                                   .lasted = is_first ? 0 : now - state.since}};
}

}  // namespace pmjit
