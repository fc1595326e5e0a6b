// The verbs of pmjit, each in the file of its name; main.cc lists them.
#pragma once

#include "rules/cmd/command.h"

namespace pmjit {

[[nodiscard]] Command eval_command();
[[nodiscard]] Command check_command();
[[nodiscard]] Command explain_command();        // with those below it
[[nodiscard]] Command explain_why_command();    // why.cc
[[nodiscard]] Command explain_rules_command();  // how.cc
[[nodiscard]] Command info_command();
[[nodiscard]] Command fmt_command();
[[nodiscard]] Command run_command();
[[nodiscard]] Command test_command();
// Of the build: writes the options of `program` into pages.
[[nodiscard]] Command describe_command(const Command& program);

}  // namespace pmjit
