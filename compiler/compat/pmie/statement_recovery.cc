// What pmie says of a token that does not fit, and of what it reads next until the statement is
// over: its parser goes on with operators whose operands are missing, so that one mistake may have
// several messages. Source: spec rules-language.md §3, §24.
#include <algorithm>
#include <iterator>
#include <utility>

#include "compiler/compat/pmie/statement_reader.h"

namespace pmjit::pmie {
namespace {

// Not of the list of tokens: the end of the statement, the dimension behind an operator.
constexpr uint32_t kNoToken = UINT32_MAX, kDimension = UINT32_MAX - 1;
bool is_token(uint32_t token) { return token < kDimension; }

// Spec §3, the table of precedence.
int precedence(const ScannedToken& token, bool is_sign) {
  switch (token.kind) {
    case RuleToken::ARROW: return 1;
    case RuleToken::BOTH:
    case RuleToken::EITHER:
    case RuleToken::IN_TURN:
    case RuleToken::UNTIL_TRUE: return 2;
    case RuleToken::RELATION:
    case RuleToken::COUNTED_RELATION: return 6;
    case RuleToken::PLUS: return 7;
    case RuleToken::MINUS: return is_sign ? 9 : 7;
    case RuleToken::TIMES:
    case RuleToken::DIVIDED: return 8;
    case RuleToken::RATE:
    case RuleToken::INSTANT: return 9;
    case RuleToken::AGGREGATE:
    case RuleToken::COUNT: return 10;
    default: return 3;  // before a truth
  }
}

// What the operator makes that a frame is open for.
Types made_by(const ScannedToken& token, bool is_sign) {
  switch (token.kind) {
    case RuleToken::VERB: return type::action;
    case RuleToken::COLON:
    case RuleToken::HASH:
    case RuleToken::AT:
    case RuleToken::RATE:
    case RuleToken::INSTANT:
    case RuleToken::AGGREGATE:
    case RuleToken::COUNT: return type::number;
    case RuleToken::MINUS: return type::number;
    default: break;
  }
  const Signature* signature = is_sign ? nullptr : signature_of(token);
  return signature != nullptr ? signature->value : Types{type::truth};
}

}  // namespace

// Must pmie's parser see the next token before it says that an operand is missing? So where one of
// the operators that could miss its own left side binds tighter.
bool PmieStatementReader::decides_late(const Frame& open) const {
  if (open.place != Where::operand) return false;
  switch (at(open.token).kind) {
    case RuleToken::TIMES:
    case RuleToken::DIVIDED:
    case RuleToken::AGGREGATE:
    case RuleToken::IN_TURN:
    case RuleToken::UNTIL_TRUE: return false;
    case RuleToken::MINUS: return !open.is_sign;
    default: return true;
  }
}

void PmieStatementReader::recover(uint32_t offending) {
  next_ = offending;
  read_ahead();
  // A number before `%_` where no truth can stand: pmie sees so at the `%_`.
  if (at(offending).kind == RuleToken::SHARE && operand_next() &&
      (may_begin(frame().wanted) & type::number) != 0) {
    push_value(type::number, world_.nodes.number(at(offending).number, Units{}));
    next_ = ++offending;
    read_ahead();
  }
  reduce_complete();
  // What has a value of truth is complete before the token; numbers and texts could be compared.
  if (frames_.size() == 1 && values_.size() == 1 &&
      (values_.back().type & (type::number | type::text)) == 0)
    complete(offending);
  world_.complain(at(offending).after, "");
  world_.tell(at(offending).span, "");
  has_error = true;
  report(offending);
}

// Whatever does not fit, operators that have their operands are done before.
void PmieStatementReader::reduce_complete() {
  const RuleToken last = next_ > 0 ? at(next_ - 1).kind : RuleToken::END;
  if (last == RuleToken::OTHERWISE) reopen_unknown();
  if (last == RuleToken::UNKNOWN || last == RuleToken::OTHERWISE) return;  // their `->` is missing
  for (;;) {
    const Frame& open = frame();
    if (!has_operand()) return;
    if (open.place == Where::operand)
      finish_operator();
    else if (open.place == Where::rules || open.place == Where::clause)
      (void)finish_ruleset();
    else
      return;
  }
}

// pmie then goes back to where something could be missing before an operator: the action of the
// clause before, if there is one.
void PmieStatementReader::reopen_unknown() {
  uint32_t unknown = next_ - 1;
  while (unknown > 0 && at(unknown).kind != RuleToken::UNKNOWN) --unknown;
  if (at(unknown).kind != RuleToken::UNKNOWN || frame().place != Where::rules) return;
  values_.pop_back();
  push_value(type::truth, kNone);
  open(Where::clause, unknown + 1, type::action);
}

// What waits for an operand without a message of its own passes tokens over until an operator comes
// that misses its left side.
void PmieStatementReader::report(uint32_t offending) {
  const Frame open = frame();
  values_.resize(open.values);
  for (uint32_t token = offending;; ++token) {
    world_.scanner.resume(at(token).after);
    end_taken_ = at(token).kind == RuleToken::END;
    // The sign - binds what follows tighter than any operator that could miss its left side.
    const bool sign = open.is_sign && at(open.token).kind == RuleToken::MINUS;
    const std::string text = sign ? "" : missing_before(at(token), open.wanted);
    if (!text.empty()) {
      say(text, at(token).span);
      const Signature* signature = signature_of(at(token));
      push_value(signature != nullptr ? signature->value : Types{type::truth}, kNone);
      directly_behind_error_ = false;
      return go_on(at(token).dim != Dim::none ? kDimension : kNoToken);
    }
    if (!open.waits()) {
      give_up_operand();
      return go_on(end_taken_ ? kNoToken : token);
    }
    if (end_taken_) return;
    for (const ScanNote& note : at(token + 1).notes) {
      world_.messages.put(note.text);
      world_.tell(at(token + 1).span, note.text);
    }
  }
}

// With every message pmie discards the text up to the next `;`.
void PmieStatementReader::say(const std::string& text, Span about) {
  failed = true;
  world_.nodes.fail();
  world_.messages.put(text + "\n");
  world_.tell(about, text);
  world_.scanner.skip_statement();
}

// The innermost operator has no operand: that is said, and it is taken for complete.
void PmieStatementReader::give_up_operand() {
  const Frame open = frame();
  const ScannedToken& token = at(open.token);
  say(missing_behind(token, open.is_sign), token.span);
  directly_behind_error_ = true;
  given_up_ = token.kind;
  frames_.pop_back();
  values_.resize(open.values);
  const bool infix = open.place == Where::operand && !open.is_sign;
  if (infix) values_.pop_back();  // its left operand
  push_value(open.place == Where::pattern ? Types{type::truth} : made_by(token, open.is_sign),
             kNone);
}

// An operand is there. `next`: the token behind it, or the end of the statement.
void PmieStatementReader::go_on(uint32_t next) {
  for (;;) {
    reduce_before(next);
    const bool shifted = is_token(next) && shift(next);
    const bool passed_over = next != kNoToken && !shifted;
    if (shifted) directly_behind_error_ = false;
    if (passed_over) end_recovery();
    // A word such as all_inst is two tokens to pmie: the second is passed over for itself.
    const bool half = is_token(next) && at(next).dim != Dim::none;
    const bool still_there = passed_over && (half || !directly_behind_error_);
    next = still_there ? kDimension : kNoToken;
    if (!passed_over || (!still_there && decides_late(frame()))) take_end();
    if (shifted && !operand_next()) continue;
    if (frame().waits()) {
      take_end();
      return end_recovery();
    }
    if (directly_behind_error_ && !passed_over) return;
    give_up_operand();
  }
}

void PmieStatementReader::take_end() {
  if (!std::exchange(end_taken_, true)) world_.scanner.end_statement();
}

// What has been made up to be whole can still take a name, or find it taken.
void PmieStatementReader::end_recovery() {
  reduce_complete();
  if (frames_.size() > 1 || values_.size() != 1 || values_.back().node == kNone) return;
  const Value& whole = values_.back();
  // A ruleset of no rule is nothing.
  if (whole.type == type::ruleset && world_.nodes.at(whole.node).op != PmieOp::ruleset) return;
  world_.complete(values_.back().node, reached());
  values_.back().node = kNone;  // once
}

void PmieStatementReader::reduce_before(uint32_t next) {
  const Signature* sign = is_token(next) ? signature_of(at(next)) : nullptr;
  for (;;) {
    const Frame& open = frame();
    if (open.place != Where::operand || !has_operand()) return;
    const bool fits = sign != nullptr && (values_.back().type & sign->left) != 0;
    if (fits && precedence(at(open.token), open.is_sign) < precedence(at(next), false)) return;
    if (next == kNoToken && decides_late(open)) take_end();
    finish_operator();
  }
}

bool PmieStatementReader::shift(uint32_t sign) {
  if (at(sign).kind == RuleToken::CLOSE) return take_close();
  // A fetch goes on: hosts, then instances, then samples.
  static constexpr RuleToken kQualifiers[] = {RuleToken::COLON, RuleToken::HASH, RuleToken::AT};
  const auto* given_up = std::ranges::find(kQualifiers, given_up_);
  const auto* next = std::ranges::find(kQualifiers, at(sign).kind);
  if (given_up != std::end(kQualifiers) && next != std::end(kQualifiers) && next >= given_up &&
      given_up_ != RuleToken::AT) {
    values_.pop_back();
    open(Where::qualifier, sign, type::none);
    return true;
  }
  const Signature* signature = signature_of(at(sign));
  if (signature == nullptr || (values_.back().type & signature->left) == 0 ||
      (signature->value & may_begin(frame().wanted)) == 0)
    return false;
  open(Where::operand, sign, signature->right);
  return true;
}

}  // namespace pmjit::pmie
