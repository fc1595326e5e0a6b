// What the words and signs of a rule alone show (spec dialects.md §6, rows 42, 77).

#include <algorithm>
#include <cmath>

#include "compiler/compat/pmie/words.h"
#include "compiler/differences/rules/rule_rows.h"

namespace pmjit::pmie {

namespace {

using ScannedTokens = std::vector<ScannedToken>;

template <trap::TrapBit bit>
bool trapped(const ScannedTokens& tokens, size_t at) {
  return (tokens[at].traps & bit) != 0;
}

// A unit of a kind that the number has already; pmie forgets the first.
bool unit_again(const ScannedTokens& tokens, size_t at) {
  if (tokens[at].kind != RuleToken::UNIT) return false;
  const auto kind = find_unit(tokens[at].text)->kind;
  for (size_t i = at; i-- > 0;) {
    const bool power =
        tokens[i].kind == RuleToken::NUMBER && i > 0 && tokens[i - 1].kind == RuleToken::CARET;
    const bool part = power || tokens[i].kind == RuleToken::UNIT ||
                      tokens[i].kind == RuleToken::UNIT_SLASH || tokens[i].kind == RuleToken::CARET;
    if (!part) return false;
    if (tokens[i].kind == RuleToken::UNIT && find_unit(tokens[i].text)->kind == kind) return true;
  }
  return false;
}

bool cut_sample(const ScannedTokens& tokens, size_t at) {
  if (at == 0 || tokens[at].kind != RuleToken::NUMBER) return false;
  const RuleToken before = tokens[at - 1].kind;
  const bool sample = before == RuleToken::AT || before == RuleToken::RANGE;
  return sample && tokens[at].number != std::floor(tokens[at].number);
}

// A host or an instance that the same metric has already.
bool named_again(const ScannedTokens& tokens, size_t at) {
  if (at == 0 || tokens[at].kind != RuleToken::NAME) return false;
  const RuleToken sign = tokens[at - 1].kind;
  if (sign != RuleToken::COLON && sign != RuleToken::HASH) return false;
  for (size_t i = at; i >= 2; i -= 2) {
    const RuleToken before = tokens[i - 1].kind;
    if (before != RuleToken::COLON && before != RuleToken::HASH) return false;
    if (i != at && before == sign && tokens[i].text == tokens[at].text) return true;
  }
  return false;
}

std::string exponent(const ScannedToken&) { return "1e+3 is 1 + 3, write 1e3:"; }
std::string twice(const ScannedToken& token) {
  return token.text + " replaces the unit of its kind before it";
}

constexpr TokenRow kRows[] = {
    {DiagCode::D_MinusSwallowed, trapped<trap::minus_swallowed>},
    {DiagCode::D_Exponent, trapped<trap::exponent_lost>, exponent},
    {DiagCode::D_LiteralLimit, trapped<trap::number_rounded>},
    {DiagCode::D_QuotesLost, trapped<trap::quotes_lost>},
    {DiagCode::D_TextCut, trapped<trap::cut>},
    {DiagCode::D_MacroRescanned, trapped<trap::macro_scanned>},
    {DiagCode::D_GivenTwice, unit_again, twice},
    {DiagCode::D_RoundedToInteger, cut_sample},
    {DiagCode::D_NamedTwice, named_again},
};

// What can be done about a difference so that pmie and strict agree, or what it comes from.
struct CodeHelp {
  DiagCode code;
  std::string_view help;
};
constexpr CodeHelp kWays[] = {
    {DiagCode::D_CountOperand, "write count_inst (…)"},
    {DiagCode::D_QuotesLost,
     "write the quotient the other way round, or name the metric otherwise"},
    {DiagCode::D_RestIgnored, "remove the ."},
    {DiagCode::D_MacroRedefined, "give it another name"},
    {DiagCode::D_MacroRescanned, "to strict a macro is one name or one text"},
    {DiagCode::D_MonthFromZero, "January is 0; strict has $month_of_year, 1 to 12"},
    {DiagCode::D_LiteralLimit, "numbers here have 53 bits"},
    {DiagCode::D_RoundedToInteger, "write a whole number of samples"},
    {DiagCode::D_ComparesNan, "0/0 is not a number: strict says unknown"},
    {DiagCode::D_BareNumber, "pmie takes it as bytes, seconds or counts; write the unit after it"},
    {DiagCode::D_MacroUnit, "strict keeps it, and refuses what does not fit"},
    {DiagCode::D_CounterNeedsRate, "in pmie it is a rate already; strict needs the word rate"},
    {DiagCode::D_SecondDerivative, "a counter is a rate already; leave out the word rate"},
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

std::span<const TokenRow> rule_token_rows() { return kRows; }

std::string_view way_out_of(DiagCode code) {
  const auto* way = std::ranges::find(kWays, code, &CodeHelp::code);
  return way == std::end(kWays) ? std::string_view() : way->help;
}

}  // namespace pmjit::pmie
