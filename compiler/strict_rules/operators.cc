// Operators: between two operands, and before one.
#include <fmt/format.h>

#include <utility>

#include "compiler/ast/operators.h"
#include "compiler/ast/substitute.h"
#include "compiler/ast/words.h"
#include "compiler/strict_rules/statement_reader.h"

namespace pmjit::strict {

namespace {

Operator operator_of(pmie::PmieOp op) {
  switch (op) {
    case pmie::PmieOp::equal: return Operator::eq;
    case pmie::PmieOp::unequal: return Operator::ne;
    case pmie::PmieOp::less: return Operator::lt;
    case pmie::PmieOp::less_equal: return Operator::le;
    case pmie::PmieOp::greater: return Operator::gt;
    case pmie::PmieOp::greater_equal: return Operator::ge;
    case pmie::PmieOp::both: return Operator::and_;
    case pmie::PmieOp::either: return Operator::or_;
    case pmie::PmieOp::add: return Operator::add;
    case pmie::PmieOp::subtract: return Operator::sub;
    case pmie::PmieOp::multiply: return Operator::mul;
    case pmie::PmieOp::divide: return Operator::div;
    default: return Operator::none;
  }
}

}  // namespace

bool StatementReader::finish_binary() {
  const Frame frame = pop_frame();
  Value right = pop_value(), left = pop_value();
  const pmie::ScannedToken& sign = at(frame.token);
  if (sign.kind == RuleToken::ARROW) return finish_rule(frame, std::move(left), std::move(right));
  if (sign.kind == RuleToken::IN_TURN || sign.kind == RuleToken::UNTIL_TRUE) {
    return finish_join(frame, std::move(left), std::move(right));
  }
  if (left.kind == Kind::text || right.kind == Kind::text) {
    return finish_text(std::move(left), std::move(right), frame.token);
  }
  for (const Value* const side : {&left, &right}) {
    if (side->kind != Kind::expression) return misplaced(side->span, "no expression");
  }
  const Operator op = sign.kind == RuleToken::MINUS ? Operator::sub : operator_of(sign.op);
  if (op == Operator::and_ || op == Operator::or_) {
    if (!finish_logic_check(left, op, span(frame.token))) return false;
    if (!finish_logic_check(right, op, span(frame.token))) return false;
  }
  const Span where = span(frame.token);
  if (refuse_chain(left, op, where)) return false;
  const auto hosts = hosts_of(left, right, where);
  if (!hosts) return false;
  if (left.samples.empty() && right.samples.empty()) {
    return push_expr(tree_.binary(op, where, left.expr, right.expr)) && on_hosts(*hosts);
  }
  if (!left.samples.empty() && !right.samples.empty() && left.range != right.range) {
    return not_yet(where, "two ranges of samples that differ", "write the same one at both");
  }
  const Value& ranged = left.samples.empty() ? right : left;
  const std::vector<ExprId> lefts = samples_beside(left, ranged);
  const std::vector<ExprId> rights = samples_beside(right, ranged);
  std::vector<ExprId> made;
  for (size_t i = 0; i < ranged.samples.size(); ++i) {
    made.push_back(tree_.binary(op, where, lefts[i], rights[i]));
  }
  return push_samples(std::move(made), ranged.range) && on_hosts(*hosts);
}

// The samples that meet those of a range. What has no range is what it was at each evaluation (spec
// dialects.md row 126), as in pmie; a constant was the same.
std::vector<ExprId> StatementReader::samples_beside(const Value& value, const Value& ranged) {
  if (!value.samples.empty()) return value.samples;
  const auto count = static_cast<uint32_t>(ranged.samples.size());
  if (!varies(tree_.ast(), value.expr)) return std::vector(count, value.expr);
  return earlier(tree_, value.expr, {.newest = 0, .oldest = count - 1}, value.span);
}

// A metric beside a text.
bool StatementReader::finish_text(Value left, Value right, uint32_t token) {
  const Value& text = right.kind == Kind::text ? right : left;
  const Value& other = right.kind == Kind::text ? left : right;
  const pmie::PmieOp op = at(token).op;
  if (!one_sample(other)) return false;
  if (other.kind != Kind::expression ||
      (op != pmie::PmieOp::equal && op != pmie::PmieOp::unequal)) {
    Diag& diag = diags_.add(DiagCode::D_TextInArithmetic, text.span);
    diag.message = "a text has no place in arithmetic";
    diag.help("a metric is compared with a text by == and !=; a number has no quotes");
    return false;
  }
  ExprId made = tree_.call(ExprKind::call, "equals", span(token), other.expr,
                           {Spec{.tag = "text",
                                 .value = text.text,
                                 .quoted = true,
                                 .tag_span = text.span,
                                 .value_span = text.span}});
  tree_.at(made).span = join(left.span, right.span);
  if (op == pmie::PmieOp::unequal) made = tree_.unary(Operator::not_, span(token), made);
  return push_expr(made) && on_hosts(other.hosts);
}

// D02: && and || without parentheses.
bool StatementReader::finish_logic_check(const Value& side, Operator op, Span where) {
  const Expr& expr = tree_.at(side.expr);
  const bool logic =
      expr.kind == ExprKind::binary && (expr.op == Operator::and_ || expr.op == Operator::or_);
  if (!logic || expr.parenthesised || expr.op == op) return true;
  diags_.add(DiagCode::D_MixedLogic, where)
      .label(expr.op_span, fmt::format("beside this {}", operator_text(expr.op)))
      .help("put one of them into parentheses");
  return false;
}

// D05: a < b < c
bool StatementReader::refuse_chain(const Value& left, Operator op, Span where) {
  const Expr& first = tree_.at(left.expr);
  const bool relation = binding_of({.kind = ExprKind::binary, .op = op}) == Precedence::relation;
  if (!relation || binding_of(first) != Precedence::relation || first.parenthesised) return false;
  diags_.add(DiagCode::D_RelationChain, where)
      .label(first.op_span, "the first relation")
      .help("write a < b && b < c");
  return true;
}

namespace {

void warn_of_rate_of_rate(const Expr& operand, Span where, Diags& diags) {
  if (operand.kind != ExprKind::call || operand.text != "rate") return;
  diags.add(DiagCode::P_RuleWarning, where, "this is the rate of a rate: how fast the rate changes")
      .help("write rate once");
}

}  // namespace

bool StatementReader::finish_prefix() {
  const Frame frame = pop_frame();
  const Value operand = pop_value();
  if (operand.kind != Kind::expression) return misplaced(operand.span, "no expression");
  return finish_quantity(frame, operand);
}

bool StatementReader::finish_quantity(const Frame& frame, const Value& operand) {
  const pmie::ScannedToken& sign = at(frame.token);
  const Span where = span(frame.token);
  const Expr& inner = tree_.at(operand.expr);
  const bool open_binary =
      !inner.parenthesised && (inner.kind == ExprKind::binary || compares_text(tree_.ast(), inner));
  const bool over_hosts = sign.dim == pmie::Dim::host;
  if (sign.dim == pmie::Dim::sample) return finish_samples(frame, operand);
  const auto function = [&](std::string_view name, std::vector<Spec> specs = {}) {
    if (over_hosts) {
      for (const std::string& host : operand.hosts) {
        specs.push_back({.tag = "host", .value = host, .quoted = true});
      }
    }
    const std::string full = std::string(name) + (over_hosts ? "_host" : "");
    return push_each(operand,
                     [&](ExprId of) {
                       return tree_.call(ExprKind::call, full, sign_of(frame), of, specs);
                     }) &&
           (!over_hosts || on_hosts({}));
  };
  const auto signed_by = [&](Operator op) {
    return push_each(operand, [&](ExprId of) { return tree_.unary(op, where, of); });
  };
  if (sign.text == "rate") warn_of_rate_of_rate(inner, where, diags_);
  switch (sign.kind) {
    case RuleToken::MINUS: return signed_by(Operator::neg);
    case RuleToken::NOT:
      if (open_binary) {
        diags_.add(DiagCode::D_NotCovers, where)
            .help("write !(…): in C it covers the first operand alone");
        return false;
      }
      return signed_by(Operator::not_);
    case RuleToken::COUNT:
      if (open_binary) {
        diags_.add(DiagCode::D_CountOperand, where)
            .label(inner.span, "pmie counts this, whatever follows it")
            .help(over_hosts ? "write count_host (…)" : "write count_inst (…)");
        return false;
      }
      return function("count");
    case RuleToken::RISING:
    case RuleToken::FALLING: return function(pmie::symbol_of(sign.op));
    case RuleToken::RATE:
    case RuleToken::INSTANT: return function(sign.text);  // known, too
    case RuleToken::AGGREGATE:
    case RuleToken::QUANTIFIER: return function(pmie::symbol_of(sign.op));
    case RuleToken::PERCENT: {
      const auto percent = percent_of(frame);
      return percent && function("at_least", {Spec{.tag = "percent", .value = *percent}});
    }
    case RuleToken::MATCH: {
      if (const std::string wrong = pattern_error(frame.pattern); !wrong.empty()) {
        const std::string fault = pattern_fault(frame.pattern);
        diags_.add(DiagCode::P_BadRegex, span(frame.token + 1), fault.empty() ? wrong : fault)
            .help("patterns are POSIX extended regular expressions, as of grep -E");
        return false;
      }
      return push_each(operand, [&](ExprId of) {
        const ExprId made =
            tree_.call(ExprKind::matchinst, frame.pattern, span(frame.token + 1), of);
        tree_.at(made).negated = sign.op == pmie::PmieOp::nomatch_inst;
        tree_.at(made).span = join(where, tree_.at(made).span);
        return made;
      });
    }
    default: return misplaced(where, "the strict dialect has no such operator");
  }
}

bool StatementReader::finish_samples(const Frame& frame, const Value& operand) {
  const pmie::ScannedToken& sign = at(frame.token);
  const Span where = span(frame.token);
  if (operand.samples.empty()) {
    return misplaced(operand.span, "`_sample` needs a range of samples, as in @0..2");
  }
  const Expr& inner = tree_.at(operand.expr);
  if (sign.kind == RuleToken::COUNT && inner.kind == ExprKind::binary && !inner.parenthesised) {
    diags_.add(DiagCode::D_CountOperand, where)
        .label(operand.span, "pmie counts this, whatever follows it")
        .help("write count_sample (…)");
    return false;
  }
  const Span begin = sign_of(frame);
  ExprId made;
  if (sign.kind == RuleToken::PERCENT) {
    const auto percent = percent_of(frame);
    if (!percent) return false;
    made = share_of_samples(tree_, *percent, operand.samples, where);
  } else {
    made = over_samples(tree_, sign.op, operand.samples, where);
  }
  tree_.at(made).span = join(begin, operand.span);
  return push_expr(made) && on_hosts(operand.hosts);
}

Span StatementReader::sign_of(const Frame& frame) const {
  const Span sign = span(frame.token);
  return at(frame.token).kind == RuleToken::PERCENT ? join(span(frame.token - 1), sign) : sign;
}

// The number before `%_`. None: a diagnostic was added.
std::optional<std::string> StatementReader::percent_of(const Frame& frame) {
  const pmie::ScannedToken& share = at(frame.token - 1);
  const Span both = sign_of(frame);
  if (!(share.number <= 100)) return diags_.add(DiagCode::D_PercentRange, both), std::nullopt;
  if (is_whole(share.text)) return share.text;
  not_yet(both, "a percentage with a fraction");
  return std::nullopt;
}

}  // namespace pmjit::strict
