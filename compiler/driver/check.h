// Checking without evaluating: every definition, not only those that something uses.
#pragma once

#include <deque>
#include <string>

#include "compiler/driver/driver.h"

namespace pmjit {

struct CheckReport {
  std::deque<Compilation::Report> reports;
  std::string rendered;  // these, and what libpcp says of definitions
  size_t texts = 0, errors = 0, warnings = 0;
};

// As in CompileOptions.
struct CheckOptions {
  DialectChoice dialect{};
  EquivalentDomains equivalent{};
  bool interrupted = false;  // the recording that the catalog is of
};

// Without a catalog only syntax is checked.
CheckReport check_texts(const CompileInput& input, const Catalog* catalog, const CheckOptions& how);

}  // namespace pmjit
