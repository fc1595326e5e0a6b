#include "runtime/cmd/dropin.h"

#include <fmt/core.h>

#include "runtime/cmd/options.h"

namespace pmjit {

namespace {

constexpr size_t kHelpColumn = 24;

std::string left_part(const OptionRow& row) {
  std::string out = "  ";
  if (row.letter != 0) {
    out += fmt::format("-{}", row.letter);
    if (!row.argument.empty()) out += fmt::format(" {}", row.argument);
    if (!row.name.empty()) out += ", ";
  }
  if (!row.name.empty()) {
    out += fmt::format("--{}", row.name);
    if (!row.argument.empty()) out += fmt::format("={}", row.argument);
  }
  return out;
}

}  // namespace

bool is_dropin(int argc, const char* const* argv) {
  const std::string program = program_name(argc, argv);
#define DROPIN(name, run) \
  if (program == #name) return true;
#include "runtime/cmd/dropins.def"
#undef DROPIN
  return false;
}

std::optional<int> run_dropin(int argc, const char* const* argv, DerivedMetrics& derived,
                              const Clock& clock) {
  const std::string program = program_name(argc, argv);
#define DROPIN(name, run) \
  if (program == #name) return run(argc, argv, derived, clock);
#include "runtime/cmd/dropins.def"
#undef DROPIN
  return std::nullopt;
}

std::string usage_text(std::string_view program, const OptionTable& table) {
  std::string out = fmt::format("Usage: {} {}\n", program, table.usage);
  for (const OptionRow& row : table.rows) {
    if (row.is_section) {
      out += fmt::format("\n{}:\n", row.help);
    } else if (!row.help.empty()) {
      const std::string left = left_part(row);
      if (left.size() < kHelpColumn) {
        out += fmt::format("{:<{}}{}\n", left, kHelpColumn, row.help);
      } else {
        out += fmt::format("{}\n{:<{}}{}\n", left, "", kHelpColumn, row.help);
      }
    }
  }
  return out;
}

}  // namespace pmjit
