// The verbs of pmjit, each in the file of its name; main.cc lists them.
#pragma once

#include "rules/cmd/command.h"

namespace pmjit {

class Clock;
class Recording;
struct Compilation;

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
// How its definitions are computed, a line each: over `recorded`, if there is one, at how many
// times. The exit status.
[[nodiscard]] int explain_definitions(const Compilation& made, const Recording* recorded,
                                      const Clock& clock);

}  // namespace pmjit
