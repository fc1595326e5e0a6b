// What the words and signs of a rule alone show (spec dialects.md §6, rows 42, 77).
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

}  // namespace

std::span<const TokenRow> rule_token_rows() { return kRows; }

}  // namespace pmjit::pmie
