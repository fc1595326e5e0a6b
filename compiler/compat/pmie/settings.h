// Settings: values that somebody outside of the files gives to their macros, as `--set NAME=VALUE`
// does. A setting takes the place of the constant wherever a file defines that macro, so it is of
// its kind: a text for a text, a number in units of the same dimensions for a number.
#pragma once

#include <map>
#include <set>
#include <span>
#include <string>

#include "compiler/compat/pmie/macros.h"
#include "runtime/base/result.h"

namespace pmjit::pmie {

using Settings = std::map<std::string, std::string, std::less<>>;  // the value as written
using MacroNames = std::set<std::string, std::less<>>;

// Of texts NAME=VALUE.
[[nodiscard]] Result<Settings> parse_settings(std::span<const std::string> written);
// What `value` is in the place of `constant`.
[[nodiscard]] Result<PmieMacro> set_macro(const std::string& name, const std::string& value,
                                          const PmieMacro& constant);
// A failure: a setting has a macro that is not defined, so it would change nothing.
[[nodiscard]] Result<void> check_settings(const Settings& settings, const MacroNames& defined);

}  // namespace pmjit::pmie
