#include "compiler/compat/pmie/statement_reader.h"

#include <fmt/format.h>

#include <utility>

#include "compiler/ast/words.h"
#include "compiler/compat/pmie/words.h"
#include "runtime/base/limits.h"

namespace pmjit::pmie {

using parse::ParseStep;

Result<void> PmieStatementReader::read() {
  std::vector<RuleToken> kinds;
  for (const ScannedToken& token : tokens_) kinds.push_back(token.kind);
  open(Where::start, 0, type::any);
  read_ahead();
  if (parse::rule_nesting(kinds) > limits::kRuleNestingMax) {
    next_ = ahead_ = static_cast<uint32_t>(tokens_.size());
    complain(fmt::format("more than {} levels of parentheses and signs; write several rules",
                         limits::kRuleNestingMax));
    return {};
  }
  const parse::RuleSteps steps = parse::parse_rule(kinds);
  for (const ParseStep& step : steps.steps) {
    const bool takes = step.kind == ParseStep::Kind::take;
    if (takes || needs_ahead(step.kind)) read_ahead();
    const bool fits = takes ? take(step.token) : finish(step.kind);
    if (end_of_program_) return fail(*end_of_program_);
    if (!fits) {
      recover(next_);
      return {};
    }
    if (takes) ++next_;
  }
  if (steps.offending)
    recover(*steps.offending);
  else if (!values_.empty())
    complete(ahead_ - 1);
  return {};
}

// The expression is there, whatever may still be said of what is behind it. pmie sees so before the
// next token only where nothing could continue it.
void PmieStatementReader::complete(uint32_t behind) {
  const Value& value = values_.back();
  if (value.node == kNone) return;
  const bool at_close = value.type == type::rule && value.grouped;
  world_.complete(value.node, at(at_close ? behind - 1 : behind).after);
}

void PmieStatementReader::read_ahead() {
  if (ahead_ != next_ || ahead_ >= tokens_.size()) return;
  reduce_unseen();
  put_notes(ahead_++);
}

// What is complete whatever follows, pmie's parser completes before it reads that.
void PmieStatementReader::reduce_unseen() {
  while (frame().place == Where::operand && has_operand()) {
    const auto kind = frame().is_sign ? ParseStep::Kind::prefix : ParseStep::Kind::binary;
    if (needs_ahead(kind)) return;
    finish_operator();
  }
}

// Does pmie's parser look at the next token before this is complete? What it says then has the
// place behind that token.
bool PmieStatementReader::needs_ahead(ParseStep::Kind kind) const {
  if (kind == ParseStep::Kind::prefix) return false;
  if (kind == ParseStep::Kind::fetch) return next_ < 2 || at(next_ - 2).kind != RuleToken::RANGE;
  if (kind != ParseStep::Kind::binary) return true;
  const ScannedToken& sign = at(frames_.back().token);
  switch (sign.kind) {
    case RuleToken::TIMES:
    case RuleToken::DIVIDED:
    case RuleToken::BOTH:
    case RuleToken::EITHER: return false;
    case RuleToken::RELATION:
    case RuleToken::COUNTED_RELATION: return values_.back().type != type::text;
    default: return true;
  }
}

void PmieStatementReader::put_notes(uint32_t token) {
  for (const ScanNote& note : at(token).notes) {
    world_.messages.put(note.text);
    world_.tell(at(token).span, note.text);
    if (!note.counts) continue;
    failed = true;
    world_.nodes.fail();
  }
}

void PmieStatementReader::complain(const std::string& text) {
  failed = true;
  world_.nodes.fail();
  world_.complain(reached(), text);
  world_.tell(making_ == Span{} ? at(ahead_ - 1).span : making_, text);
}

void PmieStatementReader::open(Where place, uint32_t token, Types wanted, bool is_sign) {
  frames_.push_back({place, token, wanted, values_.size(), is_sign});
}

PmieStatementReader::Value PmieStatementReader::pop_value() {
  const Value value = values_.back();
  values_.pop_back();
  return value;
}

bool PmieStatementReader::take(uint32_t token) {
  switch (at(token).kind) {
    case RuleToken::END:
      return frames_.size() == 1 && (values_.size() == 1 || (values_.empty() && token == 0));
    case RuleToken::TARGET: name = at(token).text; return true;
    case RuleToken::BECOMES: return true;
    case RuleToken::CLOSE: return take_close();
    case RuleToken::ELSE:
    case RuleToken::UNKNOWN:
    case RuleToken::OTHERWISE: return take_clause(token);
    case RuleToken::COLON:
    case RuleToken::HASH:
    case RuleToken::AT:
    case RuleToken::RANGE:
    case RuleToken::CARET:
    case RuleToken::UNIT:
    case RuleToken::UNIT_SLASH:
    case RuleToken::PERCENT: return take_part(token);
    default: break;
  }
  if (frame().place == Where::verb) return take_in_verb(at(token));
  if (frame().place == Where::qualifier || frame().place == Where::pattern ||
      (token > 0 && at(token - 1).kind == RuleToken::CARET))
    return take_part(token);
  if (token > 0 &&
      (at(token - 1).kind == RuleToken::UNKNOWN || at(token - 1).kind == RuleToken::OTHERWISE))
    return take_clause_arrow(token);
  if (operand_next()) return take_operand(token);
  const Signature* signature = signature_of(at(token));
  return signature != nullptr && take_operator(token, *signature);
}

bool PmieStatementReader::take_operand(uint32_t token) {
  const ScannedToken& taken = at(token);
  const Types wanted = frame().wanted;
  const Types begun = begun_by(taken.kind);
  if (taken.kind == RuleToken::OPEN || taken.kind == RuleToken::COUNTED_OPEN) {
    if (inside_parentheses(wanted) == 0) return false;
    open(Where::group, token, inside_parentheses(wanted));
    return true;
  }
  if ((begun & may_begin(wanted)) == 0) return false;
  switch (taken.kind) {
    case RuleToken::NAME:
      fetch_ = {.name = taken.text, .span = taken.span};
      name_span_ = taken.span;
      break;
    case RuleToken::SHARE:
    case RuleToken::NUMBER: begin_number(taken); break;
    case RuleToken::MACRO:
      if (taken.macro.sem == Sem::variable)
        push_leaf(type::number, world_.nodes.variable(taken.macro.variable), taken.span);
      else if (taken.macro.sem == Sem::truth)
        push_leaf(type::number, world_.nodes.truth(taken.macro.number), taken.span);
      else
        push_leaf(type::number, world_.nodes.number(taken.macro.number, Units{}, taken.macro.units),
                  taken.span);
      break;
    case RuleToken::TEXT:
    case RuleToken::COUNTED_TEXT:
      push_leaf(type::text, world_.nodes.text(taken.text), taken.span);
      break;
    case RuleToken::TRUTH:
    case RuleToken::COUNTED_TRUTH:
      push_leaf(type::truth, world_.nodes.truth(taken.number), taken.span);
      break;
    case RuleToken::VERB:
      verb_ = {.op = taken.op, .line = taken.line};
      verb_span_ = taken.span;
      open(Where::verb, token, type::none);
      break;
    case RuleToken::MATCH: open(Where::pattern, token, type::none); break;
    case RuleToken::RULESET: open(Where::rules, token, type::rule); break;
    default:
      open(Where::operand, token,
           taken.kind == RuleToken::MINUS || taken.kind == RuleToken::RATE ||
                   taken.kind == RuleToken::INSTANT || taken.kind == RuleToken::AGGREGATE
               ? type::number
               : type::truth,
           true);
  }
  return true;
}

bool PmieStatementReader::take_operator(uint32_t token, const Signature& signature) {
  const Value& left = values_.back();
  if ((left.type & signature.left) == 0) return false;
  if ((signature.value & may_begin(frame().wanted)) == 0) return false;
  open(Where::operand, token, signature.right);
  return true;
}

bool PmieStatementReader::take_close() {
  if (operand_next() || frame().place != Where::group) return false;
  Value& value = values_.back();
  if (value.type == type::text) return false;
  value.span = join(at(frame().token).span, at(next_).span);
  value.grouped = true;
  world_.nodes.set_grouped(value.node, value.span);
  frames_.pop_back();
  return true;
}

bool PmieStatementReader::take_in_verb(const ScannedToken& token) {
  verb_span_ = join(verb_span_, token.span);
  if (token.kind == RuleToken::NUMBER) {
    begin_number(token);
    return true;
  }
  verb_.arguments.push_back(token.text);
  return true;
}

bool PmieStatementReader::take_part(uint32_t token) {
  const ScannedToken& part = at(token);
  switch (part.kind) {
    case RuleToken::COLON:
    case RuleToken::HASH:
    case RuleToken::AT: open(Where::qualifier, token, type::none); return true;
    case RuleToken::RANGE:
    case RuleToken::CARET: return true;
    case RuleToken::NAME:
      (at(token - 1).kind == RuleToken::COLON ? fetch_.hosts : fetch_.instances)
          .push_back(part.text);
      fetch_.span = join(fetch_.span, part.span);
      frames_.pop_back();
      return true;
    case RuleToken::NUMBER:
      if (at(token - 1).kind == RuleToken::CARET) {
        add_unit(units_, unit_, static_cast<int>(unit_slash_ ? -part.number : part.number));
        number_span_ = join(number_span_, part.span);
      } else {
        fetch_.samples.push_back(part.number);
        fetch_.span = join(fetch_.span, part.span);
      }
      return true;
    case RuleToken::UNIT_SLASH: return true;
    case RuleToken::UNIT:
      unit_ = part.text;
      number_span_ = join(number_span_, part.span);
      unit_slash_ = at(token - 1).kind == RuleToken::UNIT_SLASH;
      add_unit(units_, unit_, unit_slash_ ? -1 : 1);
      return true;
    case RuleToken::TEXT:  // of match_inst: the pattern
      frames_.pop_back();
      open(Where::operand, token, type::truth, true);
      return true;
    case RuleToken::PERCENT:
      if ((may_begin(frame().wanted) & type::truth) == 0) return false;
      open(Where::operand, token, type::truth, true);
      return true;
    default: return false;
  }
}

bool PmieStatementReader::finish(ParseStep::Kind kind) {
  switch (kind) {
    case ParseStep::Kind::fetch: return finish_fetch();
    case ParseStep::Kind::number: finish_number(); return true;
    case ParseStep::Kind::action: finish_action(); return true;
    case ParseStep::Kind::binary: return finish_binary();
    case ParseStep::Kind::prefix: return finish_prefix();
    case ParseStep::Kind::ruleset: return finish_ruleset();
    case ParseStep::Kind::alert:  // pmie has none
    case ParseStep::Kind::take: break;
  }
  return false;
}

bool PmieStatementReader::finish_fetch() {
  if (frame().place == Where::qualifier) frames_.pop_back();  // @
  uint32_t node = kNone;
  if (!world_.nodes.failed()) {
    auto fetched = world_.fetch(fetch_);
    if (!fetched) {
      end_of_program_ = fetched.error();
      return false;
    }
    if (*fetched) {
      node = **fetched;
    } else {
      failed = true;
      world_.nodes.fail();
    }
  }
  push_value(type::number, node, {fetch_.span, name_span_});
  return true;
}

void PmieStatementReader::begin_number(const ScannedToken& token) {
  number_ = token.number;
  number_span_ = token.span;
  units_ = {};
}

void PmieStatementReader::finish_number() {
  number_ *= canonical_factor(units_);
  if (frame().place == Where::verb) {
    verb_.number = number_;
    verb_.has_hold_off = true;
  } else {
    push_leaf(type::number, world_.nodes.number(number_, units_), number_span_);
  }
}

void PmieStatementReader::finish_operator() {
  (void)(frame().is_sign ? finish_prefix() : finish_binary());
}

bool PmieStatementReader::finish_binary() {
  const Frame opened = frame();
  const Signature& signature = *signature_of(at(opened.token));
  if (!has_operand()) return false;
  frames_.pop_back();
  const Value right_value = pop_value(), left_value = pop_value();
  const uint32_t right = right_value.node, left = left_value.node;
  const ScannedToken& sign = at(opened.token);
  making_ = sign.span;
  uint32_t made = kNone;
  if (sign.kind == RuleToken::ARROW) {
    ++rules;
    made = world_.nodes.rule(left, right, sign.line);
  } else if (sign.kind == RuleToken::IN_TURN || sign.kind == RuleToken::UNTIL_TRUE) {
    made = world_.nodes.join(sign.op, left, right);
  } else {
    made = world_.nodes.binary(sign.op, left, right);
  }
  making_ = {};
  push_value(signature.value, made, {join(left_value.span, right_value.span), sign.span});
  return true;
}

bool PmieStatementReader::finish_prefix() {
  const Frame opened = frame();
  if (!has_operand()) return false;
  frames_.pop_back();
  const ScannedToken& sign = at(opened.token);
  const Value value = pop_value();
  const uint32_t operand = value.node;
  Nodes& nodes = world_.nodes;
  const bool two_tokens = sign.kind == RuleToken::TEXT || sign.kind == RuleToken::PERCENT;
  making_ = two_tokens ? join(at(opened.token - 1).span, sign.span) : sign.span;
  const SourcePlace place{join(making_, value.span), making_};
  if (sign.kind == RuleToken::TEXT) {
    const PmieOp op = at(opened.token - 1).op;
    const bool legal = operand == kNone || pattern_error(sign.text).empty();
    if (!legal) {
      const std::string text = fmt::format("illegal regular expression \"{}\"\n", sign.text);
      world_.messages.put(text);
      world_.tell(sign.span, text);
      dropped = true;
    }
    push_value(type::truth, legal ? nodes.match(op, sign.text, operand) : kNone, place);
  } else if (sign.kind == RuleToken::PERCENT) {
    const double share = at(opened.token - 1).number;
    push_value(type::truth, nodes.percent(sign.dim, share, operand), place);
  } else {
    const bool number = opened.wanted == type::number || sign.kind == RuleToken::COUNT;
    const PmieOp op = sign.kind == RuleToken::MINUS ? PmieOp::negate : sign.op;
    push_value(number ? type::number : type::truth, nodes.prefix(op, sign.dim, operand), place);
  }
  making_ = {};
  return true;
}

void PmieStatementReader::finish_action() {
  const uint32_t verb_token = frame().token;
  frames_.pop_back();
  if (verb_.op == PmieOp::syslog) read_syslog_options(verb_, world_.warn);
  has_stomp = has_stomp || verb_.op == PmieOp::stomp;
  const Span sign = at(verb_token).span;
  push_value(type::action, world_.nodes.action(std::exchange(verb_, {})), {verb_span_, sign});
}

// `else`, `unknown` and `otherwise` end the alternative or the clause before them.
bool PmieStatementReader::take_clause(uint32_t token) {
  if (at(token).kind != RuleToken::ELSE) return close_part();
  if (!has_operand()) return false;
  open(Where::rules, token, type::rule);
  return true;
}

// The `->` of a clause, whose condition is the constant true.
bool PmieStatementReader::take_clause_arrow(uint32_t token) {
  push_leaf(type::truth, world_.nodes.truth(1), at(token - 1).span);
  open(Where::clause, token, type::action);
  return true;
}

bool PmieStatementReader::close_part() {
  if (!has_operand()) return false;
  if (frame().place == Where::clause) {
    const uint32_t arrow = frame().token;
    frames_.pop_back();
    const Value action = pop_value(), condition = pop_value();
    ++rules;
    push_value(type::rule, world_.nodes.join(at(arrow - 1).op, condition.node, action.node),
               {join(condition.span, action.span), at(arrow - 1).span});
  }
  while (frame().place == Where::rules && at(frame().token).kind == RuleToken::ELSE) {
    const Span sign = at(frame().token).span;
    frames_.pop_back();
    const Value right = pop_value(), left = pop_value();
    push_value(type::rule, world_.nodes.join(PmieOp::alternatives, left.node, right.node),
               {join(left.span, right.span), sign});
  }
  return true;
}

bool PmieStatementReader::finish_ruleset() {
  if (!close_part()) return false;
  const size_t first = frame().values;
  const Span sign = at(frame().token).span;
  frames_.pop_back();
  const Span span = join(sign, values_.back().span);
  uint32_t clauses = kNone;
  if (values_.size() - first > 1) clauses = pop_value().node;
  if (values_.size() - first > 1)
    clauses = world_.nodes.join(PmieOp::others, pop_value().node, clauses);
  push_value(type::ruleset, world_.nodes.join(PmieOp::ruleset, pop_value().node, clauses),
             {span, sign});
  return true;
}

}  // namespace pmjit::pmie
