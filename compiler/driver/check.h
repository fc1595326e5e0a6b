// Checking without evaluating: every definition, not only those that something uses.
#pragma once

#include <deque>
#include <string>

#include "compiler/driver/driver.h"

namespace pmjit {

struct CheckReport {
  // Of a text of its own each, or of a line of a file. Severity::note is a difference.
  std::deque<Compilation::Report> reports;
  std::deque<Compilation::Report> mistakes;  // what libpcp skips of definitions, and why
  struct File {
    std::string name;
    size_t definitions = 0;  // that are written in it, right or wrong
  };
  std::vector<File> files;  // as given
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
