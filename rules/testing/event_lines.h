// What happens to rules as the lines of an expectation, in one layout, so that lines that mean the
// same are the same text:
//
//   t=20s busy true web1[sda]      a transition, and for what the rule holds
//   t=20s busy print: sda is busy  an action
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/model/events.h"
#include "runtime/testing/case_file.h"

namespace pmjit {

struct EventLine {
  std::string rule, text;
};

enum class EventKind : uint8_t { transition, action };

[[nodiscard]] EventLine event_line(const std::string& rule, const RuleTransition& event);
[[nodiscard]] EventLine event_line(const std::string& rule, const RuleAction& event);
[[nodiscard]] Result<std::vector<EventLine>> read_event_lines(const cases::Section& section,
                                                              EventKind kind);
// For what a rule holds is compared where the expectation says it.
[[nodiscard]] bool same_event(const std::string& expected, const std::string& actual);

}  // namespace pmjit
