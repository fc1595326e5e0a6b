// The verbs of pmjit, each in the file of its name; main.cc lists them.
#pragma once

#include "rules/cmd/command.h"

namespace pmjit {

class Clock;

[[nodiscard]] Command eval_command(const Clock& clock);
[[nodiscard]] Command check_command(const Clock& clock);
[[nodiscard]] Command explain_command(const Clock& clock);        // with those below it
[[nodiscard]] Command explain_why_command(const Clock& clock);    // explain_why.cc
[[nodiscard]] Command explain_rules_command(const Clock& clock);  // explain_rules.cc
[[nodiscard]] Command explain_codes_command();                    // explain_codes.cc
[[nodiscard]] Command explain_reports_command();                  // explain_reports.cc
[[nodiscard]] Command info_command(const Clock& clock);
[[nodiscard]] Command fmt_command();
[[nodiscard]] Command collect_command(const Clock& clock);
[[nodiscard]] Command run_command(const Clock& clock);
[[nodiscard]] Command test_command();
// Of the build: writes the options of `program` into pages.
[[nodiscard]] Command describe_command(const Command& program);

// explain of words that are codes of messages: prints the page of each.
[[nodiscard]] bool are_codes(const std::vector<std::string>& words);
[[nodiscard]] int explain_codes(const std::vector<std::string>& codes);  // the exit status

}  // namespace pmjit
