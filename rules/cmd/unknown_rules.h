// Rules that are unknown as long as a replay lasts, which would look like rules that never fire.
// Passes on what becomes of all rules:
//
//   UnknownRules unknown(*writer);
//   rules.replay(unknown, …);
//   unknown.tell(rules, "rules.pmie -a web1");
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rules/model/events.h"

namespace pmjit {

class RuleSession;

class UnknownRules final : public EventWriter {
 public:
  explicit UnknownRules(EventWriter& to) : to_(to) {}

  void begin(const ReplaySchema& schema) override;
  void put(const RuleTransition& event) override;
  void put(const RuleAction& event) override { to_.put(event); }
  void put_alert(const RuleAlert& event) override { to_.put_alert(event); }
  void end(double when, std::span<const RuleState> states) override;

  // Where the replay has ended.
  [[nodiscard]] double ended() const { return ended_; }
  // A line for each of the first few, with the reason; nothing if there are none. `arguments`: the
  // files and archives, for `pmjit explain why RULE`.
  void tell(RuleSession& rules, const std::string& arguments) const;

 private:
  EventWriter& to_;
  ReplaySchema schema_;
  double ended_ = 0;
  std::vector<bool> known_;         // at some time
  std::vector<std::string> names_;  // of those that never were
};

}  // namespace pmjit
