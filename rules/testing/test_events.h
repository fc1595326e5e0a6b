// TestEvents: what becomes of rules, as the outcome of a test has it.
#pragma once

#include "rules/testing/run_test.h"

namespace pmjit {

class TestEvents final : public EventWriter {
 public:
  explicit TestEvents(RuleTestOutcome& to) : to_(to) {}

  void begin(const ReplaySchema& schema) override { to_.names = schema.rules; }
  void put(const RuleTransition& event) override {
    to_.transitions.push_back(event_line(to_.names[event.rule], event));
    RuleSeen& seen = to_.rules[event.rule];
    seen.was_true |= event.transition.to == RuleTruth::yes;
    seen.was_false |= event.transition.to == RuleTruth::no;
  }
  void put(const RuleAction& event) override {
    to_.actions.push_back(event_line(to_.names[event.rule], event));
  }
  void end(double, std::span<const RuleState>) override {}

 private:
  RuleTestOutcome& to_;
};

}  // namespace pmjit
