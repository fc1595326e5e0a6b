// delta() and rate(): an instance's value now and in the fetch before. Source: spec
// derived-metrics.md §14.1.
#include <algorithm>

#include "compiler/compat/definitions/atoms.h"
#include "compiler/compat/definitions/evaluate.h"
#include "runtime/model/pm_type.h"

namespace pmjit::pcp {

namespace {

// A unit of time in seconds.
double unit_seconds(int scale) {
  double seconds = 1;
  for (int i = scale; i < kTimeScaleSec; ++i) seconds /= 1000;
  for (int i = kTimeScaleSec; i < scale; ++i) seconds *= 60;
  return seconds;
}

Atom delta_of(int type, const Atom& now, const Atom& before) {
  Atom out{};
  switch (type) {
    case pm_type::u32: out.i64 = int64_t{now.u32} - int64_t{before.u32}; return out;
    case pm_type::u64:
      out.f64 = static_cast<double>(now.u64) - static_cast<double>(before.u64);
      return out;
    default: return arithmetic(Operator::sub, type, now, before);
  }
}

double difference(int type, const Atom& now, const Atom& before) {
  const Atom out = arithmetic(Operator::sub, type, now, before);
  return converted(out, type, pm_type::f64, {}).f64;
}

}  // namespace

int PcpEvaluation::change(const PcpNode& node, State& state) {
  const PcpNode& operand_node = node_of(node.args[0]);
  const State& operand = arg(node, 0);
  const Desc& desc = operand_node.desc;
  if (const int count = std::min(operand.now.count, operand.before.count); count <= 0) return count;
  const bool rate = node.function == Function::rate;
  const double seconds = seconds_between(operand.stamp, operand.stamp_before);
  const double unit = desc.units.dim_time == 1 ? unit_seconds(desc.units.scale_time) : 1;
  const bool may_fall = tree_->dialect == Dialect::pcp6 || desc.semantics != Semantics::counter ||
                        desc.pm_type == pm_type::i32;
  const auto& before = operand.before.items;
  for (size_t i = 0; i < operand.now.items.size(); ++i) {
    const Item& item = operand.now.items[i];
    auto last = i < before.size() && before[i].instance == item.instance
                    ? before.begin() + static_cast<ptrdiff_t>(i)
                    : std::ranges::find(before, item.instance, &Item::instance);
    if (last == before.end()) continue;
    if (!rate) {
      state.now.items.push_back({item.instance, delta_of(desc.pm_type, item.value, last->value)});
      continue;
    }
    if (!may_fall && less(desc.pm_type, item.value, last->value)) continue;
    Atom value{};
    value.f64 = difference(desc.pm_type, item.value, last->value) / seconds;
    if (desc.units.dim_time == 1) value.f64 *= unit;
    state.now.items.push_back({item.instance, value});
  }
  return state.now.count = static_cast<int>(state.now.items.size());
}

}  // namespace pmjit::pcp
