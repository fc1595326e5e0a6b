#include "compiler/compat/definitions/columns.h"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <ranges>
#include <type_traits>

#include "compiler/compat/definitions/numbers.h"
#include "compiler/compat/definitions/pairs.h"
#include "runtime/base/result.h"

namespace pmjit::pcp {

namespace {

size_t bytes_of(int type) {
  size_t bytes = 0;
  with_number_type(type, [&](auto number) { bytes = sizeof number; });
  return bytes;
}

template <class T>
Atom atom_with(T number) {
  Atom out{};
  number_in<T>(out) = number;
  return out;
}

bool are_all(std::span<const uint32_t> places, size_t count) {
  if (places.size() != count) return false;
  for (uint32_t i = 0; i < count; ++i) {
    if (places[i] != i) return false;
  }
  return true;
}

std::string_view why_one_by_one(const PcpTree& tree, const PcpNode& node) {
  switch (node.kind) {
    case ExprKind::name:
      if (node.asked_only) return "defined() in it asks for a metric";
      if (node.nested) return "it is over another definition, and never has values";
      if (node.unknown) return "a metric in it has no values";
      return bytes_of(node.desc.pm_type) == 0 ? "a metric in it has texts or events" : "";
    case ExprKind::mkconst:
      return node.desc.indom == kNullId ? "" : "a constant in it has the instances of a domain";
    case ExprKind::novalue: return "an arm of a ?: in it is novalue";
    case ExprKind::instance:
    case ExprKind::matchinst:
      return tree.nodes[node.args[0]].desc.indom == kNullId
                 ? "it selects instances of what has none"
                 : "";
    default: return "";
  }
}

}  // namespace

std::string_view why_one_by_one(const PcpTree& tree) {
  for (const PcpNode& node : tree.nodes) {
    const std::string_view why = node.unused ? "" : why_one_by_one(tree, node);
    if (!why.empty()) return why;
  }
  return "";
}

PcpColumns::PcpColumns(PcpEvaluation& evaluation)
    : evaluation_(evaluation),
      one_by_one_(!why_one_by_one(evaluation.tree()).empty()),
      nodes_(evaluation.tree().nodes.size()) {}

bool PcpColumns::run(const ManySamples& samples) {
  if (one_by_one_) return false;
  samples_ = samples;
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    if (node_of(i).unused) continue;
    NodeColumn& out = nodes_[i];
    out.instances.clear();
    if (!node(i) || out.instances.empty()) return false;
    const size_t bytes = bytes_of(node_of(i).desc.pm_type);
    check(out.values.size() == times() * out.instances.size() * bytes, "values are of the type");
  }
  keep_history();
  return true;
}

void PcpColumns::keep_history() {
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    PcpEvaluation::State& state = evaluation_.states_[i];
    if (!state.has_history) continue;
    const NodeColumn& column = nodes_[i];
    const size_t count = column.instances.size();
    state.now.items.clear();
    with_number_type(node_of(i).desc.pm_type, [&]<class T>(T) {
      const T* last = column.as<T>() + (times() - 1) * count;
      for (size_t k = 0; k < count; ++k) {
        state.now.items.push_back({.instance = column.instances[k], .value = atom_with(last[k])});
      }
    });
    state.now.count = static_cast<int>(count);
    state.stamp = samples_.stamps.back();
  }
}

bool PcpColumns::node(uint32_t at) {
  const PcpNode& node = node_of(at);
  NodeColumn& out = nodes_[at];
  switch (node.kind) {
    case ExprKind::name: return leaf(node, out);
    case ExprKind::integer:
    case ExprKind::real:
    case ExprKind::mkconst: return constant(node, out);
    case ExprKind::unary: return prefix(node, out);
    case ExprKind::binary: return two_sided(node, out);
    case ExprKind::ternary: return ternary(node, out);
    case ExprKind::call: return function(node, out);
    case ExprKind::instance: return select_one(node, at, out);
    case ExprKind::matchinst: return select_matching(node, at, out);
    case ExprKind::rescale: return rescale(node, out);
    case ExprKind::novalue:
    case ExprKind::parameter: return false;
  }
  return false;
}

template <class T>
T* PcpColumns::make(NodeColumn& out) const {
  out.values.resize(times() * out.instances.size() * sizeof(T));
  return reinterpret_cast<T*>(out.values.data());
}

bool PcpColumns::leaf(const PcpNode& node, NodeColumn& out) {
  const auto from = std::ranges::find(samples_.operands, node.desc.pmid, &SetColumn::pmid);
  if (from == samples_.operands.end()) return false;
  out.instances.assign(from->instances.begin(), from->instances.end());
  return with_number_type(node.desc.pm_type, [&]<class T>(T) {
    T* to = make<T>(out);
    const size_t count = out.instances.size();
    const bool as_recorded =
        std::ranges::equal(from->lanes, std::views::iota(0, static_cast<int32_t>(count)));
    for (const std::byte* values : from->values) {
      const T* of_time = reinterpret_cast<const T*>(values);
      if (as_recorded) {
        to = std::copy_n(of_time, count, to);
      } else {
        for (const int32_t lane : from->lanes) *to++ = of_time[lane];
      }
    }
  });
}

bool PcpColumns::constant(const PcpNode& node, NodeColumn& out) {
  out.instances.assign(1, kSingular);
  const Atom number = atom_of_number(node.text, node.desc.pm_type);
  return with_number_type(node.desc.pm_type, [&]<class T>(T) {
    const T value = number_in<T>(number);
    std::fill_n(make<T>(out), times(), value);
  });
}

bool PcpColumns::prefix(const PcpNode& node, NodeColumn& out) {
  const NodeColumn& in = arg(node, 0);
  out.instances = in.instances;
  return with_number_type(arg_node(node, 0).desc.pm_type, [&]<class T>(T) {
    const T* from = in.as<T>();
    T* to = make<T>(out);
    const size_t count = times() * out.instances.size();
    if (node.op == Operator::not_) {
      for (size_t i = 0; i < count; ++i) to[i] = from[i] == 0 ? T{1} : T{0};
    } else {
      for (size_t i = 0; i < count; ++i) to[i] = negative(from[i]);
    }
  });
}

template <class T>
const T* PcpColumns::meeting(const PcpNode& node, const NodeColumn& in,
                             std::span<const uint32_t> places, std::vector<T>& scratch) const {
  const size_t width = in.instances.size();
  const bool all = are_all(places, width);
  const T* out = nullptr;
  with_number_type(node.desc.pm_type, [&]<class From>(From) {
    const From* from = in.as<From>();
    if constexpr (std::is_same_v<From, T> && !std::is_same_v<T, double>) {
      if (all) {
        out = from;
        return;
      }
    }
    scratch.resize(times() * places.size());
    T* to = scratch.data();
    out = to;
    const auto converted_one = [&](From value) { return convert<T>(value, node.factor); };
    if (all) {
      for (size_t i = 0; i < scratch.size(); ++i) to[i] = converted_one(from[i]);
    } else {
      for (size_t t = 0; t < times(); ++t, from += width) {
        for (const uint32_t place : places) *to++ = converted_one(from[place]);
      }
    }
  });
  return out;
}

namespace {

// f(op) with the operator known to the compiler, so that the loop in it needs no look at it.
template <class F>
void with_arithmetic(Operator op, F f) {
  switch (op) {
    case Operator::add: return f(std::integral_constant<Operator, Operator::add>{});
    case Operator::sub: return f(std::integral_constant<Operator, Operator::sub>{});
    case Operator::mul: return f(std::integral_constant<Operator, Operator::mul>{});
    default: return f(std::integral_constant<Operator, Operator::div>{});
  }
}

}  // namespace

bool PcpColumns::two_sided(const PcpNode& node, NodeColumn& out) {
  const PcpNode &left_node = arg_node(node, 0), &right_node = arg_node(node, 1);
  const NodeColumn &left = arg(node, 0), &right = arg(node, 1);
  const bool left_set = left_node.desc.indom != kNullId,
             right_set = right_node.desc.indom != kNullId;
  std::vector<uint32_t> of_left, of_right;
  const auto pair = [&](size_t i, size_t j) {
    of_left.push_back(static_cast<uint32_t>(i));
    of_right.push_back(static_cast<uint32_t>(j));
    out.instances.push_back(left_set ? left.instances[i] : right.instances[j]);
  };
  if (left_set && right_set) {
    each_pair(left.instances, right.instances, std::identity{}, pair);
  } else {
    const size_t count = left_set ? left.instances.size() : right.instances.size();
    for (size_t k = 0; k < count; ++k) pair(left_set ? k : 0, right_set ? k : 0);
  }
  const bool arithmetical = node.op <= Operator::div;
  const int type = arithmetical ? node.desc.pm_type : node.common_type;
  return with_number_type(type, [&]<class T>(T) {
    std::vector<T> left_scratch, right_scratch;
    const T* a = meeting(left_node, left, of_left, left_scratch);
    const T* b = meeting(right_node, right, of_right, right_scratch);
    const size_t count = times() * out.instances.size();
    if (arithmetical) {
      T* to = make<T>(out);
      with_arithmetic(node.op, [&](auto op) {
        for (size_t i = 0; i < count; ++i) to[i] = combine<T>(op(), a[i], b[i]);
      });
    } else {
      uint32_t* to = make<uint32_t>(out);
      for (size_t i = 0; i < count; ++i) to[i] = compare<T>(node.op, a[i], b[i]) ? 1 : 0;
    }
  });
}

// The instances with these places among those of the operand, which has the type of the result.
bool PcpColumns::copy_some(const PcpNode& from, const NodeColumn& in,
                           std::span<const uint32_t> places, NodeColumn& out) const {
  for (const uint32_t place : places) out.instances.push_back(in.instances[place]);
  const size_t width = in.instances.size();
  return with_number_type(from.desc.pm_type, [&]<class T>(T) {
    T* to = make<T>(out);
    const T* row = in.as<T>();
    for (size_t t = 0; t < times(); ++t, row += width) {
      for (const uint32_t place : places) *to++ = row[place];
    }
  });
}

// By position, as PcpEvaluation::ternary() has it.
bool PcpColumns::ternary(const PcpNode& node, NodeColumn& out) {
  const auto all_of = [](const NodeColumn& column) {
    std::vector<uint32_t> places(column.instances.size());
    std::iota(places.begin(), places.end(), 0U);
    return places;
  };
  if (node.arms != Arms::both) {
    const size_t arm = node.arms == Arms::left ? 1 : 2;
    return copy_some(arg_node(node, arm), arg(node, arm), all_of(arg(node, arm)), out);
  }
  const PcpNode &left_node = arg_node(node, 1), &right_node = arg_node(node, 2);
  const int type = node.desc.pm_type;
  check(left_node.desc.pm_type == type && right_node.desc.pm_type == type, "arms are of a type");
  const NodeColumn &guard = arg(node, 0), &left = arg(node, 1), &right = arg(node, 2);
  const bool right_names = left_node.desc.indom == kNullId && right_node.desc.indom != kNullId;
  const std::vector<int32_t>& names = (right_names ? right : left).instances;
  const bool named = (right_names ? right_node : left_node).desc.indom != kNullId;
  size_t count = std::max(left.instances.size(), right.instances.size());
  if (named) count = std::min(count, names.size());
  for (size_t i = 0; i < count; ++i) out.instances.push_back(named ? names[i] : kSingular);

  const size_t guards = guard.instances.size();
  std::vector<uint8_t> takes_left(times() * guards);
  const bool known_guard = with_number_type(arg_node(node, 0).desc.pm_type, [&]<class T>(T) {
    const T* truth = guard.as<T>();
    for (size_t i = 0; i < takes_left.size(); ++i) takes_left[i] = truth[i] == 0 ? 0 : 1;
  });
  return known_guard && with_number_type(type, [&]<class T>(T) {
           T* to = make<T>(out);
           const size_t lefts = left.instances.size(), rights = right.instances.size();
           for (size_t t = 0; t < times(); ++t) {
             const T *of_left = left.as<T>() + t * lefts, *of_right = right.as<T>() + t * rights;
             const uint8_t* picks = takes_left.data() + t * guards;
             // Behind the last of the guard's it counts for all others.
             for (size_t i = 0; i < count; ++i) {
               const bool is_left = picks[std::min(i, guards - 1)] != 0;
               *to++ = is_left ? of_left[i < lefts ? i : 0] : of_right[i < rights ? i : 0];
             }
           }
         });
}

bool PcpColumns::function(const PcpNode& node, NodeColumn& out) {
  switch (node.function) {
    case Function::instant: {
      const NodeColumn& in = arg(node, 0);
      out.instances = in.instances;
      out.values = in.values;
      return true;
    }
    case Function::delta:
    case Function::rate: return change(node, out);
    case Function::none: return false;
    default: return one_value(node, out);
  }
}

// Aggregates: in the order of the fetch, in the operand's type but for avg().
bool PcpColumns::one_value(const PcpNode& node, NodeColumn& out) {
  const NodeColumn& in = arg(node, 0);
  const size_t count = in.instances.size();
  out.instances.assign(1, kSingular);
  if (node.function == Function::count || node.function == Function::defined) {
    const auto value = static_cast<uint32_t>(node.function == Function::count ? count : 1);
    std::fill_n(make<uint32_t>(out), times(), value);
    return true;
  }
  return with_number_type(arg_node(node, 0).desc.pm_type, [&]<class T>(T) {
    const T* row = in.as<T>();
    const auto each = [&]<class R>(R* to, auto of_row) {
      for (size_t t = 0; t < times(); ++t, row += count) to[t] = of_row(std::span(row, count));
    };
    const auto best_of = [&](auto better) {
      each(make<T>(out), [&](std::span<const T> values) {
        T best = values.front();
        for (const T value : values) best = better(value, best) ? value : best;
        return best;
      });
    };
    switch (node.function) {
      case Function::avg:
        each(make<float>(out), [&](std::span<const T> values) {
          float mean = 0;
          for (const T value : values) mean += cast<float>(value) / static_cast<float>(count);
          return mean;
        });
        return;
      case Function::sum:
        each(make<T>(out), [](std::span<const T> values) {
          T total{};
          for (const T value : values) total = combine(Operator::add, total, value);
          return total;
        });
        return;
      case Function::max: return best_of([](T value, T best) { return best < value; });
      case Function::min: return best_of([](T value, T best) { return value < best; });
      default: each(make<T>(out), [](std::span<const T> values) { return values.front(); });
    }
  });
}

// The values before the first time are those of the evaluation so far.
bool PcpColumns::change(const PcpNode& node, NodeColumn& out) {
  const Desc& desc = arg_node(node, 0).desc;
  const PcpEvaluation::State& past = evaluation_.states_[node.args[0]];
  const NodeColumn& in = arg(node, 0);
  const size_t count = in.instances.size();
  if (past.now.count <= 0 ||
      !std::ranges::equal(past.now.items, in.instances, {}, &Item::instance)) {
    return false;
  }
  out.instances = in.instances;
  const bool rate = node.function == Function::rate;
  const bool timed = desc.units.dim_time == 1;
  const double unit = timed ? unit_seconds(desc.units.scale_time) : 1;
  const bool may_fall = counters_may_fall(evaluation_.tree().dialect, desc);
  bool has_all = true;
  const bool is_number = with_number_type(desc.pm_type, [&]<class T>(T) {
    // The last of them, in front of this row.
    std::vector<T> first;
    for (const Item& item : past.now.items) first.push_back(number_in<T>(item.value));
    const T* now = in.as<T>();
    const auto each = [&]<class R>(R* to, auto of_pair) {
      const T* before = first.data();
      Stamp then = past.stamp;
      for (size_t t = 0; t < times(); ++t) {
        const double seconds = seconds_since(then, samples_.stamps[t]);
        for (size_t k = 0; k < count; ++k) to[k] = of_pair(now[k], before[k], seconds);
        then = samples_.stamps[t];
        before = now;
        now += count;
        to += count;
      }
    };
    if (!rate) {
      if constexpr (std::is_same_v<T, uint32_t>) {
        each(make<int64_t>(out),
             [](T a, T b, double) { return static_cast<int64_t>(a) - static_cast<int64_t>(b); });
      } else if constexpr (std::is_same_v<T, uint64_t>) {
        each(make<double>(out),
             [](T a, T b, double) { return static_cast<double>(a) - static_cast<double>(b); });
      } else {
        each(make<T>(out), [](T a, T b, double) { return combine(Operator::sub, a, b); });
      }
      return;
    }
    // Where a counter has fallen there is no value.
    for (size_t i = 0; !may_fall && i < times() * count; ++i) {
      const T before = i < count ? first[i] : now[i - count];
      has_all = has_all && !(now[i] < before);
    }
    const auto slope = [](T a, T b, double seconds) {
      return cast<double>(combine(Operator::sub, a, b)) / seconds;
    };
    if (timed) {
      each(make<double>(out),
           [&](T a, T b, double seconds) { return slope(a, b, seconds) * unit; });
    } else {
      each(make<double>(out), slope);
    }
  });
  return is_number && has_all;
}

bool PcpColumns::select_one(const PcpNode& node, uint32_t at, NodeColumn& out) {
  const NodeColumn& in = arg(node, 0);
  const auto found = evaluation_.states_[at].instance;
  if (!found) return false;
  const auto item = std::ranges::find(in.instances, *found);
  if (item == in.instances.end()) return false;
  const auto place = static_cast<uint32_t>(item - in.instances.begin());
  return copy_some(arg_node(node, 0), in, {&place, 1}, out);
}

// Whose verdict is not known yet is looked at in an evaluation of one time.
bool PcpColumns::select_matching(const PcpNode& node, uint32_t at, NodeColumn& out) {
  const NodeColumn& in = arg(node, 0);
  const auto& verdicts = evaluation_.states_[at].selected;
  std::vector<uint32_t> places;
  for (uint32_t i = 0; i < in.instances.size(); ++i) {
    const auto known = verdicts.find(in.instances[i]);
    if (known == verdicts.end()) return false;
    if (known->second) places.push_back(i);
  }
  return copy_some(arg_node(node, 0), in, places, out);
}

bool PcpColumns::rescale(const PcpNode& node, NodeColumn& out) {
  const NodeColumn& in = arg(node, 0);
  const Desc& from = arg_node(node, 0).desc;
  check(from.pm_type == node.desc.pm_type, "rescale() keeps the type");
  out.instances = in.instances;
  bool has_all = true;
  const bool is_number = with_number_type(from.pm_type, [&]<class T>(T) {
    const T* values = in.as<T>();
    T* to = make<T>(out);
    for (size_t i = 0; i < times() * out.instances.size(); ++i) {
      const auto value =
          scaled_atom(from.pm_type, atom_with(values[i]), from.units, node.desc.units);
      has_all = has_all && value.has_value();
      to[i] = value ? number_in<T>(*value) : T{};
    }
  });
  return is_number && has_all;
}

}  // namespace pmjit::pcp
