#include "compiler/strict_rules/statement.h"

#include <utility>

#include "compiler/strict_rules/statement_reader.h"

namespace pmjit::strict {

std::optional<Statement> StatementReader::run() {
  std::vector<RuleToken> kinds;
  for (const pmie::ScannedToken& token : words_.tokens) kinds.push_back(token.kind);
  if (parse::rule_nesting(kinds) > limits::kRuleNestingMax) {
    return too_deep(whole(), limits::kRuleNestingMax);
  }
  const parse::RuleSteps steps = parse::parse_rule(kinds);
  if (steps.offending) return syntax(*steps.offending);
  for (const ParseStep& step : steps.steps) {
    const bool fits = step.kind == ParseStep::Kind::take ? take(step.token) : finish(step.kind);
    if (!fits) return std::nullopt;
  }
  return result();
}

bool StatementReader::finish(ParseStep::Kind kind) {
  switch (kind) {
    case ParseStep::Kind::take: return true;
    case ParseStep::Kind::fetch: return finish_fetch();
    case ParseStep::Kind::number: return finish_number();
    case ParseStep::Kind::action: return finish_action();
    case ParseStep::Kind::binary: return finish_binary();
    case ParseStep::Kind::prefix: return finish_prefix();
    case ParseStep::Kind::ruleset: return finish_ruleset();
  }
  return false;
}

std::optional<Statement> StatementReader::result() {
  Statement out{.name = name_, .name_span = name_span_, .span = whole()};
  if (values_.empty()) return out;
  Value value = pop_value();
  out.kind = value.kind;
  out.text = std::move(value.text);
  out.clauses = std::move(value.clauses);
  if (value.kind == Kind::action) {
    out.clauses.push_back({.when = Clause::When::always, .verbs = std::move(value.verbs)});
    return out;
  }
  if (value.kind != Kind::expression) return out;
  if (!one_sample(value)) return std::nullopt;
  out.span = value.span;
  out.ast = part_of(tree_.ast(), value.expr);
  out.number = !varies(tree_.ast(), value.expr);
  out.clauses.push_back(clause_of(value, {}));
  return out;
}

std::optional<Statement> read_statement(const ScannedWords& words, Diags& diags) {
  return StatementReader(words, diags).run();
}

}  // namespace pmjit::strict
