#include "compiler/compat/registry/controls.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <cstdlib>

#include "runtime/model/pm_error.h"

namespace pmjit {

namespace {

enum Control : size_t { global_limit, context_limit, syntax, semantics, eval, option_novalue };
constexpr std::string_view kNames[] = {"GLOBAL_LIMIT",    "CONTEXT_LIMIT", "DEBUG_SYNTAX",
                                       "DEBUG_SEMANTICS", "DEBUG_EVAL",    "OPTION_NOVALUE"};

// The first that the name is a beginning of.
const std::string_view* find_control(const std::string& name) {
  return std::ranges::find_if(kNames, [&](std::string_view known) {
    return !name.empty() && strncasecmp(known.data(), name.c_str(), name.size()) == 0 &&
           name.size() <= known.size();
  });
}

}  // namespace

void Controls::read_environment(std::string_view settings) {
  constexpr std::string_view kWarning = "Warning: $PCP_DERIVED_CONTROL: ";
  read(settings, {.warning = std::string(kWarning), .error = std::string(kWarning), .fixed = true});
}

// The byte behind #control does not matter.
void Controls::read_comment(std::string_view line, const std::string& place) {
  constexpr std::string_view kWord = "#control";
  if (registry_.dialect() == Dialect::pcp6 || line.size() < kWord.size() ||
      strncasecmp(line.data(), kWord.data(), kWord.size()) != 0) {
    return;
  }
  line.remove_prefix(std::min(line.size(), kWord.size() + 1));
  read(line, {.warning = place + "Warning: ", .error = place + "Error: "});
}

void Controls::read(std::string_view settings, const Where& where) {
  const auto warn = [&](const std::string& text) { say_(where.warning + text + "\n"); };
  while (!settings.empty()) {
    const size_t equals = settings.find('=');
    if (equals == settings.npos) {
      say_(fmt::format("{}missing '=' in derived metric control ({})\n", where.error, settings));
      return;
    }
    const std::string name(settings.substr(0, equals));
    const std::string_view rest = settings.substr(equals + 1);
    const auto* control = find_control(name);
    const bool known = control != std::end(kNames);
    if (!known) warn(fmt::format("unknown derived metric control ({})", name));
    if (known && rest.empty()) {
      return warn(fmt::format("missing value in derived metric control ({})", settings));
    }
    const std::string text(rest);
    char* end = nullptr;
    const auto value = static_cast<int>(std::strtol(text.c_str(), &end, 10));
    if (known && *end != '\0' && *end != ',') {
      return warn(fmt::format("bad value ({}) for derived metric control ({})", rest, name));
    }
    if (known) {
      const auto failure =
          set(static_cast<size_t>(control - std::begin(kNames)), value, where.fixed);
      if (!failure.empty()) {
        warn(fmt::format("failed to set derived metric control {}={}: {}", name, value, failure));
      }
    }
    const size_t comma = rest.find(',');
    if (comma == rest.npos) return;
    settings = rest.substr(comma + 1);
  }
}

std::string Controls::set(size_t control, int value, bool fixed) {
  const bool flag = control >= syntax;
  const bool sound = flag ? value == 0 || value == 1 : value > 0 || value == -1;
  if (!sound) return "Bad value for function argument";  // PM_ERR_ARG, of 7.x only
  int now = 0;
  switch (control) {
    case global_limit: now = registry_.limit; break;
    case context_limit: now = context_limit_; break;
    case option_novalue: now = registry_.missing_are_novalue ? 1 : 0; break;
    default: now = debug_[control - syntax] ? 1 : 0; break;
  }
  if (!fixed && fixed_.contains(control)) {
    return now == value ? "" : pm_error_text(pm_err::E_AGAIN);
  }
  if (fixed) fixed_.insert(control);
  switch (control) {
    case global_limit: registry_.limit = value; break;
    case context_limit:
      if (!fixed) return pm_error_text(pm_err::E_NOCONTEXT);
      context_limit_ = value;
      break;
    case option_novalue: registry_.missing_are_novalue = value != 0; break;
    default: debug_[control - syntax] = value != 0; break;
  }
  return {};
}

}  // namespace pmjit
