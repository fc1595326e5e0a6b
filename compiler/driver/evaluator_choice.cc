#include "compiler/driver/evaluator_choice.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace pmjit {

namespace {

// Measured on two cores with AVX-512 (compiler/codegen/README.md). Only ratios matter, and these
// are alike elsewhere: the nanoseconds of a lane and unit of cost, and the milliseconds of
// compiling a kernel and each of its operators.
struct TierCost {
  double lane_ns, kernel_ms, operator_ms;
};
constexpr std::array<TierCost, kTiers> kCosts = {{
    {.lane_ns = 0.9, .kernel_ms = 0, .operator_ms = 0},
    {.lane_ns = 0.12, .kernel_ms = 0.12, .operator_ms = 0.025},
    {.lane_ns = 0.08, .kernel_ms = 0.6, .operator_ms = 0.35},
}};
constexpr double kNsPerMs = 1e6;

bool in_kernel(const PlanStep& step) {
  return step.kind == StepKind::lanes || step.kind == StepKind::reduce ||
         step.kind == StepKind::reduce_hosts;
}

// What its steps are expected to work on.
class ExpectedLanes {
 public:
  ExpectedLanes(const Plan& plan, const CompileOptions& options) : plan_(plan) {
    const ExpectedWork& expected = options.expected;
    const bool matters =
        options.evaluator != EvaluatorChoice::interpreter && bound(expected) >= kLoadMs;
    if (!expected.of_metrics || (!options.dumps && !matters)) return;
    std::vector<PmId> metrics;
    for (const Operand& operand : plan.ir.operands) metrics.push_back(operand.desc.pmid);
    metrics_ = expected.of_metrics(metrics);
    for (uint32_t i = 0; i < metrics.size(); ++i) {
      double& size = sizes_[plan.ir.operands[OperandId{{i}}].desc.indom];
      size = std::max(size, metrics_[i].lanes);
    }
  }

  double of(const PlanStep& step) const {
    double rows = 0;
    for (const uint32_t operand : plan_.clock_of[step.node.index]) {
      if (operand < metrics_.size()) rows = std::max(rows, metrics_[operand].rows);
    }
    const bool reduces = step.kind == StepKind::reduce;
    const NodeId over = reduces ? step.inputs[0] : step.node;
    const auto size = sizes_.find(plan_.ir.type_of(over).axes.domain);
    return size == sizes_.end() ? rows : rows * size->second;
  }

 private:
  // The interpreter's milliseconds, at most.
  double bound(const ExpectedWork& expected) const {
    double cost = 0;                    // of a value, if all values are of one metric
    std::map<uint32_t, double> of_one;  // of a value of each metric, in steps that see no other
    for (const PlanStep& step : plan_.steps) {
      if (!in_kernel(step)) continue;
      const auto& operands = plan_.clock_of[step.node.index];
      (operands.size() == 1 ? of_one[operands.front()] : cost) += step.cost;
    }
    double dearest = 0;
    for (const auto& [operand, sum] : of_one) dearest = std::max(dearest, sum);
    return (cost + dearest) * expected.values_most * kCosts[0].lane_ns / kNsPerMs;
  }

  const Plan& plan_;
  std::vector<MetricWork> metrics_;
  std::map<InDomId, double> sizes_;  // of domains
};

bool allowed(Tier tier, const TierRule& rule) {
  switch (rule.evaluator) {
    case EvaluatorChoice::interpreter: return tier == Tier::interpreter;
    case EvaluatorChoice::kernels:
      if (tier == Tier::interpreter) return false;
      break;
    case EvaluatorChoice::automatic:
      if (tier == Tier::interpreter) return true;
      break;
  }
  return !rule.level || (*rule.level == OptLevel::O0) == (tier == Tier::o0);
}

double gain_ms(const Choice& choice) {
  double out = 0;
  for (const ChosenShape& shape : choice.shapes) {
    out += shape.ms[0] - shape.ms[static_cast<size_t>(shape.tier)];
  }
  return out;
}

Choice shapes_of(const Plan& plan, const CompileOptions& options) {
  Choice out;
  const ExpectedLanes lanes(plan, options);
  std::unordered_map<KernelShape, uint32_t, KernelShapeHash> known;
  for (const PlanStep& step : plan.steps) {
    if (!in_kernel(step)) continue;
    KernelShape shape = shape_of(plan.ir, step.spec);
    const auto index = static_cast<uint32_t>(out.shapes.size());
    const auto [found, is_new] = known.try_emplace(shape, index);
    if (is_new) {
      out.shapes.push_back({.shape = std::move(shape), .text = step.text, .cost = step.cost});
    }
    out.shape_of.push_back(found->second);
    ChosenShape& chosen = out.shapes[found->second];
    ++chosen.steps;
    chosen.lanes += lanes.of(step);
  }
  return out;
}

}  // namespace

std::string_view tier_text(Tier tier) {
  static constexpr std::string_view kTexts[kTiers] = {"interpreted", "O0", "O2"};
  return kTexts[static_cast<size_t>(tier)];
}

std::array<double, kTiers> expected_ms(const ChosenShape& shape, double lanes, Tier there) {
  std::array<double, kTiers> out{};
  for (size_t i = 0; i < kTiers; ++i) {
    const TierCost& tier = kCosts[i];
    out[i] = lanes * shape.cost * tier.lane_ns / kNsPerMs;
    if (i <= static_cast<size_t>(there)) continue;
    out[i] += tier.kernel_ms + tier.operator_ms * static_cast<double>(shape.shape.ops.size());
  }
  return out;
}

Tier best_tier(const std::array<double, kTiers>& ms, const TierRule& rule) {
  std::optional<Tier> best;
  for (const Tier tier : {Tier::interpreter, Tier::o0, Tier::o2}) {
    if (!allowed(tier, rule)) continue;
    if (!best || ms[static_cast<size_t>(tier)] < ms[static_cast<size_t>(*best)]) best = tier;
  }
  return *best;
}

Choice choose(const Plan& plan, const CompileOptions& options) {
  Choice out = shapes_of(plan, options);
  for (ChosenShape& shape : out.shapes) {
    shape.ms = expected_ms(shape, shape.lanes, Tier::interpreter);
    shape.tier = best_tier(shape.ms, tier_rule(options));
  }
  out.pays = options.evaluator == EvaluatorChoice::kernels || gain_ms(out) > kLoadMs;
  if (out.pays) return out;
  for (ChosenShape& shape : out.shapes) shape.tier = Tier::interpreter;
  return out;
}

std::string summary(const Choice& choice, const std::string& isa) {
  struct Count {
    uint32_t shapes = 0, steps = 0;
  };
  std::array<Count, kTiers> counts{};
  for (const ChosenShape& shape : choice.shapes) {
    Count& count = counts[static_cast<size_t>(shape.tier)];
    ++count.shapes;
    count.steps += shape.steps;
  }
  std::string out = fmt::format("kernels ({}):", isa);
  for (const Tier tier : {Tier::o0, Tier::o2, Tier::interpreter}) {
    const Count& count = counts[static_cast<size_t>(tier)];
    if (count.shapes == 0) continue;
    const std::string_view in = tier == Tier::interpreter ? "" : "in ";
    out += fmt::format("{} {} {}{} for {} step{}", out.back() == ':' ? "" : ",", count.shapes, in,
                       tier_text(tier), count.steps, count.steps == 1 ? "" : "s");
  }
  return out;
}

std::string print_choice(const Choice& choice) {
  std::string out;
  for (const ChosenShape& shape : choice.shapes) {
    out += fmt::format(
        "[{}] for {} step{}, {:.0f} lanes × cost {}: interpreted {:.3g} ms, O0 {:.3g} ms, "
        "O2 {:.3g} ms: {}\n",
        shape.text, shape.steps, shape.steps == 1 ? "" : "s", shape.lanes, shape.cost, shape.ms[0],
        shape.ms[1], shape.ms[2], tier_text(shape.tier));
  }
  return out;
}

}  // namespace pmjit
