// What an expression is in pmie's grammar, and where it may stand. Source: spec rules-language.md
// §3.
#pragma once

#include <cstdint>
#include <string>

#include "compiler/compat/pmie/scanner.h"

namespace pmjit::pmie {

// A set of types, as bits.
using Types = uint8_t;
namespace type {
enum TypeBit : Types {
  none = 0,
  number = 1,
  text = 2,
  truth = 4,
  action = 8,
  rule = 16,
  ruleset = 32,
  any = 63
};
}  // namespace type

// What an expression may begin with that is to become one of these: a truth may begin with a
// number.
[[nodiscard]] Types may_begin(Types wanted);
// What may stand in parentheses where one of these is wanted.
[[nodiscard]] Types inside_parentheses(Types wanted);

// An operator between two operands: of its left one, of its right one, of its value.
struct Signature {
  Types left, right, value;
};
// None for tokens that are no such operator.
[[nodiscard]] const Signature* signature_of(const ScannedToken& token);
// What an expression is that begins with this token; none: none does. Of parentheses: any.
[[nodiscard]] Types begun_by(RuleToken token);

// pmie's second line when an operator has nothing to its left. "" for tokens that are not waited
// for after an error; `wanted` says which are.
[[nodiscard]] std::string missing_before(const ScannedToken& token, Types wanted);
// What is said when nothing follows this operator.
[[nodiscard]] std::string missing_behind(const ScannedToken& token, bool is_sign);

}  // namespace pmjit::pmie
