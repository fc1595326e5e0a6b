#include "compiler/differences/rules/rule_rows.h"

#include <cmath>

#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

namespace {

RuleOrigins together(const RuleOrigins& a, const RuleOrigins& b) {
  RuleOrigins out;
  std::ranges::set_union(a, b, std::back_inserter(out));
  return out;
}

RuleOrigins common(const RuleOrigins& a, const RuleOrigins& b) {
  RuleOrigins out;
  std::ranges::set_intersection(a, b, std::back_inserter(out));
  return out;
}

int8_t added(int8_t a, int8_t b, int sign) { return static_cast<int8_t>(a + sign * b); }

// Of a product or quotient; a dimension that is gone has no scale.
Units combined(const Units& a, const Units& b, int sign) {
  Units out;
  out.dim_space = added(a.dim_space, b.dim_space, sign);
  out.dim_time = added(a.dim_time, b.dim_time, sign);
  out.dim_count = added(a.dim_count, b.dim_count, sign);
  if (out.dim_space != 0) out.scale_space = a.dim_space != 0 ? a.scale_space : b.scale_space;
  if (out.dim_time != 0) out.scale_time = a.dim_time != 0 ? a.scale_time : b.scale_time;
  if (out.dim_count != 0) out.scale_count = a.dim_count != 0 ? a.scale_count : b.scale_count;
  return out;
}

constexpr Units kSecond{.dim_time = 1, .scale_time = kTimeScaleSec};

class RuleFactsFinder {
 public:
  RuleFactsFinder(const RuleProgram& program, const ReadStatement& statement)
      : program_(program), first_(statement.first_node) {
    for (const ScannedToken& token : statement.tokens) {
      if (token.kind == RuleToken::MACRO) macros_[token.span.begin] = &token.macro;
    }
  }

  std::vector<RuleFacts> run() {
    for (uint32_t i = first_; i < program_.nodes.size(); ++i) {
      at_ = i;
      out_.push_back(of_node(program_.nodes[i]));
    }
    return std::move(out_);
  }

 private:
  [[nodiscard]] const RuleFacts& of(uint32_t node) const { return out_[node - first_]; }
  // A number for what is called so.
  uint32_t origin(const std::string& name) {
    return origins_.try_emplace(name, static_cast<uint32_t>(origins_.size())).first->second;
  }
  uint32_t own_origin() { return origin(" " + std::to_string(at_)); }

  RuleFacts of_node(const PmieNode& node) {
    switch (kind_of(node.op)) {
      case OpKind::leaf: return leaf(node);
      case OpKind::arithmetic: return node.right == kNone ? one_number(node) : two_numbers(node);
      case OpKind::aggregate: return aggregate(node);
      case OpKind::relation: return relation(node);
      case OpKind::logic: return node.right == kNone ? one_truth(node) : two_truths(node);
      case OpKind::quantifier: return quantifier(node);
      case OpKind::rule: return node.left == kNone ? RuleFacts{} : of(node.left);
      case OpKind::action: break;
    }
    return {};
  }

  RuleFacts leaf(const PmieNode& node) {
    if (node.op == PmieOp::fetch) return fetch(node);
    if (node.op == PmieOp::delay) {
      RuleFacts out = of(node.left);
      out.lacks = together(out.lacks, {own_origin()});
      return out;
    }
    RuleFacts out{.units = Units{}, .constant = node.op == PmieOp::constant};
    if (node.op != PmieOp::constant) return out;
    out.text = node.sem == Sem::text;
    out.whole = node.number == std::floor(node.number) && std::abs(node.number) < 1e9;
    out.units = node.meant_units.value_or(node.units.value_or(Units{}));
    const auto macro = macros_.find(node.place.span.begin);
    if (macro != macros_.end() && !macro->second->units.no_dimension()) {
      out.units = macro->second->units;
      out.macro_unit = true;
    }
    out.bare = node.sem == Sem::number && out.units->no_dimension();
    return out;
  }

  RuleFacts fetch(const PmieNode& node) {
    const Fetch& fetch = program_.fetches[node.fetch];
    const HostMetric& metric = fetch.hosts.front();
    const Desc& desc = metric.desc;
    const bool known = fetch.is_known();
    RuleFacts out;
    out.text = known && desc.pm_type == pm_type::string;
    const bool real = desc.pm_type == pm_type::f32 || desc.pm_type == pm_type::f64;
    out.may_be_nan = out.may_be_infinite = !known || real;
    out.counter = out.has_counter = !known || desc.semantics == Semantics::counter;
    out.gauge = !known || desc.semantics != Semantics::counter;
    out.rated = out.counter && !fetch.raw;
    const bool narrow = desc.pm_type == pm_type::i32 || desc.pm_type == pm_type::u32;
    out.whole = known && narrow && !out.rated && metric.scale == std::floor(metric.scale) &&
                metric.scale <= 1024;
    if (known) out.units = out.rated ? combined(desc.units, kSecond, -1) : desc.units;
    const bool selected = fetch.instances_listed && metric.instances().size() == 1;
    out.set = (!known || desc.indom != kNullId) && !selected;
    out.several = out.set && (!known || metric.instances().size() > 1);
    out.indom = out.set && known ? desc.indom : kNullId;
    std::string name = fetch.name;
    for (const HostMetric& host : fetch.hosts) name += ":" + std::to_string(host.source);
    if (fetch.instances_listed) {
      for (const auto& instance : metric.instances()) name += "#" + instance.name;
    }
    if (out.set) out.sets = {origin(name)};
    out.lacks = {origin(name + (out.rated ? " rate" : ""))};
    return out;
  }

  // What depends on values before.
  RuleFacts historic(RuleFacts facts) {
    facts.lacks = together(facts.lacks, {own_origin()});
    return facts;
  }

  RuleFacts one_number(const PmieNode& node) {
    RuleFacts out = of(node.left);
    out.bare = out.constant && out.bare;
    if (node.op == PmieOp::rate) {
      if (out.units) out.units = combined(*out.units, kSecond, -1);
      out.may_be_nan = out.may_be_nan || out.may_be_infinite;
      out.counter = out.whole = false;
      out.gauge = out.rated = true;
      return historic(out);
    }
    if (node.op == PmieOp::instant) {
      out.counter = out.rated = false;
      out.gauge = true;
    }
    return out;
  }

  RuleFacts two_numbers(const PmieNode& node) {
    const RuleFacts &a = of(node.left), &b = of(node.right);
    RuleFacts out = met(a, b);
    const bool product = node.op == PmieOp::multiply || node.op == PmieOp::divide;
    if (!product) {
      out.units = a.bare ? b.units : a.units;
      out.counter = a.counter && b.counter;
      out.gauge = a.gauge || b.gauge;
      out.may_be_nan |= a.may_be_infinite && b.may_be_infinite;
      out.may_be_infinite = a.may_be_infinite || b.may_be_infinite;
      return out;
    }
    const bool divides = node.op == PmieOp::divide;
    if (a.units && b.units) out.units = combined(*a.units, *b.units, divides ? -1 : 1);
    out.counter = (a.counter && b.constant) || (!divides && b.counter && a.constant);
    out.gauge = a.gauge || !b.constant;
    const bool by_zero = divides && !(b.constant && program_.nodes[node.right].number != 0);
    out.may_be_nan |= by_zero || a.may_be_infinite || b.may_be_infinite;
    out.may_be_infinite = by_zero || a.may_be_infinite || b.may_be_infinite;
    out.whole = false;
    return out;
  }

  // What two operands have together.
  static RuleFacts met(const RuleFacts& a, const RuleFacts& b) {
    RuleFacts out;
    out.constant = a.constant && b.constant;
    out.whole = a.whole && b.whole;
    out.has_counter = a.has_counter || b.has_counter;
    out.rated = a.rated || b.rated;
    out.may_be_nan = a.may_be_nan || b.may_be_nan;
    out.set = a.set || b.set;
    out.several = a.several || b.several;
    out.indom = a.set ? a.indom : b.indom;
    out.sets = together(a.sets, b.sets);
    out.lacks = together(a.lacks, b.lacks);
    return out;
  }

  // The axis that is gone.
  RuleFacts reduced(const PmieNode& node) {
    RuleFacts out = of(node.left);
    if (node.dim == Dim::sample) return historic(out);
    if (node.dim == Dim::host || !out.set) return out;
    out.set = out.several = false;
    out.indom = kNullId;
    out.sets.clear();
    return out;
  }

  RuleFacts aggregate(const PmieNode& node) {
    const RuleFacts& operand = of(node.left);
    RuleFacts out = reduced(node);
    out.unknowns = out.uneven = false;
    if (operand.set) out.lacks = together(out.lacks, {own_origin()});
    out.counter = false;
    out.gauge = true;
    const bool sums = node.op == PmieOp::sum || node.op == PmieOp::avg;
    out.may_be_nan = out.may_be_nan || (sums && out.may_be_infinite);
    if (node.op == PmieOp::avg) out.whole = false;
    if (node.op != PmieOp::count) return out;
    out.units = Units{};
    out.may_be_nan = out.may_be_infinite = out.rated = false;
    out.whole = true;
    return out;
  }

  RuleFacts relation(const PmieNode& node) {
    RuleFacts out = met(of(node.left), of(node.right));
    out.units = Units{};
    out.text = out.may_be_nan = false;
    return out;
  }

  RuleFacts one_truth(const PmieNode& node) {
    RuleFacts out = of(node.left);
    if (node.op == PmieOp::rising || node.op == PmieOp::falling) {
      out.unknowns = out.uneven = false;
      return historic(out);
    }
    if (node.op == PmieOp::match_inst || node.op == PmieOp::nomatch_inst) {
      out.unknowns = out.unknowns || !out.lacks.empty();
      out.lacks.clear();
    }
    return out;
  }

  // Known where one of them is.
  RuleFacts two_truths(const PmieNode& node) {
    const RuleFacts &a = of(node.left), &b = of(node.right);
    RuleFacts out = met(a, b);
    out.lacks = common(a.lacks, b.lacks);
    const bool one_alone = a.lacks != b.lacks;
    out.unknowns = a.unknowns || b.unknowns || one_alone;
    out.uneven = a.uneven || b.uneven || (one_alone && out.several) ||
                 (one_alone && node.shape.values() > 1);
    return out;
  }

  RuleFacts quantifier(const PmieNode& node) {
    const RuleFacts& operand = of(node.left);
    RuleFacts out = reduced(node);
    const bool of_nothing = node.dim == Dim::inst && operand.set;
    out.unknowns = operand.unknowns || of_nothing;
    out.uneven = out.unknowns && node.shape.values() > 1;
    return out;
  }

  const RuleProgram& program_;
  uint32_t first_ = 0, at_ = 0;
  std::vector<RuleFacts> out_;
  std::map<uint32_t, const PmieMacro*> macros_;  // by where they are named
  std::map<std::string, uint32_t> origins_;
};

}  // namespace

std::vector<RuleFacts> find_rule_facts(const RuleProgram& program, const ReadStatement& statement) {
  return RuleFactsFinder(program, statement).run();
}

}  // namespace pmjit::pmie
