// What to say of a rule that is asked for and is not in the files: the nearest one, or all.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/base/near.h"
#include "runtime/base/result.h"

namespace pmjit {

// `name_of`: of one of `rules`.
template <class Rules, class NameOf>
Error no_such_rule(const std::string& name, const Rules& rules, NameOf name_of) {
  std::vector<std::string> names;
  for (const auto& rule : rules) names.push_back(std::invoke(name_of, rule));
  std::string help = near_names_text(near_names(name, names));
  if (rules.empty()) help = "the files have none that can run";
  if (help.empty()) {
    help = "the rules are";
    for (const std::string& other : names) help += " " + other;
  }
  return Error(Fault::usage, "there is no rule " + name).help(std::move(help));
}

}  // namespace pmjit
