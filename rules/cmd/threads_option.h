// --threads N of verbs that work in several threads.
#pragma once

#include <string>

#include "rules/cmd/command.h"

namespace pmjit {

// `what`: what they do; in the help of the option.
[[nodiscard]] CommandOption threads_option(unsigned& threads, const std::string& what);
// How many there will be: 0 asks for one a processor; too many make no more than are of use.
[[nodiscard]] unsigned threads_of(unsigned asked);

}  // namespace pmjit
