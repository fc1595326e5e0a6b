// Aggregates and quantifiers over hosts, instances and samples. Source: spec rules-language.md §8,
// §9 (order-dependent, codes of truth added up: Q6, Q7).
#include <bit>
#include <span>

#include "rules/compat/evaluator.h"

namespace pmjit::pmie {

namespace {

// Elements `step` apart.
struct Elements {
  const double* first;
  size_t count, step;

  double operator[](size_t i) const { return first[i * step]; }
};

double sum(const Elements& of) {
  double out = of[0];
  for (size_t i = 1; i < of.count; ++i) out += of[i];
  return out;
}

template <class Better>
double best(const Elements& of, Better better) {
  double out = of[0];
  for (size_t i = 1; i < of.count; ++i) {
    if (better(of[i], out)) out = of[i];
  }
  return out;
}

// The last of the codes that say something wins: `decides` or unknown.
double quantify(const Elements& of, double decides) {
  if (of.step == 1) {
    // Mostly nothing is unknown, and then the order does not matter. The bits of true and unknown
    // have none in common, and false has none.
    uint64_t any = 0, all = ~uint64_t{0};
    for (size_t i = 0; i < of.count; ++i) {
      any |= std::bit_cast<uint64_t>(of.first[i]);
      all &= std::bit_cast<uint64_t>(of.first[i]);
    }
    constexpr auto kTrueBits = std::bit_cast<uint64_t>(kTrue);
    static_assert((kTrueBits & std::bit_cast<uint64_t>(kUnknown)) == 0);
    if ((any & ~kTrueBits) == 0) return (decides == kTrue ? any : all) != 0 ? kTrue : kFalse;
  }
  double out = of[0];
  for (size_t i = 0; i < of.count; ++i) {
    if (of[i] == decides) out = decides;
    if (of[i] == kUnknown && out != kUnknown) out = kUnknown;
  }
  return out;
}

double count(const Elements& of) {
  size_t out = 0;
  for (size_t i = 0; i < of.count; ++i) out += of[i] == kTrue ? 1 : 0;
  return static_cast<double>(out);
}

double reduce(const PmieNode& node, const Elements& of) {
  switch (node.op) {
    case PmieOp::sum: return sum(of);
    case PmieOp::avg: return sum(of) / static_cast<double>(of.count);
    case PmieOp::max: return best(of, [](double a, double b) { return a > b; });
    case PmieOp::min: return best(of, [](double a, double b) { return a < b; });
    case PmieOp::count: return count(of);
    case PmieOp::all: return quantify(of, kFalse);
    case PmieOp::some: return quantify(of, kTrue);
    default: return is_share(sum(of), node.number, of.count) ? kTrue : kFalse;
  }
}

}  // namespace

void PmieEvaluator::aggregate(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  if (of.valid == 0) return state.fail();
  if (node.dim == Dim::inst) return over_insts(index);
  if (node.dim == Dim::sample) return over_samples(index);
  over_hosts(index);
}

// The first ones of the flat list, as many as there are hosts (Q11). Where the set has fewer
// elements now, pmie reads on: in the sample that lies behind, and then in cleared memory.
void PmieEvaluator::over_hosts(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  const size_t hosts = static_cast<size_t>(std::max(of.shape.hosts, 0));
  state.stamps[state.slot(0)] = of.stamps[of.slot(0)];
  if (hosts == 0) return state.fail();
  if (of.span() >= hosts) {
    state.now()[0] = reduce(node, {of.sample(0), hosts, 1});
    return state.succeed();
  }
  const std::span<const double> ring(of.numbers);
  const auto from = ring.subspan(of.slot(0) * of.span());
  const auto there = from.first(std::min(hosts, from.size()));
  std::vector<double> elements(there.begin(), there.end());
  elements.resize(hosts);
  state.now()[0] = reduce(node, {elements.data(), hosts, 1});
  state.succeed();
}

void PmieEvaluator::over_insts(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  const bool is_truth = kind_of(node.op) == OpKind::quantifier;
  state.stamps[state.slot(0)] = of.stamps[of.slot(0)];
  if (of.shape.hosts <= 1) {
    const bool is_empty = of.shape.insts < 1;
    if (is_empty && !is_truth) return state.fail();
    state.now()[0] =
        is_empty ? kUnknown : reduce(node, {of.sample(0), static_cast<size_t>(of.shape.insts), 1});
    return state.succeed();
  }
  // Each host begins with the last element of the one before.
  size_t at = 0, host = 0;
  for (const int32_t count : counts(index)) {
    if (count == 0) {
      // What later hosts had stays (Q12).
      if (!is_truth) return state.fail();
      state.now()[host] = kUnknown;
      break;
    }
    if (at + static_cast<size_t>(count) > of.span() || host >= state.span()) break;
    state.now()[host++] = reduce(node, {of.sample(0) + at, static_cast<size_t>(count), 1});
    at += static_cast<size_t>(count) - 1;
  }
  state.succeed();
}

// In the order in which the samples lie in the ring.
void PmieEvaluator::over_samples(uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  NodeState& state = of_node(index);
  const NodeState& of = of_node(node.left);
  const int32_t samples = of.shape.held();
  if (of.valid < samples || !same_span(of, state)) return state.fail();
  const size_t span = of.span();
  for (size_t i = 0; i < span; ++i) {
    state.now()[i] = reduce(node, {of.numbers.data() + i, static_cast<size_t>(samples), span});
  }
  state.stamps[state.slot(0)] = of.stamps[of.slot(0)];
  state.succeed();
}

}  // namespace pmjit::pmie
