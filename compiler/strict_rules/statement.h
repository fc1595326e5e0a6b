// One statement of a rule file: the steps of its parse on a stack, which leaves an expression, an
// action, a text or a rule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/parse/rule_steps.h"
#include "compiler/strict_rules/rule_file.h"
#include "compiler/strict_rules/scanner.h"
#include "runtime/model/units.h"

namespace pmjit::strict {

struct Statement {
  enum class Kind : uint8_t { nothing, expression, text, action, rule, ruleset };
  Kind kind = Kind::nothing;
  std::string name;  // empty: it has none
  Span name_span, span;
  Ast ast;              // of an expression
  bool number = false;  // the expression is a number alone, with units or without
  std::string text;
  std::vector<Clause> clauses;
};

// None: a diagnostic was added.
[[nodiscard]] std::optional<Statement> read_statement(const ScannedWords& words, Diags& diags);

}  // namespace pmjit::strict
