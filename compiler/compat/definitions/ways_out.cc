// What people can write instead, for what libpcp says of an expression that it cannot bind.
#include <string_view>

#include "compiler/compat/definitions/bind.h"

namespace pmjit::pcp {
namespace {

struct Remedy {
  std::string_view part, help;  // of the message
};
// The first row whose part is in the message holds.
constexpr Remedy kRemedies[] = {
    {"Illegal operator for counters", "take rate() of both sides first"},
    {"counter and non-counter",
     "take rate() of what is a counter; `pmjit info ARCHIVE METRIC` says what it is"},
    {"non-counter and counter",
     "take rate() of what is a counter; `pmjit info ARCHIVE METRIC` says what it is"},
    {"Non-counter and not dimensionless",
     "a counter goes with a number without units only: take rate() of the counter first"},
    {"Dimensions are not the same",
     "both sides need units of one kind; a number gets some with mkconst(5, units=\"Kbyte\")"},
    {"Operands should have the same instance domain",
     "reduce one side with sum(), avg(), min() or max(), or select one instance: name[instance]"},
    {"ternary guard with scalar",
     "the condition has many instances and the values have one: reduce it with max() or min()"},
    {"Non-arithmetic operand for ternary guard",
     "the condition is a number or a comparison of numbers"},
    {"Different types",
     "both values need one type, which `pmjit info` shows; a rate is double, and so is "
     "mkconst(0, type=double)"},
    {"Different instance domains",
     "both values need the same instances: reduce one with sum(), avg(), min() or max()"},
    {"Different semantics",
     "both values need one semantics: take rate() of a counter, or write mkconst(0, "
     "semantics=counter)"},
    {"Different units or scale",
     "both values need the same units: write rescale(x, \"Kbyte\"), or mkconst(0, "
     "units=\"Kbyte\")"},
    {"Incorrect time dimension", "rate() needs a counter of events, of bytes or of time"},
    {"Incompatible dimensions",
     "rescale() changes the scale, not the kind; for a rate write rescale(rate(x), \"Mbyte / "
     "sec\")"},
    {"Non-arithmetic",
     "only numbers can be computed with; `pmjit info ARCHIVE METRIC` shows types"},
};

}  // namespace

std::string_view way_out(const BindError& wrong) {
  const bool joins = wrong.what.contains(" && ") || wrong.what.contains(" || ");
  if (joins && wrong.message.contains("Dimensions")) {
    return "&& and || join comparisons: rate(x) > 5 && rate(y) > 5";
  }
  for (const Remedy& row : kRemedies) {
    if (wrong.message.contains(row.part)) return row.help;
  }
  return {};
}

}  // namespace pmjit::pcp
