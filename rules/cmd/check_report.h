// Checking a report of `eval -p`, and what a TOML file has wrong as findings.
#pragma once

#include <vector>

#include "compiler/driver/check.h"
#include "compiler/driver/driver.h"
#include "rules/check/findings.h"
#include "rules/daemon_config/config_problems.h"

namespace pmjit {

// Problems of a configuration stand in files that it names, too.
[[nodiscard]] std::vector<CheckedFile> findings_of(const ConfigProblems& problems);

// What a report's expressions are checked against.
struct ReportCheck {
  CompileInput definitions{};
  const Catalog* catalog = nullptr;  // or null: whether they parse
  CheckOptions how{};
};
[[nodiscard]] CheckedFile check_report(const SourceText& file, const ReportCheck& check);

}  // namespace pmjit
