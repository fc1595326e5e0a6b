// Values in the place of parameters: the tree that the expression would have with their text there,
// each in parentheses.
//
//   substitute(ast of `x > $t`, {{"t", {.negative = true, .digits = "5"}}})    x > (-5)
//
// mkconst(-5, …) is no text of the language; mkconst($t, …) becomes -mkconst(5, …) then.
#pragma once

#include <map>
#include <string>

#include "compiler/ast/ast.h"

namespace pmjit {

struct ParameterValue {
  bool negative = false;
  std::string digits;  // a number as the language writes it
};

// As people and files see it: whole numbers as they are, else the shortest text that reads back.
std::string value_text(const ParameterValue& value);
// Without point and exponent.
bool is_whole(std::string_view digits);

// Parameters without a value stay.
Ast substitute(const Ast& ast, const std::map<std::string, ParameterValue>& values);

}  // namespace pmjit
