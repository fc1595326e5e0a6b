// What became of rules in a run: truths and actions by time, to be compared with another run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/model/events.h"

namespace pmjit {

// Of one rule.
struct RuleHistory {
  struct Truth {
    double when;
    RuleTruth truth;
  };
  struct Action {
    double when;
    std::string text;  // with its verb
  };
  std::vector<Truth> truths;  // where it changed
  std::vector<Action> actions;
};

// Takes the place of a format.
class HistoryCollector final : public EventWriter {
 public:
  void begin(const ReplaySchema& schema) override { histories_.assign(schema.rules.size(), {}); }
  void put(const RuleTransition& event) override {
    histories_[event.rule].truths.push_back({event.transition.when, event.transition.to});
  }
  void put(const RuleAction& event) override {
    histories_[event.rule].actions.push_back(
        {event.when, std::string(event.verb) + ": " + event.text});
  }
  void end(double, std::span<const RuleState>) override {}

  // In the order of the rules.
  [[nodiscard]] const std::vector<RuleHistory>& histories() const { return histories_; }

 private:
  std::vector<RuleHistory> histories_;
};

struct FirstDifference {
  double when;
  std::string a, b;  // what each has then
};
// None: they are alike. Of one time a truth comes before an action.
[[nodiscard]] std::optional<FirstDifference> first_difference(const RuleHistory& a,
                                                              const RuleHistory& b);

}  // namespace pmjit
