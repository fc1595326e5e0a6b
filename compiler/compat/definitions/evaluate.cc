#include "compiler/compat/definitions/evaluate.h"

#include <algorithm>
#include <utility>

#include "compiler/compat/definitions/pairs.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pcp {

namespace {

bool is_change(const PcpNode& node) {
  return node.function == Function::delta || node.function == Function::rate;
}

std::string_view first_word(std::string_view name) { return name.substr(0, name.find(' ')); }

void add(PcpValues& out, int32_t instance, const Atom& value) {
  out.items.push_back({.instance = instance, .value = value});
}

int keep(PcpValues& out) { return out.count = static_cast<int>(out.items.size()); }

// delta() and rate(): an instance's value now and in the fetch before. Source: spec
// derived-metrics.md §14.1.

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

// A unit of time in seconds.
double unit_seconds(int scale) {
  double seconds = 1;
  for (int i = scale; i < kTimeScaleSec; ++i) seconds /= 1000;
  for (int i = kTimeScaleSec; i < scale; ++i) seconds *= 60;
  return seconds;
}

bool counters_may_fall(Dialect dialect, const Desc& desc) {
  return dialect == Dialect::pcp6 || desc.semantics != Semantics::counter ||
         desc.pm_type == pm_type::i32;
}

PcpEvaluation::PcpEvaluation(std::shared_ptr<const PcpTree> tree)
    : tree_(std::move(tree)), states_(tree_->nodes.size()) {
  for (const PcpNode& node : tree_->nodes) {
    if (is_change(node)) arg(node, 0).has_history = true;
  }
}

const PcpValues& PcpEvaluation::run(const Sample& sample) {
  sample_ = &sample;
  const auto root = static_cast<uint32_t>(states_.size() - 1);
  for (uint32_t i = 0; i <= root; ++i) {
    const PcpNode& at = node_of(i);
    if (at.unused) continue;
    State& state = states_[i];
    if (state.has_history) {
      std::swap(state.before, state.now);
      state.stamp_before = state.stamp;
    }
    state.now.items.clear();
    state.stamp = sample.stamp;
    const int count = node(i);
    state.now.count = count;
    // What counts values takes an error for none.
    if (count < 0) {
      const bool counted = i < root && node_of(i + 1).function == Function::count;
      if (!counted) {
        PcpValues& out = states_[root].now;
        out.count = count;
        return out;
      }
    }
  }
  return states_[root].now;
}

int PcpEvaluation::node(uint32_t at) {
  const PcpNode& node = node_of(at);
  State& state = states_[at];
  switch (node.kind) {
    case ExprKind::name: return leaf(node, state);
    case ExprKind::integer:
    case ExprKind::real:
    case ExprKind::mkconst: return constant(node, state);
    case ExprKind::novalue:
    case ExprKind::parameter: return 0;  // the latter is of strict
    case ExprKind::unary: return prefix(node, state);
    case ExprKind::binary: return two_sided(node, state);
    case ExprKind::ternary: return ternary(node, state);
    case ExprKind::call: return function(node, state);
    case ExprKind::instance: return select_one(node, state);
    case ExprKind::matchinst: return select_matching(node, state);
    case ExprKind::rescale: return rescale(node, state);
  }
  return 0;
}

int PcpEvaluation::leaf(const PcpNode& node, State& state) {
  if (node.unknown || node.asked_only) return 0;
  const auto set = std::ranges::find(sample_->sets, node.desc.pmid, &FetchedSet::pmid);
  if (set == sample_->sets.end()) return 0;
  if (set->count < 0) return set->count;
  for (const Value& value : set->values) {
    if (is_event_type(node.desc.pm_type)) {
      Atom whole{};
      whole.bytes = value.block;
      whole.has_bytes = true;
      add(state.now, value.instance, whole);
      continue;
    }
    const auto atom = load_atom(set->format, node.desc.pm_type, value);
    if (!atom) return atom.error() == pm_err::E_CONV ? int{pm_err::E_LOGREC} : atom.error();
    add(state.now, value.instance, *atom);
  }
  return keep(state.now);
}

int PcpEvaluation::constant(const PcpNode& node, State& state) {
  const Atom value = atom_of_number(node.text, node.desc.pm_type);
  if (node.desc.indom == kNullId) {
    add(state.now, kSingular, value);
    return keep(state.now);
  }
  const auto instances = sample_->domains.instances(node.desc.indom);
  if (!instances) return instances.error();
  for (const int32_t instance : *instances) add(state.now, instance, value);
  return keep(state.now);
}

int PcpEvaluation::prefix(const PcpNode& node, State& state) {
  const int type = node_of(node.args[0]).desc.pm_type;
  for (const Item& item : arg(node, 0).now.items) {
    const Atom value = node.op == Operator::not_ ? truth(is_zero(type, item.value), type)
                                                 : negated(type, item.value);
    add(state.now, item.instance, value);
  }
  return keep(state.now);
}

// Where both have a domain: what both have, in the order of the left. Else the one without is
// repeated.
int PcpEvaluation::two_sided(const PcpNode& node, State& state) {
  const PcpNode &left_node = node_of(node.args[0]), &right_node = node_of(node.args[1]);
  const auto &left = arg(node, 0).now.items, &right = arg(node, 1).now.items;
  if (left.empty() || right.empty()) return 0;
  const bool left_set = left_node.desc.indom != kNullId,
             right_set = right_node.desc.indom != kNullId;
  const bool arithmetical = node.op <= Operator::div;
  const int type = arithmetical ? node.desc.pm_type : node.common_type;
  const auto put = [&](const Item& l, const Item& r) {
    const Atom a = converted(l.value, left_node.desc.pm_type, type, left_node.factor);
    const Atom b = converted(r.value, right_node.desc.pm_type, type, right_node.factor);
    const Atom value = arithmetical ? arithmetic(node.op, type, a, b)
                                    : truth(holds(node.op, type, a, b), pm_type::u32);
    add(state.now, left_set ? l.instance : r.instance, value);
  };
  if (!left_set || !right_set) {
    const size_t count = left_set ? left.size() : right.size();
    for (size_t k = 0; k < count; ++k) put(left[left_set ? k : 0], right[right_set ? k : 0]);
    return keep(state.now);
  }
  each_pair(left, right, &Item::instance, [&](size_t i, size_t j) { put(left[i], right[j]); });
  return keep(state.now);
}

// By position, not by instance.
int PcpEvaluation::ternary(const PcpNode& node, State& state) {
  if (node.arms != Arms::both) {
    state.now.items = arg(node, node.arms == Arms::left ? 1 : 2).now.items;
    return keep(state.now);
  }
  const PcpNode &guard_node = node_of(node.args[0]), &left_node = node_of(node.args[1]),
                &right_node = node_of(node.args[2]);
  const auto& guard = arg(node, 0).now.items;
  const std::vector<Item>* arms[] = {&arg(node, 1).now.items, &arg(node, 2).now.items};
  const bool free[] = {left_node.kind == ExprKind::novalue, right_node.kind == ExprKind::novalue};
  if (node.desc.pm_type > pm_type::string) return pm_err::E_TYPE;
  if (guard.empty() || (!free[0] && arms[0]->empty()) || (!free[1] && arms[1]->empty())) return 0;
  // Whose instances they are.
  const bool right_names =
      free[0] || (left_node.desc.indom == kNullId && right_node.desc.indom != kNullId);
  const auto& names = *arms[right_names ? 1 : 0];
  const bool named = (right_names ? right_node : left_node).desc.indom != kNullId;
  size_t count = std::max(arms[0]->size(), arms[1]->size());
  if (named) count = std::min(count, names.size());
  size_t pick = 1;
  for (size_t i = 0; i < count; ++i) {
    if (i < guard.size()) pick = is_zero(guard_node.desc.pm_type, guard[i].value) ? 1 : 0;
    if (free[pick]) continue;
    const auto& arm = *arms[pick];
    add(state.now, named ? names[i].instance : kSingular, (i < arm.size() ? arm[i] : arm[0]).value);
  }
  return keep(state.now);
}

int PcpEvaluation::function(const PcpNode& node, State& state) {
  const PcpValues& operand = arg(node, 0).now;
  const int type = node_of(node.args[0]).desc.pm_type;
  const auto give = [&](const Atom& value) {
    add(state.now, kSingular, value);
    return keep(state.now);
  };
  switch (node.function) {
    case Function::count: return give({.u32 = static_cast<uint32_t>(std::max(operand.count, 0))});
    case Function::defined: return give(truth(!node_of(node.args[0]).unknown, pm_type::u32));
    case Function::instant: state.now.items = operand.items; return keep(state.now);
    case Function::scalar: return operand.items.empty() ? 0 : give(operand.items.front().value);
    case Function::avg: {
      Atom mean{};
      mean.f32 = 0;
      for (const Item& item : operand.items) {
        const Atom value = converted(item.value, type, pm_type::f32, {});
        mean.f32 += value.f32 / static_cast<float>(operand.items.size());
      }
      return give(mean);
    }
    case Function::sum: {
      Atom total = truth(false, type);
      for (const Item& item : operand.items) {
        total = arithmetic(Operator::add, type, total, item.value);
      }
      return give(total);
    }
    case Function::max:
    case Function::min: {
      if (operand.items.empty()) return 0;
      Atom best = operand.items.front().value;
      for (const Item& item : operand.items) {
        const bool better = node.function == Function::max ? less(type, best, item.value)
                                                           : less(type, item.value, best);
        if (better) best = item.value;
      }
      return give(best);
    }
    case Function::delta:
    case Function::rate: return change(node, state);
    case Function::none: break;
  }
  return 0;
}

int PcpEvaluation::select_one(const PcpNode& node, State& state) {
  const PcpNode& operand_node = node_of(node.args[0]);
  const auto& operand = arg(node, 0).now.items;
  if (operand.empty() || operand_node.desc.indom == kNullId) return 0;
  if (!state.instance) {
    const auto found = sample_->domains.instance_id(operand_node.desc.indom, node.text);
    if (!found) return 0;
    state.instance = *found;
  }
  const auto item = std::ranges::find(operand, *state.instance, &Item::instance);
  if (item != operand.end()) state.now.items.push_back(*item);
  return keep(state.now);
}

// The verdict is that of the name at first sight; of an instance that has none then: never.
bool PcpEvaluation::matches(const PcpNode& node, State& state, InDomId indom, int32_t instance) {
  const auto known = state.selected.find(instance);
  if (known != state.selected.end()) return known->second;
  const auto name = sample_->domains.instance_name(indom, instance);
  const bool selected =
      name && node.pattern.matches(std::string(first_word(*name))) != node.negated;
  state.selected.emplace(instance, selected);
  return selected;
}

int PcpEvaluation::select_matching(const PcpNode& node, State& state) {
  const InDomId indom = node_of(node.args[0]).desc.indom;
  if (indom == kNullId) return 0;
  for (const Item& item : arg(node, 0).now.items) {
    if (matches(node, state, indom, item.instance)) state.now.items.push_back(item);
  }
  return keep(state.now);
}

int PcpEvaluation::rescale(const PcpNode& node, State& state) {
  const Units from = node_of(node.args[0]).desc.units;
  for (const Item& item : arg(node, 0).now.items) {
    const auto value = scaled_atom(node.desc.pm_type, item.value, from, node.desc.units);
    if (value) add(state.now, item.instance, *value);
  }
  return keep(state.now);
}

void put_values(const PcpValues& values, const Desc& desc, std::vector<uint64_t>& blocks,
                FetchedSet& out) {
  const bool in_place = desc.pm_type == pm_type::i32 || desc.pm_type == pm_type::u32;
  out.pmid = desc.pmid;
  out.count = values.count;
  out.format = in_place ? ValueFormat::in_place : ValueFormat::block;
  out.values.clear();
  if (values.count <= 0) return;
  blocks.assign(values.items.size(), 0);
  for (size_t i = 0; i < values.items.size(); ++i) {
    const Item& item = values.items[i];
    Value value{.instance = desc.indom == kNullId ? kSingular : item.instance,
                .type = static_cast<uint8_t>(desc.pm_type)};
    if (in_place) {
      value.word = item.value.u32;
    } else if (item.value.has_bytes) {
      value.block = item.value.bytes;
    } else {
      blocks[i] = item.value.u64;
      const size_t size = desc.pm_type == pm_type::f32 ? sizeof(float) : sizeof(uint64_t);
      value.block = Bytes(reinterpret_cast<const std::byte*>(&blocks[i]), size);
    }
    out.values.push_back(value);
  }
}

int PcpEvaluation::change(const PcpNode& node, State& state) {
  const PcpNode& operand_node = node_of(node.args[0]);
  const State& operand = arg(node, 0);
  const Desc& desc = operand_node.desc;
  if (const int count = std::min(operand.now.count, operand.before.count); count <= 0) return count;
  const bool rate = node.function == Function::rate;
  const double seconds = seconds_since(operand.stamp_before, operand.stamp);
  const double unit = desc.units.dim_time == 1 ? unit_seconds(desc.units.scale_time) : 1;
  const bool may_fall = counters_may_fall(tree_->dialect, desc);
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
