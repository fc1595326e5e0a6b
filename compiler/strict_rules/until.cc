// Where `until` of an alert holds together with its condition. Both are brought into alternatives
// that are joined by `||`, each a list of ranges joined by `&&`: load in (5, inf). They hold
// together if an alternative of each can be true of the same values.
//
// The check reports only what is certain without metadata. It knows an operand by its text. A part
// that compares nothing may be true or false.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "compiler/ast/operators.h"
#include "compiler/compat/pmie/words.h"
#include "compiler/strict_rules/rule_file.h"
#include "compiler/strict_rules/samples.h"
#include "compiler/strict_rules/tree.h"
#include "runtime/text/parse_units.h"

namespace pmjit::strict {

namespace {

constexpr size_t kAlternativesMax = 64;  // of a condition; the check skips larger ones

struct RangeEnd {
  double at = 0;
  bool included = false;
  std::string text{};  // as the user wrote it; empty: there is no bound
};

// The values that something may have.
struct UntilRange {
  RangeEnd low{.at = -std::numeric_limits<double>::infinity()};
  RangeEnd high{.at = std::numeric_limits<double>::infinity()};
  std::string what{};  // as the user wrote it; empty: it is no number

  void meet(const UntilRange& other) {
    const auto is_tighter = [](const RangeEnd& bound, double by) {
      return by > 0 || (by == 0 && !bound.included);
    };
    if (is_tighter(other.low, other.low.at - low.at)) low = other.low;
    if (is_tighter(other.high, high.at - other.high.at)) high = other.high;
  }
  [[nodiscard]] bool is_empty() const {
    return low.at > high.at || (low.at == high.at && !(low.included && high.included));
  }
  [[nodiscard]] std::string words() const {
    if (low.text.empty() && high.text.empty()) return fmt::format("{} is any number", what);
    if (low.at == high.at) return fmt::format("{} is {}", what, low.text);
    const std::string above = fmt::format("{} {}", low.included ? "at least" : "above", low.text);
    const std::string below = fmt::format("{} {}", high.included ? "at most" : "below", high.text);
    if (high.text.empty()) return fmt::format("{} is {}", what, above);
    if (low.text.empty()) return fmt::format("{} is {}", what, below);
    return fmt::format("{} is {} and {}", what, above, below);
  }
};

// A condition within an Ast, or what it denies.
struct UntilPart {
  const Ast* ast = nullptr;
  ExprId id{};
  bool denied = false;
};

// What holds together. `some`: of one instance; `all`: of each.
struct Alternative {
  std::map<std::string, UntilRange, std::less<>> ranges{};
  std::vector<UntilPart> some{}, all{};

  // False: they contradict one another.
  bool join(const Alternative& other) {
    std::ranges::copy(other.some, std::back_inserter(some));
    std::ranges::copy(other.all, std::back_inserter(all));
    for (const auto& [key, range] : other.ranges) {
      UntilRange& mine = ranges.try_emplace(key, range).first->second;
      mine.meet(range);
      if (mine.is_empty()) return false;
    }
    return true;
  }
};
using Alternatives = std::vector<Alternative>;

double scale_of(const Ast& ast, const Expr& constant) {
  const auto parsed = parse_units(ast.specs_of(constant)[0].value, ExtraUnits::known);
  return parsed ? pmie::canonical_factor(parsed->units) : 1;
}

// Of a constant, in canonical units; none: it is something else.
std::optional<double> number_of(const Ast& ast, ExprId id) {
  const Expr& expr = ast.exprs[id];
  const auto args = ast.args_of(expr);
  if (expr.kind == ExprKind::integer || expr.kind == ExprKind::real) return std::stod(expr.text);
  if (expr.kind == ExprKind::mkconst) {
    const auto number = number_of(ast, args[0]);
    return number ? std::optional(*number * scale_of(ast, expr)) : std::nullopt;
  }
  if (expr.op == Operator::neg) {
    const auto number = number_of(ast, args[0]);
    return number ? std::optional(-*number) : std::nullopt;
  }
  if (expr.kind != ExprKind::binary) return std::nullopt;
  const auto left = number_of(ast, args[0]), right = number_of(ast, args[1]);
  if (!left || !right) return std::nullopt;
  switch (expr.op) {
    case Operator::add: return *left + *right;
    case Operator::sub: return *left - *right;
    case Operator::mul: return *left * *right;
    case Operator::div: return *left / *right;
    default: return std::nullopt;
  }
}

Operator mirrored(Operator op) {
  switch (op) {
    case Operator::lt: return Operator::gt;
    case Operator::le: return Operator::ge;
    case Operator::gt: return Operator::lt;
    case Operator::ge: return Operator::le;
    default: return op;
  }
}

Operator denied(Operator op) {
  switch (op) {
    case Operator::lt: return Operator::ge;
    case Operator::le: return Operator::gt;
    case Operator::gt: return Operator::le;
    case Operator::ge: return Operator::lt;
    case Operator::eq: return Operator::ne;
    case Operator::ne: return Operator::eq;
    default: return op;
  }
}

bool is_upward(Operator op) { return op == Operator::gt || op == Operator::ge; }
bool is_downward(Operator op) { return op == Operator::lt || op == Operator::le; }

// A comparison with a constant, which stands behind it: 5 < x is x > 5.
struct UntilComparison {
  std::string key{};
  Operator op = Operator::none;
  double number = 0;
  std::string what{}, number_text{};  // as the user wrote them; no `what`: a difference
};

class UntilLook {
 public:
  UntilLook(const Clause& condition, const Clause& until, std::string_view text)
      : condition_{.ast = &*condition.condition, .id = condition.condition->root},
        until_{.ast = &*until.condition, .id = until.condition->root},
        text_(text) {}

  void run(Diags& diags) {
    const auto together = meeting();
    if (!together) return;
    const Span condition = span_of(condition_), until = span_of(until_);
    std::vector<std::string> where;
    for (const auto& [key, range] : together->ranges) {
      if (!range.what.empty()) where.push_back(range.words());
    }
    Diag& diag =
        diags.add(DiagCode::R_UntilOverlaps, until,
                  where.empty() ? "" : fmt::format(", where {}", fmt::join(where, " and ")));
    const std::string meant = meant_until();
    if (!meant.empty()) diag.label(until, fmt::format("did you mean {}?", meant));
    diag.label(condition, "while this is true the alert goes on");
    if (const std::string never = never_ends(); !never.empty()) diag.help(never);
    diag.help("until is for values between two thresholds, as in: x > 5 until x < 3");
  }

 private:
  [[nodiscard]] static Span span_of(const UntilPart& part) { return part.ast->exprs[part.id].span; }
  [[nodiscard]] std::string text_of(const Ast& ast, ExprId id) const {
    const Span span = ast.exprs[id].span;
    return std::string(text_.substr(span.begin, span.end - span.begin));
  }

  // What both say can be true at once. None: nothing, or that is not known.
  std::optional<Alternative> meeting() {
    const auto held = alternatives(condition_);
    const std::set<std::string, std::less<>> of_condition = std::move(keys_);
    keys_.clear();
    const auto over = alternatives(until_);
    const bool share = std::ranges::any_of(
        keys_, [&](const std::string& key) { return of_condition.contains(key); });
    if (!held || !over || !share) return std::nullopt;
    for (const Alternative& one : *held) {
      for (const Alternative& other : *over) {
        Alternative both = one;
        if (both.join(other) && instances_agree(both)) return both;
      }
    }
    return std::nullopt;
  }

  // Each of `some` may be another instance; `all` holds of that one, too.
  bool instances_agree(const Alternative& of) {
    const auto agree = [&](const UntilPart* one) {
      Alternatives both(1);
      std::vector<UntilPart> parts = of.all;
      if (one != nullptr) parts.push_back(*one);
      for (const UntilPart& part : parts) {
        const auto next = alternatives(part);
        if (!next) return false;
        both = products(both, *next);
      }
      return std::ranges::any_of(both, [&](const Alternative& a) { return instances_agree(a); });
    };
    if (of.some.empty() && of.all.empty()) return true;
    if (of.some.empty()) return agree(nullptr);
    return std::ranges::all_of(of.some, [&](const UntilPart& part) { return agree(&part); });
  }

  static Alternatives products(const Alternatives& left, const Alternatives& right) {
    Alternatives out;
    for (const Alternative& one : left) {
      for (const Alternative& other : right) {
        Alternative both = one;
        if (both.join(other) && out.size() <= kAlternativesMax) out.push_back(std::move(both));
      }
    }
    return out;
  }

  // None: there are too many.
  std::optional<Alternatives> alternatives(const UntilPart& part) {
    const Expr& expr = part.ast->exprs[part.id];
    const auto args = part.ast->args_of(expr);
    const auto of = [&](size_t i, bool denies) {
      return UntilPart{.ast = part.ast, .id = args[i], .denied = part.denied != denies};
    };
    if (expr.op == Operator::not_) return alternatives(of(0, true));
    if (expr.op == Operator::and_ || expr.op == Operator::or_) {
      const bool each = (expr.op == Operator::and_) != part.denied;
      // Of some sample: that an older one is true is what is wanted.
      if (!each && is_over_samples(expr)) return opaque(part);
      const auto left = alternatives(of(0, false)), right = alternatives(of(1, false));
      if (!left || !right) return std::nullopt;
      Alternatives out = *left;
      if (each) out = products(*left, *right);
      if (!each) std::ranges::copy(*right, std::back_inserter(out));
      return out.size() > kAlternativesMax ? std::nullopt : std::optional(std::move(out));
    }
    const bool is_some = expr.kind == ExprKind::call && expr.text == "some";
    const bool is_all = expr.kind == ExprKind::call && expr.text == "all";
    if (is_some || is_all) {
      if (!alternatives(of(0, false))) return std::nullopt;  // and it has told of its keys
      Alternative out;
      (is_some != part.denied ? out.some : out.all).push_back(of(0, false));
      return Alternatives{std::move(out)};
    }
    return compared(part);
  }

  Alternatives compared(const UntilPart& part) {
    const auto comparison = comparison_of(part);
    if (!comparison) return opaque(part);
    keys_.insert(comparison->key);
    const Operator op = part.denied ? denied(comparison->op) : comparison->op;
    if (op == Operator::ne) {
      return {range_of(*comparison, Operator::lt), range_of(*comparison, Operator::gt)};
    }
    return {range_of(*comparison, op)};
  }

  static Alternative range_of(const UntilComparison& of, Operator op) {
    const bool included = op == Operator::le || op == Operator::ge || op == Operator::eq;
    const RangeEnd bound{.at = of.number, .included = included, .text = of.number_text};
    UntilRange range{.what = of.what};
    if (!is_downward(op)) range.low = bound;
    if (!is_upward(op)) range.high = bound;
    Alternative out;
    out.ranges.emplace(of.key, std::move(range));
    return out;
  }

  // 1 where it is true.
  Alternatives opaque(const UntilPart& part) {
    const std::string key = key_of(*part.ast, part.id);
    keys_.insert(key);
    const RangeEnd truth{.at = part.denied ? 0.0 : 1.0, .included = true};
    Alternative out;
    out.ranges.emplace(key, UntilRange{.low = truth, .high = truth});
    return Alternatives{std::move(out)};
  }

  [[nodiscard]] static std::string key_of(const Ast& ast, ExprId id) {
    const std::string text = print(ast, id);
    return ast.exprs[id].parenthesised ? text.substr(1, text.size() - 2) : text;
  }

  [[nodiscard]] std::optional<UntilComparison> comparison_of(const UntilPart& part) const {
    const Ast& ast = *part.ast;
    const Expr& expr = ast.exprs[part.id];
    const bool compares = is_upward(expr.op) || is_downward(expr.op) || expr.op == Operator::eq ||
                          expr.op == Operator::ne;
    if (expr.kind != ExprKind::binary || !compares) return std::nullopt;
    const auto args = ast.args_of(expr);
    for (size_t i = 0; i < 2; ++i) {
      const ExprId constant = args[1 - i];
      const auto number = number_of(ast, constant);
      if (!number || !varies(ast, args[i])) continue;
      return UntilComparison{.key = key_of(ast, args[i]),
                             .op = i == 0 ? expr.op : mirrored(expr.op),
                             .number = *number,
                             .what = text_of(ast, args[i]),
                             .number_text = text_of(ast, constant)};
    }
    const std::string left = key_of(ast, args[0]), right = key_of(ast, args[1]);
    const bool swap = right < left;
    return UntilComparison{
        .key = swap ? fmt::format("{} - {}", right, left) : fmt::format("{} - {}", left, right),
        .op = swap ? mirrored(expr.op) : expr.op};
  }

  // Both are one comparison, of the same thing.
  struct Pair {
    UntilComparison condition, until;
    bool is_turned = false;  // x > 5 until x > 3: < was meant
  };
  [[nodiscard]] std::optional<Pair> pair() const {
    const auto condition = comparison_of(condition_), until = comparison_of(until_);
    if (!condition || !until || condition->key != until->key || until->what.empty()) return {};
    const bool up = is_upward(condition->op), down = is_downward(condition->op);
    if (!up && !down) return {};
    const double over = up ? condition->number - until->number : until->number - condition->number;
    const bool same_way = up ? is_upward(until->op) : is_downward(until->op);
    return Pair{.condition = *condition, .until = *until, .is_turned = same_way && over >= 0};
  }

  // The other way round, or from the threshold on. Empty: nothing is likely.
  [[nodiscard]] std::string meant_until() const {
    const auto both = pair();
    if (!both) return {};
    const UntilComparison& of = both->is_turned ? both->until : both->condition;
    const Operator op = both->is_turned ? mirrored(of.op) : denied(of.op);
    return fmt::format("{} {} {}", of.what, operator_text(op), of.number_text);
  }

  [[nodiscard]] std::string never_ends() const {
    const auto both = pair();
    if (!both || !both->is_turned) return {};
    const Alternative where = range_of(both->until, denied(both->until.op));
    return fmt::format("an alert that fires does not end where {}",
                       where.ranges.begin()->second.words());
  }

  UntilPart condition_, until_;
  std::string_view text_;
  std::set<std::string, std::less<>> keys_;  // of what is compared in the part at hand
};

}  // namespace

void warn_of_until(const Rule& rule, std::string_view text, Diags& diags) {
  if (!rule.alert) return;
  const auto until = std::ranges::find(rule.clauses, Clause::When::until, &Clause::when);
  if (until == rule.clauses.end()) return;
  UntilLook(rule.clauses.front(), *until, text).run(diags);
}

}  // namespace pmjit::strict
