// Outcome: what came of a case, as the texts that its `expect` sections are compared with.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "compiler/driver/driver.h"

namespace pmjit::cases {

struct Outcome {
  std::map<std::string, std::string> texts;  // by section: "ast", "types", "ir", "diag", "result" …
  bool errors = false;                       // a diagnostic of severity error was given
  std::vector<std::string> faults;  // wrong whatever the case expects: reports of our own checks
  std::string dump;                 // every stage, for --dump=all
};

// "D47 1:5 \"1000\"": code, place, the text that it points at. A line each.
std::string diag_lines(const Diags& diags, const SourceText& source);
// An expectation may stop after the code or the place.
bool same_diag(const std::string& expected, const std::string& actual);

// To "diag" and "message".
void add_report(const Diags& diags, const SourceText& source, Outcome& outcome);
void add_compilation(Outcome& outcome, const Compilation& compilation);

}  // namespace pmjit::cases
