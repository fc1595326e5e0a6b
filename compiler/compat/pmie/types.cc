#include "compiler/compat/pmie/types.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace pmjit::pmie {
namespace {

struct Infix {
  Token token;
  Signature signature;
};

constexpr Infix kInfix[] = {
    {Token::ARROW, {type::truth, type::action, type::rule}},
    {Token::BOTH, {type::truth, type::truth, type::truth}},
    {Token::EITHER, {type::truth, type::truth, type::truth}},
    {Token::IN_TURN, {type::action, type::action, type::action}},
    {Token::UNTIL_TRUE, {type::action, type::action, type::action}},
    {Token::RELATION, {type::number, type::number, type::truth}},
    {Token::COUNTED_RELATION, {type::number, type::number, type::truth}},
    {Token::PLUS, {type::number, type::number, type::number}},
    {Token::MINUS, {type::number, type::number, type::number}},
    {Token::TIMES, {type::number, type::number, type::number}},
    {Token::DIVIDED, {type::number, type::number, type::number}},
};

constexpr Signature kEquality = {type::number | type::text, type::number | type::text, type::truth};

std::string_view name_of(Types types) {
  if ((types & type::text) != 0) return "arithmetic or string";
  if ((types & type::number) != 0) return "arithmetic";
  return (types & type::truth) != 0 ? "logical" : "action";
}

std::string_view noun(Types types) { return types == type::action ? "" : " expression"; }

bool is_equality(const ScannedToken& token) {
  return token.op == Op::equal || token.op == Op::unequal;
}

}  // namespace

Types may_begin(Types wanted) {
  if ((wanted & type::rule) != 0) wanted |= type::truth;
  if ((wanted & type::truth) != 0) wanted |= type::number | type::text;
  return wanted;
}

Types inside_parentheses(Types wanted) {
  Types inside = may_begin(wanted) & ~type::ruleset;
  if ((inside & type::truth) == 0) inside &= ~type::text;
  return inside;
}

const Signature* signature_of(const ScannedToken& token) {
  if (is_equality(token)) return &kEquality;
  const auto* found = std::ranges::find(kInfix, token.kind, &Infix::token);
  return found == std::end(kInfix) ? nullptr : &found->signature;
}

Types begun_by(Token token) {
  switch (token) {
    case Token::NAME:
    case Token::NUMBER:
    case Token::MACRO:
    case Token::MINUS:
    case Token::RATE:
    case Token::INSTANT:
    case Token::AGGREGATE:
    case Token::COUNT: return type::number;
    case Token::SHARE: return type::number | type::truth;
    case Token::TEXT:
    case Token::COUNTED_TEXT: return type::text;
    case Token::TRUTH:
    case Token::COUNTED_TRUTH:
    case Token::NOT:
    case Token::RISING:
    case Token::FALLING:
    case Token::QUANTIFIER:
    case Token::MATCH: return type::truth;
    case Token::VERB: return type::action;
    case Token::RULESET: return type::ruleset;
    case Token::OPEN:
    case Token::COUNTED_OPEN: return type::any;
    default: return type::none;
  }
}

std::string missing_before(const ScannedToken& token, Types wanted) {
  const Types waited_for = may_begin(wanted);
  if (token.kind == Token::PERCENT)
    return (waited_for & type::truth) != 0 ? "number expected to precede percentage quantifier"
                                           : "";
  const Signature* signature = signature_of(token);
  if (signature == nullptr || (signature->value & waited_for) == 0) return "";
  const Types left = signature->left & ~type::text;
  return fmt::format("{}{} expected to precede {}", name_of(left), noun(left), symbol_of(token.op));
}

std::string missing_behind(const ScannedToken& token, bool is_sign) {
  switch (token.kind) {
    case Token::NOT:
    case Token::RISING:
    case Token::FALLING:
      return fmt::format("logical expression expected to follow {}", symbol_of(token.op));
    case Token::QUANTIFIER:
    case Token::PERCENT: return "logical expression expected to follow quantifier";
    case Token::COUNT: return "logical expression expected to follow aggregation operator";
    case Token::AGGREGATE: return "arithmetic expression expected to follow aggregation operator";
    case Token::RATE:
    case Token::INSTANT:
      return fmt::format("arithmetic expression expected to follow {}", symbol_of(token.op));
    case Token::MATCH:
      return fmt::format("regular expression expected to follow {}", symbol_of(token.op));
    case Token::TEXT: return "logical expression expected to follow regular expression";
    case Token::VERB:
      return fmt::format("(time interval optional) and string expected to follow {}",
                         symbol_of(token.op));
    case Token::COLON: return "host name expected to follow :";
    case Token::HASH: return "instance name expected to follow #";
    case Token::AT: return "sample number(s) expected to follow @";
    default: break;
  }
  const Signature* signature = signature_of(token);
  if (signature == nullptr) return "";
  if (is_sign) return "arithmetic expression expected to follow -";
  return fmt::format("{}{} expected to follow {}", name_of(signature->right),
                     noun(signature->right), symbol_of(token.op));
}

}  // namespace pmjit::pmie
