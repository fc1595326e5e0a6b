#include "compiler/differences/definitions/definition_facts.h"

#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>

#include "compiler/compat/definitions/bind.h"
#include "compiler/compat/definitions/tokens.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"

namespace pmjit {

namespace {

using pcp::Function;

uint8_t bit_of(Semantics semantics) {
  switch (semantics) {
    case Semantics::counter: return kCounter;
    case Semantics::instant: return kInstant;
    case Semantics::discrete: return kDiscrete;
  }
  return 0;
}

TypeSet set_of(int type) {
  if (type >= 0 && type < kNumberTypes) return only(type);
  return type == pm_type::string ? kTexts : kNoType;
}

class FactsFinder {
 public:
  FactsFinder(const Ast& ast, const DifferenceOptions& options)
      : ast_(ast), options_(options), facts_(ast.exprs.size()) {}

  std::vector<Facts> run() {
    for (uint32_t i = 0; i < facts_.size(); ++i) {
      const Expr& expr = ast_.exprs[ExprId{{i}}];
      facts_[i] = find(expr);
      if (facts_[i].asks) continue;
      for (const ExprId arg : ast_.args_of(expr)) facts_[i].missing |= facts_[arg.index].missing;
    }
    find_unused();
    return std::move(facts_);
  }

 private:
  Facts find(const Expr& expr) {
    switch (expr.kind) {
      case ExprKind::name: return name(expr);
      case ExprKind::integer: return number(expr, pm_type::u32);
      case ExprKind::real: return number(expr, pm_type::f64);
      case ExprKind::mkconst:
      case ExprKind::novalue: return constant(expr);
      case ExprKind::unary: return prefix(expr);
      case ExprKind::binary: return two_sided(expr);
      case ExprKind::ternary: return ternary(expr);
      case ExprKind::call: return call(expr);
      case ExprKind::instance: return one(expr);
      case ExprKind::matchinst: return matching(expr);
      case ExprKind::rescale: return rescaled(expr);
      case ExprKind::parameter: break;  // of strict
    }
    return {};
  }

  const Facts& arg(const Expr& expr, size_t i) const { return facts_[ast_.args_of(expr)[i].index]; }
  const Expr& arg_expr(const Expr& expr, size_t i) const {
    return ast_.exprs[ast_.args_of(expr)[i]];
  }
  Origin origin(std::string_view kind, std::string_view text, Origin a = 0, Origin b = 0) {
    const auto key = std::tuple(std::string(kind), std::string(text), a, b);
    return origins_.try_emplace(key, static_cast<Origin>(origins_.size() + 1)).first->second;
  }

  void describe(const Desc& desc, Facts& out) const;
  Facts name(const Expr& expr);
  Facts number(const Expr& expr, int type) const;
  Facts constant(const Expr& expr);
  Facts prefix(const Expr& expr) const;
  Facts two_sided(const Expr& expr);
  static ExtraUnit extra_of(Operator op, const Facts& left, const Facts& right);
  void calculate(const Expr& expr, Facts& out) const;
  uint8_t semantics(const Facts& left, const Facts& right) const;
  Facts ternary(const Expr& expr);
  Facts call(const Expr& expr);
  Facts change(const Expr& expr, Function function);
  Facts one(const Expr& expr);
  Facts matching(const Expr& expr);
  Facts rescaled(const Expr& expr) const;
  bool several(InDomId indom) const;
  void find_unused();

  const Ast& ast_;
  const DifferenceOptions& options_;
  std::vector<Facts> facts_;
  std::map<std::tuple<std::string, std::string, Origin, Origin>, Origin> origins_;
};

bool FactsFinder::several(InDomId indom) const {
  const auto* names = options_.known.instances(indom);
  return names == nullptr || names->size() > 1;
}

void FactsFinder::describe(const Desc& desc, Facts& out) const {
  out.types = set_of(desc.pm_type);
  out.units = desc.units;
  if (pcp::extra_units_of(options_.dialect) == ExtraUnits::ignored) {
    std::swap(out.extra, out.units->extra);
  }
  out.semantics = bit_of(desc.semantics);
  out.indom = desc.indom;
  out.may_be_set = desc.indom != kNullId;
  out.may_be_singular = !out.may_be_set;
  out.several = out.may_be_set && several(desc.indom);
}

Facts FactsFinder::name(const Expr& expr) {
  Facts out;
  const auto metric = options_.known.metric(expr.text);
  out.may_be_set = out.several = true;
  if (metric.desc) describe(*metric.desc, out);
  out.missing = metric.kind == KnownMetrics::Kind::missing;
  if (out.missing) {  // refused here and in strict: nothing but this is to be said of it
    describe({.pm_type = pm_type::f64, .semantics = Semantics::instant}, out);
    return out;
  }
  out.range = of_types(out.types);
  out.may_be_nan = out.may_be_infinite = out.has(kReals);
  out.lanes = out.may_be_set ? origin("metric", expr.text) : 0;
  if (out.may_be_set) out.sets = {out.lanes};
  // An error of it, and no values of it.
  out.lacks = {origin("error", expr.text), origin("metric", expr.text)};
  std::ranges::sort(out.lacks);
  return out;
}

Facts FactsFinder::number(const Expr& expr, int type) const {
  Facts out;
  out.types = only(type);
  out.units = Units{};
  out.semantics = kDiscrete;
  const long double value = std::strtold(expr.text == "." ? "0" : expr.text.c_str(), nullptr);
  out.range = {value, value};
  out.constant = out.bare = out.literal = true;
  if (type == pm_type::u32 && options_.dialect != Dialect::pcp6) out.settled = value != 0;
  return out;
}

Facts FactsFinder::constant(const Expr& expr) {
  Facts out;
  if (expr.kind == ExprKind::mkconst) out = arg(expr, 0);
  out.nobody = expr.kind == ExprKind::novalue;
  out.bare = false;
  out.constant = true;
  if (out.nobody) {
    out.types = only(pm_type::i32);
    out.units = Units{};
    out.semantics = kDiscrete;
  }
  const auto specs = ast_.specs_of(expr);
  for (const Spec& spec : specs) {
    if (spec.tag != "meta") continue;
    const auto metric = options_.known.metric(spec.value);
    if (metric.desc) {
      describe(*metric.desc, out);
    } else {
      out.types = kAllNumbers;
      out.units.reset();
      out.semantics = kAnySemantics;
      out.may_be_set = out.several = true;
    }
  }
  for (const Spec& spec : specs) {
    if (spec.tag == "type") out.types = set_of(pcp::type_of_tag(spec.value).value_or(-1));
    if (spec.tag == "semantics") {
      out.semantics = bit_of(pcp::semantics_of_tag(spec.value).value_or(Semantics::discrete));
    }
    if (spec.tag == "indom") {
      out.indom = pcp::indom_of_tag(spec.value).value_or(kNullId);
      out.may_be_set = out.indom != kNullId;
      out.may_be_singular = !out.may_be_set;
      out.several = out.may_be_set && several(out.indom);
    }
    if (spec.tag == "units") {
      out.units = pcp::units_of_tag(spec.value, options_.dialect);
      out.extra = {};
    }
  }
  if (expr.kind == ExprKind::mkconst) out.range = kept(out.range, out.types);
  if (out.may_be_set) out.lanes = origin("domain", "", out.indom);
  if (out.may_be_set) out.sets = {out.lanes};
  return out;
}

Facts FactsFinder::prefix(const Expr& expr) const {
  Facts out = arg(expr, 0);
  out.literal = false;
  out.degrees = true;
  if (expr.op == Operator::not_) {
    out.truth = true;
    out.extra = {};
    out.bare = false;
    out.range = {0, 1};
    out.may_be_nan = out.may_be_infinite = false;
    if (out.settled) out.settled = !*out.settled;
    return out;
  }
  const TypeSet types = out.types;
  out.types = static_cast<TypeSet>(types & (kReals | kTexts | kNoType));
  if (out.types != types) {
    if ((types & (only(pm_type::i32) | only(pm_type::u32))) != 0) out.types |= only(pm_type::i32);
    if ((types & (only(pm_type::i64) | only(pm_type::u64))) != 0) out.types |= only(pm_type::i64);
  }
  out.range = kept({-out.range.hi, -out.range.lo}, out.types);
  out.semantics = kInstant;
  out.truth = out.asks = false;
  out.settled.reset();
  return out;
}

uint8_t FactsFinder::semantics(const Facts& left, const Facts& right) const {
  uint8_t out = 0;
  for (const uint8_t l : {kCounter, kInstant, kDiscrete}) {
    for (const uint8_t r : {kCounter, kInstant, kDiscrete}) {
      if (!left.is(l) || !right.is(r)) continue;
      if (l == kCounter || r == kCounter) {
        out |= left.literal ? r : l;
      } else {
        out |= l == kDiscrete && r == kDiscrete ? kDiscrete : kInstant;
      }
    }
  }
  return out;
}

Facts FactsFinder::two_sided(const Expr& expr) {
  const Facts &left = arg(expr, 0), &right = arg(expr, 1);
  Facts out;
  out.semantics = semantics(left, right);
  out.indom = left.indom != kNullId ? left.indom : right.indom;
  out.may_be_set = left.may_be_set || right.may_be_set;
  out.may_be_singular = left.may_be_singular && right.may_be_singular;
  const bool both_sets = left.may_be_set && right.may_be_set;
  out.several = both_sets ? left.several && right.several : left.several || right.several;
  out.selected = left.selected || right.selected;
  out.instance = left.selected ? left.instance : right.instance;
  out.lanes = left.lanes == right.lanes || right.lanes == 0 ? left.lanes
              : left.lanes == 0                             ? right.lanes
                                : origin("both", "", left.lanes, right.lanes);
  out.sets = together(left.sets, right.sets);
  out.lacks = together(left.lacks, right.lacks);
  out.constant = left.constant && right.constant;
  if (is_relation(expr.op) || is_logic(expr.op)) {
    out.types = only(pm_type::u32);
    out.units = Units{};
    out.range = {0, 1};
    out.truth = true;
    if (is_logic(expr.op)) {
      out.asks = left.asks && right.asks;
      const bool decides = expr.op == Operator::or_;
      if (left.settled) out.settled = *left.settled == decides ? left.settled : right.settled;
    }
    return out;
  }
  out.bare = left.bare && right.bare;
  out.extra = extra_of(expr.op, left, right);
  out.degrees = true;
  calculate(expr, out);
  return out;
}

// What strict has, where it takes them; else none.
ExtraUnit FactsFinder::extra_of(Operator op, const Facts& left, const Facts& right) {
  const ExtraUnit l = left.extra, r = right.extra;
  if (op == Operator::mul) return l.none() ? r : r.none() ? l : ExtraUnit{};
  if (op == Operator::div && !r.none()) {
    return l.none() ? ExtraUnit{.unit = static_cast<int8_t>(-r.unit), .scale = r.scale}
                    : ExtraUnit{};
  }
  if (op == Operator::div || right.bare) return l;
  return l == r || left.bare ? r : ExtraUnit{};
}

void FactsFinder::calculate(const Expr& expr, Facts& out) const {
  const Facts &left = arg(expr, 0), &right = arg(expr, 1);
  bool converted = false;
  if (left.units && right.units) {
    const CombinedUnits units = combine(expr.op, left, right);
    converted = units.converted;
    out.units = units.result;
  }
  out.types = 0;
  each_type(left.types, [&](int l) {
    each_type(right.types, [&](int r) { out.types |= only(pcp::promoted(l, r)); });
  });
  if (expr.op == Operator::div || converted) out.types = only(pm_type::f64);
  const Range exact = combined(expr.op, left.range, right.range);
  out.range = converted ? of_types(out.types) : kept(exact, out.types);
  const bool by_zero = expr.op == Operator::div && right.range.contains(0);
  out.may_be_infinite = left.may_be_infinite || right.may_be_infinite || by_zero;
  const bool product = expr.op == Operator::mul || expr.op == Operator::div;
  out.may_be_nan = left.may_be_nan || right.may_be_nan ||
                   (left.may_be_infinite && right.may_be_infinite) ||
                   (product && (left.may_be_infinite || right.may_be_infinite));
}

// Instances are those of the arms, but with one arm the picked one's.
Facts FactsFinder::ternary(const Expr& expr) {
  const Facts &guard = arg(expr, 0), &left = arg(expr, 1), &right = arg(expr, 2);
  if (guard.settled && options_.dialect != Dialect::pcp6) {
    Facts out = *guard.settled ? left : right;
    out.literal = false;
    return out;
  }
  if (left.nobody || right.nobody) {
    Facts out = left.nobody ? right : left;
    out.literal = false;
    out.lanes = origin("pick", "", guard.lanes, out.lanes);
    out.sets = together(guard.sets, out.sets);
    out.lacks = together(guard.lacks, out.lacks);
    return out;
  }
  Facts out;
  out.types = left.types | right.types;
  if (left.units && right.units && *left.units == *right.units) out.units = left.units;
  out.extra = left.extra == right.extra || left.bare ? right.extra : left.extra;
  if (left.extra != right.extra && !left.bare && !right.bare) out.extra = {};
  out.degrees = left.degrees || right.degrees;
  out.semantics = left.semantics | right.semantics;
  out.range = hull(left.range, right.range);
  out.may_be_nan = left.may_be_nan || right.may_be_nan;
  out.may_be_infinite = left.may_be_infinite || right.may_be_infinite;
  out.indom = left.indom != kNullId ? left.indom : right.indom;
  out.may_be_set = left.may_be_set || right.may_be_set;
  out.may_be_singular = left.may_be_singular && right.may_be_singular;
  out.several = left.several || right.several;
  out.selected = left.selected || right.selected;
  out.instance = left.selected ? left.instance : right.instance;
  const Origin arms = left.lanes == right.lanes || right.lanes == 0 ? left.lanes
                      : left.lanes == 0                             ? right.lanes
                                        : origin("arms", "", left.lanes, right.lanes);
  out.lanes =
      guard.lanes == arms || guard.lanes == 0 ? arms : origin("pick", "", guard.lanes, arms);
  out.sets = together(together(left.sets, right.sets), guard.sets);
  out.lacks = together(together(left.lacks, right.lacks), guard.lacks);
  out.truth = left.truth && right.truth;
  out.bare = left.bare && right.bare;
  out.constant = guard.constant && left.constant && right.constant;
  return out;
}

void make_singular(Facts& out) {
  out.indom = kNullId;
  out.may_be_set = out.several = out.selected = false;
  out.may_be_singular = true;
  out.lanes = 0;
  out.sets.clear();
}

Facts FactsFinder::call(const Expr& expr) {
  const Function function = pcp::function_of(expr.text);
  const Facts& operand = arg(expr, 0);
  if (function == Function::delta || function == Function::rate) return change(expr, function);
  Facts out = operand;
  out.literal = out.bare = false;
  if (function == Function::instant) {
    if (out.is(kCounter)) out.semantics = (out.semantics & ~kCounter) | kInstant;
    return out;
  }
  make_singular(out);
  if (function == Function::scalar) return out;
  if (function == Function::defined) {
    using enum KnownMetrics::Kind;
    const auto kind = options_.known.metric(arg_expr(expr, 0).text).kind;
    out = Facts{.types = only(pm_type::u32), .units = Units{}, .semantics = kDiscrete};
    out.range = {0, 1};
    out.truth = out.constant = out.asks = true;
    if (kind != unknown) out.settled = kind != missing;
    return out;
  }
  // An error of what it is over remains, having no values does not.
  const std::string& of = arg_expr(expr, 0).text;
  if (function == Function::sum || function == Function::avg) out.lacks = {origin("error", of)};
  if (function != Function::sum) out.semantics = kInstant;
  if (function == Function::count) {
    out.types = only(pm_type::u32);
    out.units = Units{.dim_count = 1};
    out.extra = {};
    out.range = of_type(pm_type::u32);
    out.lacks.clear();
    out.may_be_nan = out.may_be_infinite = false;
  } else if (function == Function::avg) {
    out.types = only(pm_type::f32);
    out.range = hull(out.range, Range{});
  } else if (function == Function::sum) {
    out.degrees = true;
    out.range = operand.several ? of_types(out.types) : hull(out.range, Range{});
  }
  return out;
}

Facts FactsFinder::change(const Expr& expr, Function function) {
  Facts out = arg(expr, 0);
  out.literal = out.bare = out.truth = out.constant = false;
  out.semantics = kInstant;
  out.degrees = true;
  const Origin own = origin(expr.text, "", out.lanes, out.lacks.empty() ? 0 : out.lacks.front());
  if (out.may_be_set) out.lanes = own;
  out.lacks = together(out.lacks, {own});
  const Range difference{out.range.lo - out.range.hi, out.range.hi - out.range.lo};
  if (function == Function::rate) {
    out.types = only(pm_type::f64);
    out.range = of_type(pm_type::f64);
    if (out.units) {
      --out.units->dim_time;
      out.units->scale_time = out.units->dim_time == 0 ? uint8_t{0} : kTimeScaleSec;
    }
    return out;
  }
  TypeSet types = 0;
  each_type(out.types, [&](int type) {
    types |= only(type == pm_type::u32   ? pm_type::i64
                  : type == pm_type::u64 ? pm_type::f64
                                         : static_cast<pm_type::PmTypeCode>(type));
  });
  out.types = types;
  out.range = kept(difference, types);
  return out;
}

Facts FactsFinder::one(const Expr& expr) {
  Facts out = arg(expr, 0);
  out.literal = out.bare = false;
  out.may_be_set = out.selected = true;
  out.may_be_singular = out.several = false;
  out.instance = expr.text;
  out.lanes = origin("instance", expr.text, out.lanes);
  out.lacks = together(out.lacks, {out.lanes});
  return out;
}

Facts FactsFinder::matching(const Expr& expr) {
  Facts out = arg(expr, 0);
  out.literal = out.bare = false;
  out.may_be_set = true;
  out.may_be_singular = false;
  out.lanes = origin(expr.negated ? "not matching" : "matching", expr.text, out.lanes);
  out.lacks = together(out.lacks, {out.lanes});
  return out;
}

Facts FactsFinder::rescaled(const Expr& expr) const {
  Facts out = arg(expr, 0);
  out.literal = out.bare = false;
  const Units units = pcp::units_of_tag(expr.text, options_.dialect);
  const auto factor = out.units ? scale_factor(*out.units, units) : std::nullopt;
  if (factor && !scales_wrongly(*out.units, units)) {
    const long double by =
        static_cast<long double>(factor->num) / static_cast<long double>(factor->den);
    out.range = kept({out.range.lo * by, out.range.hi * by}, out.types);
  } else {
    out.range = of_types(out.types);
  }
  out.units = units;
  out.extra = {};
  return out;
}

// From the outermost in.
void FactsFinder::find_unused() {
  for (size_t i = facts_.size(); i-- > 0;) {
    const Expr& expr = ast_.exprs[ExprId{{static_cast<uint32_t>(i)}}];
    const auto args = ast_.args_of(expr);
    const bool asks = expr.kind == ExprKind::call && expr.text == "defined";
    const bool all = facts_[i].unused || asks || expr.kind == ExprKind::mkconst;
    for (const ExprId arg : args) facts_[arg.index].unused |= all;
    for (const ExprId arg : args) facts_[arg.index].idle |= facts_[i].idle;
    if (expr.kind != ExprKind::ternary || !facts_[args[0].index].settled) continue;
    Facts& arm = facts_[args[*facts_[args[0].index].settled ? 2 : 1].index];
    (options_.dialect == Dialect::pcp6 ? arm.idle : arm.unused) = true;
  }
}

}  // namespace

Origins together(const Origins& a, const Origins& b) {
  Origins out;
  std::ranges::set_union(a, b, std::back_inserter(out));
  return out;
}

CombinedUnits combine(Operator op, const Facts& left, const Facts& right) {
  pcp::PcpNode l, r;
  l.desc.units = *left.units;
  r.desc.units = *right.units;
  CombinedUnits out;
  out.converted =
      pcp::combine_units(op, l, r, left.literal ? *right.units : *left.units, out.result);
  out.left_both = l.factor.mul != 1 && l.factor.div != 1;
  out.right_both = r.factor.mul != 1 && r.factor.div != 1;
  out.wraps = l.factor.wraps || r.factor.wraps;
  return out;
}

std::vector<Facts> find_facts(const Ast& ast, const DifferenceOptions& options) {
  return FactsFinder(ast, options).run();
}

}  // namespace pmjit
