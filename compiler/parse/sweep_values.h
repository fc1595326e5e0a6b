// The values of a parameter as the command line gives them.
//
//   parse_sweep_values({"<values>", "t=0..1:0.25"}, diags)     t: 0.0 0.25 0.5 0.75 1.0
//   parse_sweep_values({"<values>", "t=-1,2.5"}, diags)        t: -1 2.5
//
// A range counts in decimal digits, FROM + i*STEP each, so that 0.1 three times is 0.3 and TO is
// there whenever it is reached.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ast/substitute.h"
#include "compiler/diag/source.h"

namespace pmjit {

struct SweepValues {
  std::string name;
  Span name_span, span;  // of the values
  std::vector<ParameterValue> values;
};

// None: a diagnostic was added (P06, P13, P14, P16).
std::optional<SweepValues> parse_sweep_values(const SourceText& source, Diags& diags);

}  // namespace pmjit
