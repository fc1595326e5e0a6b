// Plan: which nodes become one kernel, and in which slots results stand. Element-wise chains
// between operators that change the roster are fused; history, reductions and selections start from
// a slot of their own.
//
//   Plan plan = make_plan(ir);              // specs for interp or codegen
//   Program program = assemble_program(plan, kernels, infos, bodies);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/kernel_spec.h"
#include "runtime/program/program.h"

namespace pmjit {

struct PlanStep {
  StepKind kind = StepKind::lanes;
  NodeId node{};                 // whose value the step makes
  KernelSpec spec{};             // lanes, reduce
  std::vector<NodeId> inputs{};  // lanes: see spec.inputs
  std::string text{};            // the operators, for explain and --stats
  uint32_t cost = 0;
  std::optional<PickInputs> picks{};  // lanes: a ?: whose arms may lack lanes
};

struct Plan {
  Ir ir;                           // the input, plus a node for each root that is a constant
  std::vector<Updaters> clock_of;  // of each node
  std::vector<SlotId> slot_of;     // of each node; unknown: it lives inside a kernel
  std::vector<PlanStep> steps;
};

Plan make_plan(Ir ir);

// What DerivedExpression::body is a number of.
using Bodies = std::vector<std::shared_ptr<const SetExpression>>;
// kernels[i] belongs to the i-th step of kind lanes or reduce, in order; infos[k] to root k.
Program assemble_program(const Plan& plan,
                         const std::vector<std::shared_ptr<const KernelSlot>>& kernels,
                         std::vector<ResultInfo> infos, const Bodies& bodies);

// Steps, slots and clocks, a line each: `explain --dump=plan`.
std::string print_plan(const Plan& plan);

}  // namespace pmjit
