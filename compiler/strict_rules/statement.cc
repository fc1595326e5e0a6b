#include <algorithm>
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
    case ParseStep::Kind::alert: return finish_alert();
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
  if (value.kind == Kind::alert) out.alert = alert_;
  if (value.kind == Kind::action) {
    out.clauses.push_back({.when = Clause::When::always, .verbs = std::move(value.verbs)});
    return out;
  }
  if (value.kind != Kind::expression) return out;
  if (!one_sample(value) || !one_host(value)) return std::nullopt;
  out.span = value.span;
  out.ast = part_of(tree_.ast(), value.expr);
  out.number = !varies(tree_.ast(), value.expr);
  out.clauses.push_back(clause_of(value, {}));
  return out;
}

std::optional<Statement> read_statement(const ScannedWords& words, std::string_view source,
                                        Diags& diags) {
  return StatementReader(words, source, diags).run();
}

// Actions, and the rules and rulesets that have them.
bool StatementReader::finish_action() {
  const Frame frame = pop_frame();
  Verb verb{.name = std::string(pmie::symbol_of(at(frame.token).op)),
            .hold_off = hold_off_,
            .texts = texts_,
            .span = span(frame.token)};
  Value value{.kind = Kind::action, .span = span(frame.token)};
  value.verbs.push_back(std::move(verb));
  values_.push_back(std::move(value));
  return true;
}

bool StatementReader::finish_join(const Frame& frame, Value left, Value right) {
  if (left.kind != Kind::action || right.kind != Kind::action) {
    return misplaced(span(frame.token), "& and | join actions; conditions are joined by && and ||");
  }
  for (Verb& verb : right.verbs) {
    verb.if_failed = verb.if_failed || at(frame.token).kind == RuleToken::UNTIL_TRUE;
    left.verbs.push_back(std::move(verb));
  }
  values_.push_back(std::move(left));
  return true;
}

bool StatementReader::finish_rule(const Frame& frame, Value left, Value right) {
  if (left.kind == Kind::expression && (!one_sample(left) || !one_host(left))) return false;
  if (left.kind != Kind::expression || right.kind != Kind::action) {
    return misplaced(span(frame.token), "a rule is `condition -> action`");
  }
  Value rule{.kind = Kind::rule, .span = left.span};
  rule.clauses.push_back(clause_of(left, std::move(right.verbs)));
  values_.push_back(std::move(rule));
  return true;
}

bool StatementReader::finish_ruleset() {
  const Frame frame = pop_frame();
  Value out{.kind = Kind::ruleset, .span = span(frame.token)};
  for (size_t i = frame.values; i < values_.size(); ++i) {
    Value& value = values_[i];
    const auto mark = std::ranges::find(marks_, i, &Mark::value);
    if (value.kind != (mark == marks_.end() ? Kind::rule : Kind::action)) {
      return misplaced(value.span, "a ruleset is made of rules");
    }
    if (mark == marks_.end()) {
      out.clauses.push_back(std::move(value.clauses.front()));
    } else {
      out.clauses.push_back({.when = mark->when, .verbs = std::move(value.verbs)});
    }
  }
  values_.resize(frame.values);
  values_.push_back(std::move(out));
  return true;
}

}  // namespace pmjit::strict
