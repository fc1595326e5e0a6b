// From the plan to runtime's own type: slots and steps without an Ir.

#include <fmt/core.h>

#include "compiler/ir/print.h"
#include "compiler/plan/plan.h"
#include "runtime/base/result.h"

namespace pmjit {

namespace {

StepInput::Kind kind_of(KernelInput::Kind kind) {
  switch (kind) {
    case KernelInput::Kind::now: return StepInput::Kind::now;
    case KernelInput::Kind::before: return StepInput::Kind::before;
    case KernelInput::Kind::seconds: break;
  }
  return StepInput::Kind::seconds;
}

bool has_kernel(const PlanStep& step) {
  return step.kind == StepKind::lanes || step.kind == StepKind::reduce ||
         step.kind == StepKind::reduce_hosts;
}

Step make_step(const Plan& plan, const PlanStep& from) {
  Step step{.kind = from.kind,
            .out = plan.slot_of[from.node.index],
            .operators = static_cast<uint32_t>(from.spec.nodes.size()),
            .text = from.text};
  if (from.kind == StepKind::lanes || from.kind == StepKind::reduce) {
    for (const KernelInput& input : from.spec.inputs) {
      step.inputs.push_back({kind_of(input.kind), plan.slot_of[input.node.index]});
    }
    for (NodeId constant : from.spec.constants)
      step.args.push_back(plan.ir.nodes[constant].payload);
  } else if (from.kind != StepKind::sets) {
    for (NodeId input : from.inputs)
      step.inputs.push_back({StepInput::Kind::now, plan.slot_of[input.index]});
  }
  step.picks = from.picks;
  const Node& node = plan.ir.nodes[from.node];
  if (from.kind == StepKind::spread) {
    step.args = {node.payload};
    step.domain = plan.ir.type_of(from.node).axes.domain;
  }
  const bool has_text = payload_of(node.op) == Payload::text;
  if (has_text || from.kind == StepKind::meet) {
    step.domain = plan.ir.type_of(from.inputs[0]).axes.domain;
  }
  if (!has_text) return step;
  const std::string& text = plan.ir.texts[node.payload];
  if (from.kind == StepKind::select) step.instance = text;
  if (from.kind == StepKind::equals) step.literal = text;
  if (from.kind == StepKind::matching) {
    step.pattern = Pattern(text);
    step.matching = node.op == Op::matching;
  }
  return step;
}

// Operands that only derived metrics use have no node; they need a slot all the same.
void add_unnamed_operands(const Ir& ir, Program& program) {
  for (uint32_t i = 0; i < program.operands.size(); ++i) {
    if (program.operands[i].slot.known()) continue;
    const Operand& operand = ir.operands[OperandId{{i}}];
    const SlotId slot =
        program.slots.add(Slot{.elem = elem_from_pm(operand.desc.pm_type).value_or(Elem::f64),
                               .domain = operand.desc.indom,
                               .has_lanes = operand.desc.indom != kNullId,
                               .clock = {i}});
    program.operands[i] = {
        .metric = operand.metric, .desc = operand.desc, .slot = slot, .between = operand.between};
  }
}

uint32_t slot_count(const Plan& plan) {
  uint32_t count = 0;
  for (SlotId slot : plan.slot_of) count += slot.known() ? 1 : 0;
  return count;
}

}  // namespace

Program assemble_program(const Plan& plan,
                         const std::vector<std::shared_ptr<const KernelSlot>>& kernels,
                         std::vector<ResultInfo> infos, const Bodies& bodies) {
  Program program;
  for (uint32_t i = 0, slots = slot_count(plan); i < slots; ++i) program.slots.add(Slot{});
  program.operands.resize(plan.ir.operands.size());
  for (uint32_t i = 0; i < plan.ir.nodes.size(); ++i) {
    const SlotId slot = plan.slot_of[i];
    if (!slot.known()) continue;
    const NodeId id{{i}};
    const Type& type = plan.ir.type_of(id);
    program.slots[slot] = Slot{.elem = type.elem,
                               .domain = type.axes.domain,
                               .has_lanes = type.axes.domain != kNullId,
                               .clock = plan.clock_of[i]};
    if (plan.ir.nodes[id].op != Op::fetch) continue;
    const auto index = static_cast<uint32_t>(plan.ir.nodes[id].payload);
    const Operand& operand = plan.ir.operands[OperandId{{index}}];
    check(!program.operands[index].slot.known(), "one fetch an operand");
    program.operands[index] = {
        .metric = operand.metric, .desc = operand.desc, .slot = slot, .between = operand.between};
  }
  add_unnamed_operands(plan.ir, program);
  size_t next = 0;
  for (const PlanStep& from : plan.steps) {
    Step step = make_step(plan, from);
    if (payload_of(plan.ir.nodes[from.node].op) == Payload::derived) {
      const DerivedExpression& derived = plan.ir.derived[plan.ir.nodes[from.node].payload];
      if (from.kind == StepKind::sets) {
        check(derived.body < bodies.size(), "a derived metric read from text is not run");
        step.sets = bodies[derived.body];
      }
      for (const OperandId operand : derived.operands) {
        step.inputs.push_back({StepInput::Kind::now, program.operands[operand.index].slot});
      }
    }
    if (has_kernel(from)) step.kernel = kernels[next++];
    program.steps.push_back(std::move(step));
  }
  for (size_t k = 0; k < plan.ir.roots.size(); ++k) {
    program.roots.push_back({plan.slot_of[plan.ir.roots[k].index], std::move(infos[k])});
  }
  return program;
}

std::string print_plan(const Plan& plan) {
  std::string out;
  auto slot = [&](NodeId id) { return fmt::format("s{}", plan.slot_of[id.index].index); };
  for (uint32_t i = 0; i < plan.ir.nodes.size(); ++i) {
    const NodeId id{{i}};
    if (plan.ir.nodes[id].op != Op::fetch) continue;
    const OperandId operand{{static_cast<uint32_t>(plan.ir.nodes[id].payload)}};
    out += fmt::format("{} = fetch {} : {}\n", slot(id), operand_text(plan.ir.operands[operand]),
                       type_text(plan.ir.type_of(id)));
  }
  for (const PlanStep& step : plan.steps) {
    static constexpr std::string_view kKinds[] = {
        "lanes",  "reduce", "select", "sets",   "scalar", "matching", "known",       "proven",
        "nobody", "encode", "decode", "equals", "spread", "meet",     "reduce_hosts"};
    out += fmt::format("{} = {} [{}]", slot(step.node), kKinds[static_cast<size_t>(step.kind)],
                       step.text);
    const bool over_hosts = step.kind == StepKind::reduce_hosts;
    for (size_t i = 0; over_hosts && i < step.inputs.size(); ++i) {
      out += " " + slot(step.inputs[i]);
    }
    for (const KernelInput& input : step.spec.inputs) {
      if (over_hosts) break;
      static constexpr std::string_view kInputs[] = {"", "before ", "seconds"};
      const bool timed = input.kind == KernelInput::Kind::seconds;
      out += fmt::format(" {}{}", kInputs[static_cast<size_t>(input.kind)],
                         timed ? "" : slot(input.node));
    }
    if (step.spec.inputs.empty() && !step.inputs.empty()) out += " " + slot(step.inputs[0]);
    out += " on {";
    for (uint32_t operand : plan.clock_of[step.node.index]) {
      out += (out.back() == '{' ? "" : " ") + operand_text(plan.ir.operands[OperandId{{operand}}]);
    }
    out += fmt::format("}} cost {}\n", step.cost);
  }
  for (NodeId root : plan.ir.roots) out += "root " + slot(root) + "\n";
  return out;
}

}  // namespace pmjit
