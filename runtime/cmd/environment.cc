#include "runtime/cmd/environment.h"

#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace pmjit {

namespace {

struct EnvironmentVariable {
  std::string_view name;  // behind PCP_
  Standard option;
};

constexpr EnvironmentVariable kVariables[] = {
    {"ALIGN_TIME", Standard::align},
    {"START_TIME", Standard::start},
    {"FINISH_TIME", Standard::finish},
    {"ORIGIN", Standard::origin},
    {"ORIGIN_TIME", Standard::origin},
    {"ARCHIVE", Standard::archive},
    {"ARCHIVE_LIST", Standard::archive_list},
    {"FOLIO", Standard::archive_folio},
    {"HOST", Standard::host},
    {"HOST_LIST", Standard::host_list},
    {"SPECLOCAL", Standard::spec_local},
    {"LOCALMODE", Standard::local},
    {"LOCALPMDA", Standard::local},
    {"NAMESPACE", Standard::name_space},
    {"UNIQNAMES", Standard::unique_names},
    {"INTERVAL", Standard::interval},
    {"SAMPLES", Standard::samples},
    {"TIMEZONE", Standard::zone},
    {"HOSTZONE", Standard::host_zone},
    {"GUIMODE", Standard::gui_mode},
    {"GUIPORT", Standard::gui_port},
    {"DEBUG", Standard::debug},
};

bool is_debug_flag(const std::string& name) {
#define DEBUG_FLAGS(...) static constexpr const char* kFlags[] = {__VA_ARGS__, "all"};
#include "runtime/cmd/debug_flags.def"
#undef DEBUG_FLAGS
  return std::ranges::any_of(kFlags,
                             [&](const char* flag) { return strcasecmp(flag, name.c_str()) == 0; });
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  (void)std::strtol(text.c_str(), &end, 10);
  return *end == '\0';
}

}  // namespace

std::optional<Standard> option_of_variable(std::string_view name) {
  constexpr std::string_view kPrefix = "PCP_";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto found = std::ranges::find(kVariables, name, &EnvironmentVariable::name);
  if (found == std::end(kVariables)) return std::nullopt;
  return found->option;
}

bool is_debug_spec(std::string_view spec) {
  if (is_number(std::string(spec))) return true;
  while (!spec.empty()) {
    const size_t comma = std::min(spec.find(','), spec.size());
    if (!is_debug_flag(std::string(spec.substr(0, comma)))) return false;
    spec.remove_prefix(std::min(comma + 1, spec.size()));
  }
  return true;
}

}  // namespace pmjit
