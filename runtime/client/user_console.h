// The terminal at which a user is asked for his name or password. Source: PCPIntro(1), PCP_CONSOLE.
#pragma once

#include "runtime/client/client_settings.h"

namespace pmjit {

// Opens /dev/tty, or what PCP_CONSOLE names ("none": nobody can be asked), for each question.
// `stop` ends the wait.
[[nodiscard]] AskUser ask_on_console(std::function<bool()> stop = {});

}  // namespace pmjit
