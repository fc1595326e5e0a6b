#include "compiler/differences/levels.h"

#include <algorithm>

namespace pmjit {

namespace {

struct LevelRow {
  DiagCode code;
  bool of_metadata;  // only where they are known
};

// These codes warn. All other codes about a dialect of PCP are differences.
constexpr bool kOfText = false, kOfMetadata = true;
constexpr LevelRow kWarnings[] = {
    // It reads another way than it looks.
    {DiagCode::D_MixedLogic, kOfText},
    {DiagCode::D_TernaryChain, kOfText},
    {DiagCode::D_RelationChain, kOfText},
    {DiagCode::D_MinusSwallowed, kOfText},
    {DiagCode::D_Exponent, kOfText},
    {DiagCode::D_QuotesLost, kOfText},
    {DiagCode::D_MonthFromZero, kOfText},
    {DiagCode::D_Continuation, kOfText},
    {DiagCode::D_GivenTwice, kOfText},
    {DiagCode::D_NamedTwice, kOfText},
    {DiagCode::D_UnknownSelector, kOfText},
    {DiagCode::D_PrintsNull, kOfText},
    {DiagCode::D_FirstWord, kOfMetadata},
    {DiagCode::D_SecondDerivative, kOfMetadata},
    {DiagCode::D_CounterResult, kOfMetadata},
    // It hides a value, or a part of the text.
    {DiagCode::P_ConfigLine, kOfText},
    {DiagCode::D_RestIgnored, kOfText},
    {DiagCode::D_NoNewline, kOfText},
    {DiagCode::S_Duplicate, kOfText},
    {DiagCode::S_HidesMetric, kOfMetadata},
    {DiagCode::S_Cycle, kOfMetadata},
    {DiagCode::D_FirstHostOnly, kOfMetadata},
    {DiagCode::D_OtherDomain, kOfMetadata},
    // It can never be true, or never has a value.
    {DiagCode::D_DivisionByZero, kOfText},
    {DiagCode::D_PercentRange, kOfText},
    {DiagCode::D_TextInArithmetic, kOfMetadata},
    {DiagCode::D_Nameless, kOfMetadata},
    {DiagCode::S_NothingMatches, kOfMetadata},
    // Units.
    {DiagCode::D_BareNumber, kOfMetadata},
    {DiagCode::D_ComparesScales, kOfMetadata},
    {DiagCode::D_CompareDimensions, kOfMetadata},
    {DiagCode::D_AddDimensions, kOfMetadata},
    {DiagCode::D_WrongLabel, kOfMetadata},
    {DiagCode::D_WrongWay, kOfMetadata},
    {DiagCode::D_ScaledOnce, kOfMetadata},
};

}  // namespace

Severity level_of(DiagCode code, bool known) {
  const auto* row = std::ranges::find(kWarnings, code, &LevelRow::code);
  const bool warns = row != std::end(kWarnings) && (known || !row->of_metadata);
  return warns ? Severity::warning : Severity::note;
}

}  // namespace pmjit
