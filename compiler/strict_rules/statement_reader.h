// One statement of a rule file, read: the steps of its parse, in the order of the tokens, on a
// stack of what is complete. What can be judged without metrics is judged here: what pmie or C
// would read otherwise is refused.
//
// Order of reading: statement.cc (the list of steps), operands.cc (metrics, numbers, macros),
// operators.cc, statement.cc (verbs, rules, rulesets), alert.cc.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compiler/parse/rule_steps.h"
#include "compiler/strict_rules/rule_file.h"
#include "compiler/strict_rules/samples.h"
#include "compiler/strict_rules/scanner.h"
#include "compiler/strict_rules/tree.h"
#include "runtime/base/limits.h"
#include "runtime/model/units.h"

namespace pmjit::strict {

// One statement of a rule file: the steps of its parse on a stack, which leaves an expression, an
// action, a text or a rule.
struct Statement {
  enum class Kind : uint8_t { nothing, expression, text, action, rule, ruleset, alert };
  Kind kind = Kind::nothing;
  std::string name;  // empty: it has none
  Span name_span, span;
  Ast ast;              // of an expression
  bool number = false;  // the expression is a number alone, with units or without
  std::string text;
  std::vector<Clause> clauses;
  AlertTerms alert;  // of an alert
};

// None: a diagnostic was added. `source`: the text that places are in.
[[nodiscard]] std::optional<Statement> read_statement(const ScannedWords& words,
                                                      std::string_view source, Diags& diags);

class StatementReader {
 public:
  StatementReader(const ScannedWords& words, std::string_view source, Diags& diags)
      : words_(words), source_(source), diags_(diags) {}

  std::optional<Statement> run();

 private:
  using Kind = Statement::Kind;
  using RuleToken = parse::RuleToken;
  using ParseStep = parse::ParseStep;
  struct Value {
    Kind kind = Kind::nothing;
    Span span{};
    ExprId expr{};
    std::vector<ExprId> samples{};  // of a range, newest first; expr is the first of them
    SampleRange range{};
    std::vector<std::string> hosts{};  // behind `:`, where there are several
    std::string text{};
    std::vector<Verb> verbs{};
    std::vector<Clause> clauses{};  // of a rule, of a ruleset
    bool grouped = false;
  };
  struct Frame {
    uint32_t token;
    size_t values;  // that were there before
    std::string pattern{};
  };
  struct Mark {
    size_t value;  // the action of a clause
    Clause::When when;
  };

  [[nodiscard]] const pmie::ScannedToken& at(uint32_t token) const { return words_.tokens[token]; }
  [[nodiscard]] Span span(uint32_t token) const { return words_.spans[token]; }
  [[nodiscard]] Span whole() const { return join(words_.spans.front(), words_.spans.back()); }
  [[nodiscard]] RuleToken before(uint32_t token) const {
    return token == 0 ? RuleToken::END : at(token - 1).kind;
  }

  std::nullopt_t syntax(uint32_t token) {
    if (misread_in_alert(token)) return std::nullopt;
    const bool end = at(token).kind == RuleToken::END;
    Diag& diag = diags_.add(DiagCode::P_Syntax, span(token),
                            end ? "the statement ends too early" : "this does not fit here");
    help_in_action(token, diag);
    help_in_alert(token, diag);
    return std::nullopt;
  }
  // -> ;  and  -> print "x" %v;
  void help_in_action(uint32_t token, Diag& diag) const {
    const bool ends = at(token).kind == RuleToken::END;
    if (before(token) == RuleToken::ARROW && ends) {
      diag.help("write an action: -> print \"text\"");
    }
    if (before(token) == RuleToken::TEXT && source_.substr(span(token).begin).starts_with('%')) {
      diag.help("%v, %i and %h stand within the text: print \"%i: %v\"");
    }
  }
  std::nullopt_t too_deep(Span where, uint32_t levels) {
    diags_.add(DiagCode::P_TooDeep, where, fmt::to_string(levels));
    return std::nullopt;
  }
  bool not_yet(Span where, std::string_view what, std::string_view instead = {}) {
    Diag& diag = diags_.add(DiagCode::R_NotYet, where, what);
    if (!instead.empty()) diag.help(std::string(instead));
    return false;
  }
  bool misplaced(Span where, std::string_view what) {
    diags_.add(DiagCode::P_Syntax, where, what);
    return false;
  }

  bool take(uint32_t token);
  bool take_operand(uint32_t token);
  bool take_instance(uint32_t token);
  bool take_host(uint32_t token);
  bool take_number(uint32_t token);
  bool take_unit(uint32_t token);
  bool take_close(uint32_t token);
  bool take_macro(uint32_t token);
  bool take_sample(uint32_t token);
  bool finish(ParseStep::Kind kind);
  bool finish_fetch();
  bool finish_number();
  bool finish_binary();
  bool finish_text(Value left, Value right, uint32_t token);
  bool finish_logic_check(const Value& side, Operator op, Span where);
  bool refuse_chain(const Value& left, Operator op, Span where);
  bool finish_prefix();
  bool finish_quantity(const Frame& frame, const Value& operand);
  bool finish_samples(const Frame& frame, const Value& operand);
  [[nodiscard]] Span sign_of(const Frame& frame) const;  // `50 %_inst` is two tokens
  std::optional<std::string> percent_of(const Frame& frame);
  std::vector<ExprId> samples_beside(const Value& value, const Value& ranged);
  bool finish_action();
  bool finish_join(const Frame& frame, Value left, Value right);
  bool finish_rule(const Frame& frame, Value left, Value right);
  bool finish_ruleset();
  // Is it a token of an alert that is done with? None: it is not of an alert alone.
  std::optional<bool> take_in_alert(uint32_t token);
  bool set_once(uint32_t token);
  void help_in_alert(uint32_t token, Diag& diag) const;
  bool misread_in_alert(uint32_t token);
  bool take_setting_name(uint32_t token);
  bool take_setting_text(uint32_t token);
  bool finish_setting(double seconds);
  bool finish_alert();
  [[nodiscard]] RuleToken two_before(uint32_t token) const {
    return token < 2 ? RuleToken::END : at(token - 2).kind;
  }
  [[nodiscard]] bool opens_setting() const;  // is a number of `for` and the like open?
  std::optional<Statement> result();

  Frame pop_frame() {
    Frame out = std::move(frames_.back());
    frames_.pop_back();
    return out;
  }
  Value pop_value() {
    Value out = std::move(values_.back());
    values_.pop_back();
    return out;
  }
  void push(uint32_t token) { frames_.push_back({token, values_.size()}); }
  bool push_expr(ExprId id) {
    if (tree_.height(id) > limits::kNestingMax) {
      too_deep(tree_.at(id).span, limits::kNestingMax);
      return false;
    }
    if (tree_.size(id) > kNodesMax) {
      diags_.add(DiagCode::P_TooManyTokens, tree_.at(id).span, fmt::to_string(kNodesMax))
          .help("samples are each written out: take shorter ranges");
      return false;
    }
    values_.push_back({.kind = Kind::expression, .span = tree_.at(id).span, .expr = id});
    return true;
  }
  // What `make` makes of each sample.
  template <class Make>
  bool push_each(const Value& of, Make make) {
    if (of.samples.empty()) return push_expr(make(of.expr)) && on_hosts(of.hosts);
    std::vector<ExprId> made;
    for (const ExprId sample : of.samples) made.push_back(make(sample));
    return push_samples(std::move(made), of.range) && on_hosts(of.hosts);
  }
  // What was made last is of these.
  bool on_hosts(const std::vector<std::string>& hosts) {
    values_.back().hosts = hosts;
    return true;
  }
  bool push_samples(std::vector<ExprId> samples, const SampleRange& range) {
    if (!push_expr(samples.front())) return false;
    values_.back().samples = std::move(samples);
    values_.back().range = range;
    return true;
  }
  // A condition, or what is shown, is of one time.
  bool one_sample(const Value& value) {
    if (value.samples.empty()) return true;
    return not_yet(value.span, "a range of samples by itself",
                   "write all_sample, some_sample or an aggregate before it");
  }
  // A condition, or what is shown, is of one host, or of all.
  bool one_host(const Value& value) {
    if (value.hosts.empty()) return true;
    return not_yet(value.span, "several hosts by themselves",
                   "write some_host, all_host or an aggregate over hosts before it");
  }
  std::optional<std::vector<std::string>> hosts_of(const Value& left, const Value& right,
                                                   Span where) {
    if (left.hosts.empty() || right.hosts.empty() || left.hosts == right.hosts) {
      return left.hosts.empty() ? right.hosts : left.hosts;
    }
    not_yet(where, "two lists of hosts that differ", "write the same one at both");
    return std::nullopt;
  }
  Clause clause_of(const Value& condition, std::vector<Verb> verbs) {
    return {.condition = part_of(tree_.ast(), condition.expr),
            .bindings = bindings_of(tree_.ast(), condition.expr),
            .verbs = std::move(verbs)};
  }

  const ScannedWords& words_;
  std::string_view source_;
  Diags& diags_;
  AstMaker tree_;
  std::vector<Frame> frames_;
  std::vector<Value> values_;
  std::vector<Mark> marks_;
  std::string name_;
  Span name_span_;
  uint32_t number_ = 0;  // token
  Span number_span_;
  Units units_;
  bool has_units_ = false;
  std::vector<std::string> texts_;  // of the verb that is open
  double hold_off_ = 0;
  bool sampled_ = false, ranged_ = false;  // of the fetch at hand: `@`, and `..`
  SampleRange range_;
  Span range_end_;
  std::vector<std::string> hosts_;  // of the fetch at hand
  AlertTerms alert_;
  std::vector<RuleToken> settings_;  // of the alert, those that were given
};

}  // namespace pmjit::strict
