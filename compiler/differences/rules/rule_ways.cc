// What can be done about a difference so that pmie and strict agree, or what it comes from.
#include <algorithm>

#include "compiler/differences/rules/rule_rows.h"

namespace pmjit::pmie {

namespace {

struct CodeHelp {
  DiagCode code;
  std::string_view help;
};
constexpr CodeHelp kWays[] = {
    {DiagCode::D_CountOperand, "write count_inst (…)"},
    {DiagCode::D_QuotesLost,
     "write the quotient the other way round, or name the metric otherwise"},
    {DiagCode::D_RestIgnored, "take the . away"},
    {DiagCode::D_MacroRedefined, "give it another name"},
    {DiagCode::D_MacroRescanned, "to strict a macro is one name or one text"},
    {DiagCode::D_MonthFromZero, "January is 0; strict has $month_of_year, 1 to 12"},
    {DiagCode::D_LiteralLimit, "numbers here have 53 bits"},
    {DiagCode::D_RoundedToInteger, "write a whole number of samples"},
    {DiagCode::D_ComparesNan, "0/0 is no number: strict says unknown"},
    {DiagCode::D_BareNumber, "here it is of bytes, seconds and counts; write the unit behind it"},
    {DiagCode::D_MacroUnit, "strict keeps it, and refuses what does not fit"},
    {DiagCode::D_CounterNeedsRate, "here it is a rate already; strict wants it said: rate …"},
    {DiagCode::D_SecondDerivative, "a counter is a rate already; leave the rate away"},
    {DiagCode::D_SetsByPosition, "strict matches them by instance"},
    {DiagCode::D_Unmatched,
     "here sets of different size have no value; strict leaves out those alone"},
    {DiagCode::D_FirstWord, "write the whole name"},
    {DiagCode::D_NoMatchIsFalse, "strict leaves them out"},
    {DiagCode::D_FirstHostOnly, "compare hosts one by one"},
    {DiagCode::D_OneHidesAll, "write a rule for each, or match_inst"},
    {DiagCode::D_PartialHosts, "write a rule for each host"},
    {DiagCode::D_CountsNothing, "strict counts 0"},
    {DiagCode::D_PercentRange, "no set has so many"},
    {DiagCode::D_UnknownIsChange, "strict says unknown"},
    {DiagCode::D_ResetRate, "strict does not know the one that fell, and knows the others"},
    {DiagCode::D_SetChanges, "strict knows those that stay"},
    {DiagCode::D_OtherInstance, "history goes by position here, in strict by instance"},
    {DiagCode::D_OtherwiseRuns, "strict runs the unknown clause then, or nothing"},
    {DiagCode::D_ConditionIsSet, "it is one of a single instance; another archive may have more"},
    {DiagCode::D_SelectorsStay,
     "the first part of the condition fills them here, whatever makes it true"},
    {DiagCode::D_UnknownSelector, "strict has %h %i %v %c, and %% for a %"},
};

}  // namespace

std::string_view way_out_of(DiagCode code) {
  const auto* way = std::ranges::find(kWays, code, &CodeHelp::code);
  return way == std::end(kWays) ? std::string_view() : way->help;
}

}  // namespace pmjit::pmie
