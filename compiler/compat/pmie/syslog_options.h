// Options among the arguments of a syslog action. Source: spec rules-language.md §12.
#pragma once

#include <functional>
#include <string>

#include "compiler/compat/pmie/expr.h"

namespace pmjit::pmie {

// Takes them out of the arguments.
void read_syslog_options(PmieNode& action, const std::function<void(const std::string&)>& warn);

}  // namespace pmjit::pmie
