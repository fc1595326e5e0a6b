// Words the warnings about definitions for the user, with names from the definition.
#include <algorithm>
#include <iterator>

#include "compiler/differences/definitions/definition_differences.h"
#include "compiler/differences/levels.h"

namespace pmjit {

namespace {

struct DefinitionWords {
  DiagCode code;
  std::string_view message, help;  // "": no help; no message: that of the row
};
constexpr DefinitionWords kWords[] = {
    {DiagCode::D_MixedLogic, "PCP reads this as (A || B) && C; C programmers read A || (B && C)",
     "add parentheses"},
    {DiagCode::D_TernaryChain, "PCP reads a ? b : c ? d : e as (a ? b : c) ? d : e",
     "add parentheses"},
    {DiagCode::D_RelationChain, "PCP compares the answer of the first comparison, 0 or 1",
     "write a < b && b < c"},
    {DiagCode::D_NoNewline, "PCP does not read the last line: it has no newline", "end the line"},
    {DiagCode::P_ConfigLine, "PCP ignores this", "remove it: PCP does what comes before it"},
    {DiagCode::S_HidesMetric, "there is a recorded metric of this name, and PCP shows that one",
     "give the definition another name"},
    {DiagCode::S_Cycle, "this uses another definition, so it never has values in PCP 6.0.3",
     "write that definition out in place of its name"},
    {DiagCode::D_DivisionByZero, "this divides by zero, so it never has a finite value",
     "divide by something that is not 0"},
    {DiagCode::D_CounterResult,
     "the answer of this comparison counts as a counter: tools show its rate",
     "compare the rate: rate(…)"},
    {DiagCode::D_ComparesScales,
     "the two sides have different scales, and PCP does not convert them",
     "bring one to the scale of the other with rescale()"},
    {DiagCode::D_CompareDimensions,
     "the two sides have different dimensions, and PCP does not check them",
     "`pmjit info ARCHIVE METRIC` shows the unit of each metric"},
    {DiagCode::D_AddDimensions,
     "the two sides have different dimensions, and PCP does not check them",
     "`pmjit info ARCHIVE METRIC` shows the unit of each metric"},
    {DiagCode::D_WrongLabel, "PCP labels this with a unit that does not fit",
     "read it as a plain number, or use the dialect strict"},
    {DiagCode::D_WrongWay, "PCP scales this the wrong way: the value is wrong",
     "bring both operands to one scale first, with rescale()"},
    {DiagCode::D_ScaledOnce, "PCP scales this once and not per power: the value is wrong",
     "bring both operands to one scale first, with rescale()"},
};

// Libpcp takes a number without a unit in the unit of the metric, as most people mean it; and of
// `A && B || C` all readings are one.
bool is_as_it_looks(const Diag& diag, std::string_view sign) {
  if (diag.code == DiagCode::D_BareNumber) return true;
  return diag.code == DiagCode::D_MixedLogic && sign != "&&";
}

}  // namespace

void set_level(bool known, std::string_view sign, Diag& diag) {
  if (diag.severity == Severity::note) return;  // its row has set it
  diag.severity = level_of(diag.code, known);
  if (diag.severity == Severity::warning && is_as_it_looks(diag, sign)) {
    diag.severity = Severity::note;
  }
  if (diag.severity != Severity::warning) return;
  const auto* words = std::ranges::find(kWords, diag.code, &DefinitionWords::code);
  if (words == std::end(kWords)) return;
  diag.message = words->message;
  if (!words->help.empty()) diag.help(std::string(words->help));
}

}  // namespace pmjit
