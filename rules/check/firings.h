// When rules fire over an archive, as lines below what was found in their files.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "rules/check/findings.h"
#include "rules/check/meanings.h"

namespace pmjit {

struct FiringsInput {
  const RuleCheckReport& report;
  std::span<const Meaning> meanings;
  std::string archive;                              // as messages call it
  std::function<std::string(double when)> time_of;  // for people
};

// `files`: of each text of the report. What a warning does to a rule is said beside the warning,
// and that strict would fire at other times in a line of its own.
void add_firings(const FiringsInput& input, std::span<CheckedFile> files);

}  // namespace pmjit
