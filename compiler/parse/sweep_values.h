// The values of a parameter as the command line gives them.
//
//   parse_sweep_values({"<values>", "t=0..1:0.25"}, diags)     t: 0.0 0.25 0.5 0.75 1.0
//   parse_sweep_values({"<values>", "t=-1,2.5"}, diags)        t: -1 2.5
//
// A range counts in decimal digits, FROM + i*STEP each, so that 0.1 three times is 0.3 and TO is
// there whenever it is reached.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ast/substitute.h"
#include "compiler/diag/diag.h"

namespace pmjit {

struct SweepValues {
  std::string name;
  Span name_span, span;  // of the values
  std::vector<ParameterValue> values;
};

// None: a diagnostic was added (P06, P13, P14, P16).
std::optional<SweepValues> parse_sweep_values(const SourceText& source, Diags& diags);

}  // namespace pmjit

namespace pmjit::parse {

// Decimal: a number of few digits, exactly as it was written.
struct Decimal {  // count × 10^exponent
  int64_t count = 0;
  int exponent = 0;
};

// Of a number of the language; none: it has more than 18 digits.
std::optional<Decimal> decimal_of(std::string_view digits);
// Gives all of them one exponent, the smallest. False: one has too many digits then.
bool align(std::span<Decimal> numbers);
// The number without its sign, as the language writes it: whole, or with a point or exponent.
std::string decimal_text(Decimal number, bool whole);

}  // namespace pmjit::parse
