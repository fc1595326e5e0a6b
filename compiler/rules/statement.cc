#include "compiler/rules/statement.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/ast/substitute.h"
#include "compiler/ast/words.h"
#include "compiler/pmie/constant_units.h"
#include "compiler/rules/samples.h"
#include "compiler/rules/tree.h"
#include "runtime/base/limits.h"

namespace pmjit::strict {

namespace {

using parse::RuleStep;
using pmie::Token;

Operator operator_of(pmie::Op op) {
  switch (op) {
    case pmie::Op::equal: return Operator::eq;
    case pmie::Op::unequal: return Operator::ne;
    case pmie::Op::less: return Operator::lt;
    case pmie::Op::less_equal: return Operator::le;
    case pmie::Op::greater: return Operator::gt;
    case pmie::Op::greater_equal: return Operator::ge;
    case pmie::Op::both: return Operator::and_;
    case pmie::Op::either: return Operator::or_;
    case pmie::Op::add: return Operator::add;
    case pmie::Op::subtract: return Operator::sub;
    case pmie::Op::multiply: return Operator::mul;
    case pmie::Op::divide: return Operator::div;
    default: return Operator::none;
  }
}

class Reader {
 public:
  Reader(const Words& words, Diags& diags) : words_(words), diags_(diags) {}

  std::optional<Statement> run() {
    std::vector<Token> kinds;
    for (const pmie::ScannedToken& token : words_.tokens) kinds.push_back(token.kind);
    if (parse::rule_nesting(kinds) > limits::kRuleNestingMax) {
      return too_deep(whole(), limits::kRuleNestingMax);
    }
    const parse::RuleSteps steps = parse::parse_rule(kinds);
    if (steps.offending) return syntax(*steps.offending);
    for (const RuleStep& step : steps.steps) {
      const bool fits = step.kind == RuleStep::Kind::take ? take(step.token) : finish(step.kind);
      if (!fits) return std::nullopt;
    }
    return result();
  }

 private:
  using Kind = Statement::Kind;
  struct Value {
    Kind kind = Kind::nothing;
    Span span{};
    ExprId expr{};
    std::vector<ExprId> samples{};  // of a range, newest first; expr is the first of them
    SampleRange range{};
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
  [[nodiscard]] Token before(uint32_t token) const {
    return token == 0 ? Token::END : at(token - 1).kind;
  }

  std::nullopt_t syntax(uint32_t token) {
    const bool end = at(token).kind == Token::END;
    diags_.add(DiagCode::P_Syntax, span(token),
               end ? "the statement ends too early" : "this does not fit here");
    return std::nullopt;
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
  bool take_number(uint32_t token);
  bool take_unit(uint32_t token);
  bool take_close();
  bool take_macro(uint32_t token);
  bool take_sample(uint32_t token);
  bool finish(RuleStep::Kind kind);
  bool finish_fetch();
  bool finish_number();
  bool finish_binary();
  bool finish_text(Value left, Value right, uint32_t token);
  bool finish_logic_check(const Value& side, Operator op, Span where);
  bool finish_prefix();
  bool finish_quantity(const Frame& frame, const Value& operand);
  bool finish_samples(const Frame& frame, const Value& operand);
  bool same_range(const Value& left, const Value& right, Span where);
  bool finish_action();
  bool finish_join(const Frame& frame, Value left, Value right);
  bool finish_rule(const Frame& frame, Value left, Value right);
  bool finish_ruleset();
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
    values_.push_back({.kind = Kind::expression, .span = tree_.at(id).span, .expr = id});
    return true;
  }
  // What `make` makes of each sample.
  template <class Make>
  bool push_each(const Value& of, Make make) {
    if (of.samples.empty()) return push_expr(make(of.expr));
    std::vector<ExprId> made;
    for (const ExprId sample : of.samples) made.push_back(make(sample));
    return push_samples(std::move(made), of.range);
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
  Clause clause_of(const Value& condition, std::vector<Verb> verbs) {
    return {.condition = part_of(tree_.ast(), condition.expr),
            .bindings = bindings_of(tree_.ast(), condition.expr),
            .verbs = std::move(verbs)};
  }

  const Words& words_;
  Diags& diags_;
  Tree tree_;
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
};

bool Reader::take(uint32_t token) {
  const pmie::ScannedToken& taken = at(token);
  switch (taken.kind) {
    case Token::END:
    case Token::BECOMES:
    case Token::ELSE: return true;
    case Token::TARGET:
      name_ = taken.text;
      name_span_ = span(token);
      return true;
    case Token::UNKNOWN:
    case Token::OTHERWISE:
      marks_.push_back({values_.size(), taken.kind == Token::UNKNOWN ? Clause::When::unknown
                                                                     : Clause::When::otherwise});
      return true;
    case Token::ARROW:
      if (before(token) != Token::UNKNOWN && before(token) != Token::OTHERWISE) push(token);
      return true;
    case Token::COLON: return not_yet(span(token), "a host behind `:`", "leave it away");
    case Token::AT:
      sampled_ = true;
      ranged_ = false;
      return true;
    case Token::RANGE: ranged_ = true; return true;
    case Token::HASH: return true;
    case Token::UNIT:
    case Token::UNIT_SLASH:
    case Token::CARET: return take_unit(token);
    case Token::CLOSE: return take_close();
    default: break;
  }
  return take_operand(token);
}

bool Reader::take_operand(uint32_t token) {
  const pmie::ScannedToken& taken = at(token);
  switch (taken.kind) {
    case Token::NAME:
      if (before(token) == Token::HASH) {
        return take_instance(token);
      }
      return push_expr(tree_.leaf(ExprKind::name, taken.text, span(token)));
    case Token::NUMBER:
      if (before(token) == Token::AT || before(token) == Token::RANGE) return take_sample(token);
      return take_number(token);
    case Token::SHARE: return take_number(token);
    case Token::TRUTH:
    case Token::COUNTED_TRUTH: {
      const ExprId left = tree_.leaf(ExprKind::integer, "1", span(token));
      const ExprId right =
          tree_.leaf(ExprKind::integer, taken.number != 0 ? "1" : "0", span(token));
      return push_expr(tree_.binary(Operator::eq, span(token), left, right));
    }
    case Token::MACRO: return take_macro(token);
    case Token::TEXT:
    case Token::COUNTED_TEXT:
      if (!frames_.empty() && at(frames_.back().token).kind == Token::VERB) {
        texts_.push_back(taken.text);
      } else if (before(token) == Token::MATCH) {
        frames_.back().pattern = taken.text;
      } else {
        values_.push_back({.kind = Kind::text, .span = span(token), .text = taken.text});
      }
      return true;
    case Token::VERB:
      texts_.clear();
      hold_off_ = 0;
      push(token);
      return true;
    default: push(token); return true;
  }
}

// `x #'a'` is one value, `x #'a' #'b'` still a set.
bool Reader::take_instance(uint32_t token) {
  const std::string& name = at(token).text;
  const Value of = pop_value();
  if (tree_.at(of.expr).kind != ExprKind::instance) {
    return push_expr(tree_.call(ExprKind::instance, name, span(token), of.expr));
  }
  tree_.add_spec(of.expr, Spec{.tag = "instance",
                               .value = name,
                               .quoted = true,
                               .tag_span = span(token),
                               .value_span = span(token)});
  tree_.at(of.expr).span = join(of.span, span(token));
  return push_expr(of.expr);
}

bool Reader::take_sample(uint32_t token) {
  const pmie::ScannedToken& number = at(token);
  if (!is_whole(number.text) || number.number > kEarlierMax) {
    return misplaced(span(token), fmt::format("a sample is a whole number, 0 to {}", kEarlierMax));
  }
  range_.oldest = static_cast<uint32_t>(number.number);
  range_end_ = span(token);
  if (!ranged_) range_.newest = range_.oldest;
  if (range_.newest <= range_.oldest) return true;
  return misplaced(span(token), "the newest sample comes first, as in @0..2");
}

// `x @1` is a value of an earlier evaluation, `x @0..2` three, which `_sample` makes one of.
bool Reader::finish_fetch() {
  if (!std::exchange(sampled_, false)) return true;
  const Value of = pop_value();
  std::vector<ExprId> samples = earlier(tree_, of.expr, range_, join(of.span, range_end_));
  if (!ranged_) return push_expr(samples.front());
  return push_samples(std::move(samples), range_);
}

bool Reader::take_number(uint32_t token) {
  if (before(token) == Token::CARET) return take_unit(token);
  number_ = token;
  number_span_ = span(token);
  units_ = {};
  has_units_ = false;
  return true;
}

bool Reader::take_unit(uint32_t token) {
  const pmie::ScannedToken& taken = at(token);
  number_span_ = join(number_span_, span(token));
  if (taken.kind == Token::UNIT_SLASH || taken.kind == Token::CARET) return true;
  const bool power = taken.kind != Token::UNIT;
  const uint32_t unit = power ? token - 2 : token;
  const bool below = before(unit) == Token::UNIT_SLASH;
  if (power && (taken.number != std::floor(taken.number) || taken.number < 1 || taken.number > 7)) {
    return misplaced(span(token), "a power of a unit is 1 to 7");
  }
  Units once;
  pmie::add_unit(once, at(unit).text, 1);
  const bool twice = (once.dim_space != 0 && units_.dim_space != 0) ||
                     (once.dim_time != 0 && units_.dim_time != 0) ||
                     (once.dim_count != 0 && units_.dim_count != 0);
  if (!power && twice) {
    diags_.add(DiagCode::D_GivenTwice, span(token), at(unit).text)
        .help("pmie counts only the last one");
    return false;
  }
  const int exponent = power ? static_cast<int>(taken.number) : 1;
  pmie::add_unit(units_, at(unit).text, below ? -exponent : exponent);
  has_units_ = true;
  return true;
}

bool Reader::take_close() {
  const Frame frame = pop_frame();
  Value& value = values_.back();
  value.grouped = true;
  value.span = join(span(frame.token), value.span);
  if (value.kind == Kind::expression) {
    Expr& expr = tree_.at(value.expr);
    expr.parenthesised = true;
    expr.span = value.span;
  }
  return true;
}

bool Reader::take_macro(uint32_t token) {
  const Macro* const macro = words_.macros[token];
  if (macro == nullptr) return false;  // it was said
  const ExprId copied = tree_.copy(*macro->number, macro->number->root, span(token));
  tree_.at(copied).parenthesised = true;
  return push_expr(copied);
}

bool Reader::finish(RuleStep::Kind kind) {
  switch (kind) {
    case RuleStep::Kind::take: return true;
    case RuleStep::Kind::fetch: return finish_fetch();
    case RuleStep::Kind::number: return finish_number();
    case RuleStep::Kind::action: return finish_action();
    case RuleStep::Kind::binary: return finish_binary();
    case RuleStep::Kind::prefix: return finish_prefix();
    case RuleStep::Kind::ruleset: return finish_ruleset();
  }
  return false;
}

bool Reader::finish_number() {
  const pmie::ScannedToken& number = at(number_);
  if (!frames_.empty() && at(frames_.back().token).kind == Token::VERB) {
    const bool is_time = units_.dim_time == 1 && units_.dim_space == 0 && units_.dim_count == 0;
    if (has_units_ && !is_time) return misplaced(number_span_, "a hold-off is a time");
    hold_off_ = number.number * (has_units_ ? pmie::canonical_factor(units_) : 1);
    return true;
  }
  const bool whole_number = is_whole(number.text);
  ExprId id =
      tree_.leaf(whole_number ? ExprKind::integer : ExprKind::real, number.text, span(number_));
  if (has_units_) {
    id = tree_.call(ExprKind::mkconst, "mkconst", number_span_, id,
                    {Spec{.tag = "units",
                          .value = units_text(units_),
                          .quoted = true,
                          .tag_span = number_span_,
                          .value_span = number_span_}});
  }
  return push_expr(id);
}

bool Reader::finish_binary() {
  const Frame frame = pop_frame();
  Value right = pop_value(), left = pop_value();
  const pmie::ScannedToken& sign = at(frame.token);
  if (sign.kind == Token::ARROW) return finish_rule(frame, std::move(left), std::move(right));
  if (sign.kind == Token::IN_TURN || sign.kind == Token::UNTIL_TRUE) {
    return finish_join(frame, std::move(left), std::move(right));
  }
  if (left.kind == Kind::text || right.kind == Kind::text) {
    return finish_text(std::move(left), std::move(right), frame.token);
  }
  for (const Value* const side : {&left, &right}) {
    if (side->kind != Kind::expression) return misplaced(side->span, "no expression");
  }
  const Operator op = sign.kind == Token::MINUS ? Operator::sub : operator_of(sign.op);
  if (op == Operator::and_ || op == Operator::or_) {
    if (!finish_logic_check(left, op, span(frame.token))) return false;
    if (!finish_logic_check(right, op, span(frame.token))) return false;
  }
  const Span where = span(frame.token);
  if (left.samples.empty() && right.samples.empty()) {
    return push_expr(tree_.binary(op, where, left.expr, right.expr));
  }
  if (!same_range(left, right, where)) return false;
  const Value& ranged = left.samples.empty() ? right : left;
  std::vector<ExprId> made;
  for (size_t i = 0; i < ranged.samples.size(); ++i) {
    const ExprId one = left.samples.empty() ? left.expr : left.samples[i];
    const ExprId other = right.samples.empty() ? right.expr : right.samples[i];
    made.push_back(tree_.binary(op, where, one, other));
  }
  return push_samples(std::move(made), ranged.range);
}

// Of two ranges, or of one and a constant: what older samples of anything else would be is read
// otherwise by pmie.
bool Reader::same_range(const Value& left, const Value& right, Span where) {
  if (!left.samples.empty() && !right.samples.empty()) {
    if (left.range == right.range) return true;
    return not_yet(where, "two ranges of samples that differ", "write the same one at both");
  }
  const Value& single = left.samples.empty() ? left : right;
  if (!has_metric(tree_.ast(), single.expr)) return true;
  return not_yet(single.span, "a range of samples beside a single one",
                 "write the same range behind this, too");
}

// A metric beside a text.
bool Reader::finish_text(Value left, Value right, uint32_t token) {
  const Value& text = right.kind == Kind::text ? right : left;
  const Value& other = right.kind == Kind::text ? left : right;
  const pmie::Op op = at(token).op;
  if (!one_sample(other)) return false;
  if (other.kind != Kind::expression || (op != pmie::Op::equal && op != pmie::Op::unequal)) {
    diags_.add(DiagCode::D_TextInArithmetic, text.span)
        .help("a metric is compared with a text by == and !=");
    return false;
  }
  ExprId made = tree_.call(ExprKind::call, "equals", span(token), other.expr,
                           {Spec{.tag = "text",
                                 .value = text.text,
                                 .quoted = true,
                                 .tag_span = text.span,
                                 .value_span = text.span}});
  tree_.at(made).span = join(left.span, right.span);
  if (op == pmie::Op::unequal) made = tree_.unary(Operator::not_, span(token), made);
  return push_expr(made);
}

// D02: && and || without parentheses.
bool Reader::finish_logic_check(const Value& side, Operator op, Span where) {
  const Expr& expr = tree_.at(side.expr);
  const bool logic =
      expr.kind == ExprKind::binary && (expr.op == Operator::and_ || expr.op == Operator::or_);
  if (!logic || expr.parenthesised || expr.op == op) return true;
  diags_.add(DiagCode::D_MixedLogic, where)
      .label(expr.op_span, fmt::format("beside this {}", operator_text(expr.op)))
      .help("put one of them into parentheses");
  return false;
}

bool Reader::finish_prefix() {
  const Frame frame = pop_frame();
  const Value operand = pop_value();
  if (operand.kind != Kind::expression) return misplaced(operand.span, "no expression");
  return finish_quantity(frame, operand);
}

bool Reader::finish_quantity(const Frame& frame, const Value& operand) {
  const pmie::ScannedToken& sign = at(frame.token);
  const Span where = span(frame.token);
  const Expr& inner = tree_.at(operand.expr);
  const bool open_binary =
      !inner.parenthesised && (inner.kind == ExprKind::binary || compares_text(tree_.ast(), inner));
  if (sign.dim == pmie::Dim::host) return not_yet(where, "a set of hosts (`_host`)");
  if (sign.dim == pmie::Dim::sample) return finish_samples(frame, operand);
  const auto function = [&](std::string_view name, const std::vector<Spec>& specs = {}) {
    return push_each(operand, [&](ExprId of) {
      return tree_.call(ExprKind::call, std::string(name), where, of, specs);
    });
  };
  const auto signed_by = [&](Operator op) {
    return push_each(operand, [&](ExprId of) { return tree_.unary(op, where, of); });
  };
  switch (sign.kind) {
    case Token::MINUS: return signed_by(Operator::neg);
    case Token::NOT:
      if (open_binary) {
        diags_.add(DiagCode::D_NotCovers, where)
            .help("write !(…): in C it covers the first operand alone");
        return false;
      }
      return signed_by(Operator::not_);
    case Token::COUNT:
      if (open_binary) {
        diags_.add(DiagCode::D_CountOperand, where)
            .label(inner.span, "this is counted in pmie, whatever follows it")
            .help("write count_inst (…)");
        return false;
      }
      return function("count");
    case Token::RISING:
    case Token::FALLING: return function(pmie::symbol_of(sign.op));
    case Token::RATE:
    case Token::INSTANT: return function(sign.text);  // known, too
    case Token::AGGREGATE:
    case Token::QUANTIFIER: return function(pmie::symbol_of(sign.op));
    case Token::PERCENT: {
      const pmie::ScannedToken& share = at(frame.token - 1);
      const Span both = join(span(frame.token - 1), where);
      if (!(share.number <= 100)) return diags_.add(DiagCode::D_PercentRange, both), false;
      if (!is_whole(share.text)) return not_yet(both, "a percentage with a fraction");
      return function("at_least", {Spec{.tag = "percent", .value = share.text}});
    }
    case Token::MATCH: {
      if (const std::string wrong = pattern_error(frame.pattern); !wrong.empty()) {
        diags_.add(DiagCode::P_BadRegex, span(frame.token + 1), wrong);
        return false;
      }
      return push_each(operand, [&](ExprId of) {
        const ExprId made =
            tree_.call(ExprKind::matchinst, frame.pattern, span(frame.token + 1), of);
        tree_.at(made).negated = sign.op == pmie::Op::nomatch_inst;
        return made;
      });
    }
    default: return misplaced(where, "no operator of the strict dialect");
  }
}

bool Reader::finish_samples(const Frame& frame, const Value& operand) {
  const pmie::ScannedToken& sign = at(frame.token);
  const Span where = span(frame.token);
  if (operand.samples.empty()) {
    return misplaced(operand.span, "`_sample` is of a range of samples, as in @0..2");
  }
  const Expr& inner = tree_.at(operand.expr);
  if (sign.kind == Token::COUNT && inner.kind == ExprKind::binary && !inner.parenthesised) {
    diags_.add(DiagCode::D_CountOperand, where)
        .label(operand.span, "this is counted in pmie, whatever follows it")
        .help("write count_sample (…)");
    return false;
  }
  const auto made = over_samples(tree_, sign.op, operand.samples, where);
  if (!made) return not_yet(where, "a percentage of samples", "write all_sample or some_sample");
  tree_.at(*made).span = join(where, operand.span);
  return push_expr(*made);
}

bool Reader::finish_action() {
  const Frame frame = pop_frame();
  Verb verb{.name = std::string(pmie::symbol_of(at(frame.token).op)),
            .hold_off = hold_off_,
            .texts = texts_};
  Value value{.kind = Kind::action, .span = span(frame.token)};
  value.verbs.push_back(std::move(verb));
  values_.push_back(std::move(value));
  return true;
}

bool Reader::finish_join(const Frame& frame, Value left, Value right) {
  if (left.kind != Kind::action || right.kind != Kind::action) {
    return misplaced(span(frame.token), "& and | join actions; conditions are joined by && and ||");
  }
  for (Verb& verb : right.verbs) {
    verb.if_failed = verb.if_failed || at(frame.token).kind == Token::UNTIL_TRUE;
    left.verbs.push_back(std::move(verb));
  }
  values_.push_back(std::move(left));
  return true;
}

bool Reader::finish_rule(const Frame& frame, Value left, Value right) {
  if (left.kind == Kind::expression && !one_sample(left)) return false;
  if (left.kind != Kind::expression || right.kind != Kind::action) {
    return misplaced(span(frame.token), "a rule is `condition -> action`");
  }
  Value rule{.kind = Kind::rule, .span = left.span};
  rule.clauses.push_back(clause_of(left, std::move(right.verbs)));
  values_.push_back(std::move(rule));
  return true;
}

bool Reader::finish_ruleset() {
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

std::optional<Statement> Reader::result() {
  Statement out{.name = name_, .name_span = name_span_, .span = whole()};
  if (values_.empty()) return out;
  Value value = pop_value();
  out.kind = value.kind;
  out.text = std::move(value.text);
  out.clauses = std::move(value.clauses);
  if (value.kind == Kind::action) {
    not_yet(value.span, "an action without a condition", "write a condition and ->");
    return std::nullopt;
  }
  if (value.kind != Kind::expression) return out;
  if (!one_sample(value)) return std::nullopt;
  out.span = value.span;
  out.ast = part_of(tree_.ast(), value.expr);
  out.number = !has_metric(tree_.ast(), value.expr);
  out.clauses.push_back(clause_of(value, {}));
  return out;
}

}  // namespace

std::optional<Statement> read_statement(const Words& words, Diags& diags) {
  return Reader(words, diags).run();
}

}  // namespace pmjit::strict
