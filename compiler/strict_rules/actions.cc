// Actions, and the rules and rulesets that have them.
#include <algorithm>
#include <utility>

#include "compiler/strict_rules/statement_reader.h"

namespace pmjit::strict {

bool StatementReader::finish_action() {
  const Frame frame = pop_frame();
  Verb verb{.name = std::string(pmie::symbol_of(at(frame.token).op)),
            .hold_off = hold_off_,
            .texts = texts_};
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
  if (left.kind == Kind::expression && !one_sample(left)) return false;
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
