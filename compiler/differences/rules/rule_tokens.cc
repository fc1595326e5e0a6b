// What the words and signs of a rule alone show (spec dialects.md §6, rows 42, 77).
#include <cmath>

#include "compiler/compat/pmie/words.h"
#include "compiler/differences/rules/rule_rows.h"

namespace pmjit::pmie {

namespace {

using ScannedTokens = std::vector<ScannedToken>;

template <trap::Bit bit>
bool trapped(const ScannedTokens& tokens, size_t at) {
  return (tokens[at].traps & bit) != 0;
}

// A unit of a kind that the number has already; pmie forgets the first.
bool unit_again(const ScannedTokens& tokens, size_t at) {
  if (tokens[at].kind != Token::UNIT) return false;
  const auto kind = find_unit(tokens[at].text)->kind;
  for (size_t i = at; i-- > 0;) {
    const bool power =
        tokens[i].kind == Token::NUMBER && i > 0 && tokens[i - 1].kind == Token::CARET;
    const bool part = power || tokens[i].kind == Token::UNIT ||
                      tokens[i].kind == Token::UNIT_SLASH || tokens[i].kind == Token::CARET;
    if (!part) return false;
    if (tokens[i].kind == Token::UNIT && find_unit(tokens[i].text)->kind == kind) return true;
  }
  return false;
}

bool cut_sample(const ScannedTokens& tokens, size_t at) {
  if (at == 0 || tokens[at].kind != Token::NUMBER) return false;
  const Token before = tokens[at - 1].kind;
  const bool sample = before == Token::AT || before == Token::RANGE;
  return sample && tokens[at].number != std::floor(tokens[at].number);
}

// A host or an instance that the same metric has already.
bool named_again(const ScannedTokens& tokens, size_t at) {
  if (at == 0 || tokens[at].kind != Token::NAME) return false;
  const Token sign = tokens[at - 1].kind;
  if (sign != Token::COLON && sign != Token::HASH) return false;
  for (size_t i = at; i >= 2; i -= 2) {
    const Token before = tokens[i - 1].kind;
    if (before != Token::COLON && before != Token::HASH) return false;
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
