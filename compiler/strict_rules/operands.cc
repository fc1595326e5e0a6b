// Operands: metrics with instances and samples, numbers with units, macros, texts.
#include <algorithm>
#include <cmath>
#include <utility>

#include "compiler/ast/substitute.h"
#include "compiler/compat/pmie/words.h"
#include "compiler/strict_rules/statement_reader.h"

namespace pmjit::strict {

bool StatementReader::take(uint32_t token) {
  if (const auto of_alert = take_in_alert(token)) return *of_alert;
  const pmie::ScannedToken& taken = at(token);
  switch (taken.kind) {
    case RuleToken::END:
    case RuleToken::BECOMES:
    case RuleToken::ELSE: return true;
    case RuleToken::TARGET:
      name_ = taken.text;
      name_span_ = span(token);
      return true;
    case RuleToken::UNKNOWN:
    case RuleToken::OTHERWISE:
      marks_.push_back({values_.size(), taken.kind == RuleToken::UNKNOWN
                                            ? Clause::When::unknown
                                            : Clause::When::otherwise});
      return true;
    case RuleToken::ARROW:
      if (before(token) != RuleToken::UNKNOWN && before(token) != RuleToken::OTHERWISE) push(token);
      return true;
    case RuleToken::AT:
      sampled_ = true;
      ranged_ = false;
      return true;
    case RuleToken::RANGE: ranged_ = true; return true;
    case RuleToken::COLON:
    case RuleToken::HASH: return true;
    case RuleToken::UNIT:
    case RuleToken::UNIT_SLASH:
    case RuleToken::CARET: return take_unit(token);
    case RuleToken::CLOSE: return take_close(token);
    default: break;
  }
  return take_operand(token);
}

bool StatementReader::take_operand(uint32_t token) {
  const pmie::ScannedToken& taken = at(token);
  switch (taken.kind) {
    case RuleToken::NAME:
      if (before(token) == RuleToken::HASH) {
        return take_instance(token);
      }
      if (before(token) == RuleToken::COLON) return take_host(token);
      hosts_.clear();
      return push_expr(tree_.leaf(ExprKind::name, taken.text, span(token)));
    case RuleToken::NUMBER:
      if (before(token) == RuleToken::AT || before(token) == RuleToken::RANGE)
        return take_sample(token);
      return take_number(token);
    case RuleToken::SHARE: return take_number(token);
    case RuleToken::TRUTH:
    case RuleToken::COUNTED_TRUTH: {
      const ExprId left = tree_.leaf(ExprKind::integer, "1", span(token));
      const ExprId right =
          tree_.leaf(ExprKind::integer, taken.number != 0 ? "1" : "0", span(token));
      return push_expr(tree_.binary(Operator::eq, span(token), left, right));
    }
    case RuleToken::MACRO: return take_macro(token);
    case RuleToken::TEXT:
    case RuleToken::COUNTED_TEXT:
      if (!frames_.empty() && at(frames_.back().token).kind == RuleToken::VERB) {
        texts_.push_back(taken.text);
      } else if (before(token) == RuleToken::MATCH) {
        frames_.back().pattern = taken.text;
      } else {
        values_.push_back({.kind = Kind::text, .span = span(token), .text = taken.text});
      }
      return true;
    case RuleToken::VERB:
      texts_.clear();
      hold_off_ = 0;
      push(token);
      return true;
    default: push(token); return true;
  }
}

// `x :'web2'` is of that host alone, whichever it is read for; of several hosts it is of each of
// them, and what reduces them is told their names.
bool StatementReader::take_host(uint32_t token) {
  const std::string& host = at(token).text;
  if (std::ranges::find(hosts_, host) != hosts_.end()) {
    diags_.add(DiagCode::D_GivenTwice, span(token), host);
    return false;
  }
  Value& value = values_.back();
  Expr& name = tree_.at(value.expr);
  if (hosts_.size() == 1) name.text.erase(0, hosts_.front().size() + 1);
  hosts_.push_back(host);
  if (hosts_.size() == 1) name.text = host + ":" + name.text;
  name.span = join(name.span, span(token));
  value.span = name.span;
  if (hosts_.size() > 1) value.hosts = hosts_;
  return true;
}

// `x #'a'` is one value, `x #'a' #'b'` still a set.
bool StatementReader::take_instance(uint32_t token) {
  const std::string& name = at(token).text;
  const Value of = pop_value();
  if (tree_.at(of.expr).kind != ExprKind::instance) {
    return push_expr(tree_.call(ExprKind::instance, name, span(token), of.expr)) &&
           on_hosts(of.hosts);
  }
  tree_.add_spec(of.expr, Spec{.tag = "instance",
                               .value = name,
                               .quoted = true,
                               .tag_span = span(token),
                               .value_span = span(token)});
  tree_.at(of.expr).span = join(of.span, span(token));
  return push_expr(of.expr) && on_hosts(of.hosts);
}

bool StatementReader::take_sample(uint32_t token) {
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
bool StatementReader::finish_fetch() {
  if (!std::exchange(sampled_, false)) return true;
  const Value of = pop_value();
  std::vector<ExprId> samples = earlier(tree_, of.expr, range_, join(of.span, range_end_));
  const bool pushed =
      ranged_ ? push_samples(std::move(samples), range_) : push_expr(samples.front());
  return pushed && on_hosts(of.hosts);
}

bool StatementReader::take_number(uint32_t token) {
  if (before(token) == RuleToken::CARET) return take_unit(token);
  number_ = token;
  number_span_ = span(token);
  units_ = {};
  has_units_ = false;
  return true;
}

bool StatementReader::take_unit(uint32_t token) {
  const pmie::ScannedToken& taken = at(token);
  number_span_ = join(number_span_, span(token));
  if (taken.kind == RuleToken::UNIT_SLASH || taken.kind == RuleToken::CARET) return true;
  const bool power = taken.kind != RuleToken::UNIT;
  const uint32_t unit = power ? token - 2 : token;
  const bool below = before(unit) == RuleToken::UNIT_SLASH;
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

bool StatementReader::take_close(uint32_t token) {
  const Frame frame = pop_frame();
  Value& value = values_.back();
  value.grouped = true;
  value.span = join(span(frame.token), span(token));
  if (value.kind == Kind::expression) {
    Expr& expr = tree_.at(value.expr);
    expr.parenthesised = true;
    expr.span = value.span;
  }
  return true;
}

bool StatementReader::take_macro(uint32_t token) {
  const StrictMacro* const macro = words_.macros[token];
  if (macro == nullptr) return false;  // it was said
  const ExprId copied = tree_.copy(*macro->number, macro->number->root, span(token));
  tree_.at(copied).parenthesised = true;
  return push_expr(copied);
}

bool StatementReader::finish_number() {
  const pmie::ScannedToken& number = at(number_);
  if (!frames_.empty() && at(frames_.back().token).kind == RuleToken::VERB) {
    const bool is_time = units_.dim_time == 1 && units_.dim_space == 0 && units_.dim_count == 0;
    if (has_units_ && !is_time) return misplaced(number_span_, "a hold-off is a time");
    hold_off_ = number.number * (has_units_ ? pmie::canonical_factor(units_) : 1);
    return true;
  }
  if (opens_setting()) {
    const bool is_time = units_.dim_time == 1 && units_.dim_space == 0 && units_.dim_count == 0;
    if (is_time) return finish_setting(number.number * pmie::canonical_factor(units_));
    Diag& diag = diags_.add(DiagCode::P_Syntax, number_span_, "a time has a unit, as in 10 min");
    // `for 300` is five minutes to those who count in seconds.
    constexpr double kMinutesMost = 60;
    const std::string_view unit = number.number > kMinutesMost ? "sec" : "min";
    if (!has_units_) diag.help(fmt::format("did you mean {} {}?", number.text, unit));
    return false;
  }
  ExprId id = tree_.number(number.text, span(number_));
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

}  // namespace pmjit::strict
