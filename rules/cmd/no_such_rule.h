// What to say of a rule that is asked for and is not in the files.
#pragma once

#include <functional>
#include <string>

#include "runtime/base/result.h"

namespace pmjit {

// `name_of`: of one of `rules`.
template <class Rules, class NameOf>
Error no_such_rule(const std::string& name, const Rules& rules, NameOf name_of) {
  std::string help = rules.empty() ? "the files have none that can run" : "the rules are";
  for (const auto& rule : rules) help += " " + std::invoke(name_of, rule);
  return Error(Fault::usage, "there is no rule " + name).help(std::move(help));
}

}  // namespace pmjit
