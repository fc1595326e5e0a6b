#include "compiler/compat/pmie/nodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace pmjit::pmie {
namespace {

struct Infix {
  RuleToken token;
  Signature signature;
};

constexpr Infix kInfix[] = {
    {RuleToken::ARROW, {type::truth, type::action, type::rule}},
    {RuleToken::BOTH, {type::truth, type::truth, type::truth}},
    {RuleToken::EITHER, {type::truth, type::truth, type::truth}},
    {RuleToken::IN_TURN, {type::action, type::action, type::action}},
    {RuleToken::UNTIL_TRUE, {type::action, type::action, type::action}},
    {RuleToken::RELATION, {type::number, type::number, type::truth}},
    {RuleToken::COUNTED_RELATION, {type::number, type::number, type::truth}},
    {RuleToken::PLUS, {type::number, type::number, type::number}},
    {RuleToken::MINUS, {type::number, type::number, type::number}},
    {RuleToken::TIMES, {type::number, type::number, type::number}},
    {RuleToken::DIVIDED, {type::number, type::number, type::number}},
};

constexpr Signature kEquality = {type::number | type::text, type::number | type::text, type::truth};

std::string_view name_of(Types types) {
  if ((types & type::text) != 0) return "arithmetic or string";
  if ((types & type::number) != 0) return "arithmetic";
  return (types & type::truth) != 0 ? "logical" : "action";
}

std::string_view noun(Types types) { return types == type::action ? "" : " expression"; }

bool is_equality(const ScannedToken& token) {
  return token.op == PmieOp::equal || token.op == PmieOp::unequal;
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

Types begun_by(RuleToken token) {
  switch (token) {
    case RuleToken::NAME:
    case RuleToken::NUMBER:
    case RuleToken::MACRO:
    case RuleToken::MINUS:
    case RuleToken::RATE:
    case RuleToken::INSTANT:
    case RuleToken::AGGREGATE:
    case RuleToken::COUNT: return type::number;
    case RuleToken::SHARE: return type::number | type::truth;
    case RuleToken::TEXT:
    case RuleToken::COUNTED_TEXT: return type::text;
    case RuleToken::TRUTH:
    case RuleToken::COUNTED_TRUTH:
    case RuleToken::NOT:
    case RuleToken::RISING:
    case RuleToken::FALLING:
    case RuleToken::QUANTIFIER:
    case RuleToken::MATCH: return type::truth;
    case RuleToken::VERB: return type::action;
    case RuleToken::RULESET: return type::ruleset;
    case RuleToken::OPEN:
    case RuleToken::COUNTED_OPEN: return type::any;
    default: return type::none;
  }
}

std::string missing_before(const ScannedToken& token, Types wanted) {
  const Types waited_for = may_begin(wanted);
  if (token.kind == RuleToken::PERCENT)
    return (waited_for & type::truth) != 0 ? "number expected to precede percentage quantifier"
                                           : "";
  const Signature* signature = signature_of(token);
  if (signature == nullptr || (signature->value & waited_for) == 0) return "";
  const Types left = signature->left & ~type::text;
  return fmt::format("{}{} expected to precede {}", name_of(left), noun(left), symbol_of(token.op));
}

std::string missing_behind(const ScannedToken& token, bool is_sign) {
  switch (token.kind) {
    case RuleToken::NOT:
    case RuleToken::RISING:
    case RuleToken::FALLING:
      return fmt::format("logical expression expected to follow {}", symbol_of(token.op));
    case RuleToken::QUANTIFIER:
    case RuleToken::PERCENT: return "logical expression expected to follow quantifier";
    case RuleToken::COUNT: return "logical expression expected to follow aggregation operator";
    case RuleToken::AGGREGATE:
      return "arithmetic expression expected to follow aggregation operator";
    case RuleToken::RATE:
    case RuleToken::INSTANT:
      return fmt::format("arithmetic expression expected to follow {}", symbol_of(token.op));
    case RuleToken::MATCH:
      return fmt::format("regular expression expected to follow {}", symbol_of(token.op));
    case RuleToken::TEXT: return "logical expression expected to follow regular expression";
    case RuleToken::VERB:
      return fmt::format("(time interval optional) and string expected to follow {}",
                         symbol_of(token.op));
    case RuleToken::COLON: return "host name expected to follow :";
    case RuleToken::HASH: return "instance name expected to follow #";
    case RuleToken::AT: return "sample number(s) expected to follow @";
    default: break;
  }
  const Signature* signature = signature_of(token);
  if (signature == nullptr) return "";
  if (is_sign) return "arithmetic expression expected to follow -";
  return fmt::format("{}{} expected to follow {}", name_of(signature->right),
                     noun(signature->right), symbol_of(token.op));
}

}  // namespace pmjit::pmie
