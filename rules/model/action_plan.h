// ActionPlan: what a rule does at a time, as a value: its actions with their texts, and which of
// them depend on whether others succeed. The engines make it; who performs actions does so later,
// on a thread of its own. Source: spec rules-language.md §12, alerting.md §3.4.
//
//   perform(plan.root) where
//     step      does the action, unless its hold-off is not over; then it is as it was last time
//     in_turn   does both, and succeeds where both have
//     until_one does the second one only where the first one failed
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pmjit {

// Of what selectors bring into a shell's command: letters, digits, blanks and _ . / : @ % + = , -
// stay, every other byte becomes _, so no instance name is a command. Source: spec alerting.md
// §3.4.
[[nodiscard]] std::string shell_safe(std::string_view text);

struct PlannedAction {
  uint32_t id = 0;                    // which action of its rule it is, whatever else is done
  std::string verb;                   // print, syslog, shell, alarm, stomp
  std::optional<std::string> text{};  // none: nothing is left of its arguments
  double hold_off = 0;                // seconds; 0: none
  std::string syslog_tag{};           // empty: the performer's own
  std::optional<int> syslog_priority{};
};

struct ActionPlan {
  enum class Kind : uint8_t { step, in_turn, until_one };
  struct Node {
    Kind kind = Kind::step;
    uint32_t first = 0, second = 0;  // of in_turn and until_one: of `nodes`
    uint32_t step = 0;               // of `steps`
  };
  std::vector<PlannedAction> steps;  // in the order of the text
  std::vector<Node> nodes;           // operands before what is made of them
  double when = 0;                   // the time of the tick, in seconds
  // An alert begins to fire, or ends: what holds its actions off counts from now.
  bool begins = false;

  [[nodiscard]] uint32_t add_step(PlannedAction action) {
    steps.push_back(std::move(action));
    nodes.push_back({.step = static_cast<uint32_t>(steps.size() - 1)});
    return static_cast<uint32_t>(nodes.size() - 1);
  }
  [[nodiscard]] uint32_t join(Kind kind, uint32_t first, uint32_t second) {
    nodes.push_back({.kind = kind, .first = first, .second = second});
    return static_cast<uint32_t>(nodes.size() - 1);
  }
};

}  // namespace pmjit
