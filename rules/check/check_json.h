// What `check` prints for programs: a JSON object a line, or a SARIF log.
#pragma once

#include <span>
#include <string>

#include "rules/check/findings.h"

namespace pmjit {

// {"file","line","column","level","code","message","help"} each. Differences only if asked for.
[[nodiscard]] std::string json_of(std::span<const CheckedFile> files, bool differences);
// SARIF 2.1.0: one run, a result each. A difference is a note there.
[[nodiscard]] std::string sarif_of(std::span<const CheckedFile> files, bool differences,
                                   std::string_view version);

}  // namespace pmjit
