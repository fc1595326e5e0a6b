#include "compiler/diag/no_match.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/base/near.h"
#include "runtime/base/pattern.h"

namespace pmjit {

bool NoMatch::holds(std::span<const std::string> instances) const {
  const Pattern compiled(pattern);
  return !instances.empty() && std::ranges::all_of(instances, [&](const std::string& name) {
    return compiled.matches(name) == negated;
  });
}

std::string NoMatch::text() const {
  return negated ? fmt::format("every instance of {} matches /{}/, so none is left", of, pattern)
                 : fmt::format("no instance of {} matches /{}/", of, pattern);
}

std::string NoMatch::help(std::span<const std::string> instances) {
  return "its instances are " + first_names_text(instances);
}

void NoMatch::add_to(Diags& diags, Span where, std::span<const std::string> instances) const {
  diags.add(DiagCode::S_NothingMatches, where, text()).help(help(instances));
}

std::string no_instances_text(std::string_view of, std::string_view wanted) {
  return fmt::format("{} has no instances, so [{}] selects nothing", of, wanted);
}

}  // namespace pmjit
