// A command line against the tables of its verbs. The only file that knows how it is parsed is
// command_line.cc: the parser's header takes longer to compile than all else here.
#pragma once

#include "rules/cmd/command.h"

namespace pmjit {

// Runs the verb that `argv` names, with its options filled in. --help and --version print and end.
// What is wrong with the command line is said. The exit status.
[[nodiscard]] int run_command_line(const Command& program, int argc, const char* const* argv);

}  // namespace pmjit
