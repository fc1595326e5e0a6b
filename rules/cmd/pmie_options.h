// The command line of pmie. Source: spec rules-language.md §18.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rules/compat/value_report.h"
#include "runtime/cmd/options.h"

namespace pmjit::pmie {

struct PmieOptions {
  std::vector<std::string> archives;  // a source each
  std::vector<std::string> files;     // rules; none: standard input
  std::optional<std::string> host, log, stomp;
  double delta = 10;  // seconds
  Verbose verbose = Verbose::off;
  bool check = false, interactive = false, quiet = false, to_stderr = false, agent = false;
  Options shared;
};

// None: `reader` has complained, or the usage text is asked for.
[[nodiscard]] std::optional<PmieOptions> read_pmie_options(OptionReader& reader);
[[nodiscard]] const OptionTable& pmie_options();

}  // namespace pmjit::pmie
