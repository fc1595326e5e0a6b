// Program: what the compiler makes and the executor runs. Slots hold columns; a step fills one slot
// from others. A program is immutable, but for kernels that better ones replace (kernel_slot.h),
// and knows no source: operands are bound to the columns of a plan by order.
//
//   slots   0 fetch disk.dev.read   1 rate(0)   2 sum(1)
//   steps   history 1 <- 0, reduce 2 <- 1
//   roots   2
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/ids.h"
#include "runtime/base/pattern.h"
#include "runtime/model/desc.h"
#include "runtime/model/results.h"
#include "runtime/model/values_between.h"
#include "runtime/program/blame.h"
#include "runtime/program/kernel_slot.h"
#include "runtime/program/set_expression.h"

namespace pmjit {

struct SlotId : Id<SlotId> {};

// Which operands' observations make a slot change: the "sample" axis. Ascending operand indices.
using Updaters = std::vector<uint32_t>;

struct ProgramOperand {
  std::string metric;
  Desc desc;
  SlotId slot;
  Between between = Between::exact;
};

struct Slot {
  Elem elem = Elem::f64;
  InDomId domain = kNullId;  // kNullId: no instance axis
  bool has_lanes = false;    // an instance axis: rosters; else the roster of one
  Updaters clock{};          // empty: constant over time
};

enum class StepKind : uint8_t {
  lanes,         // a kernel over the joined lanes of its inputs
  reduce,        // a kernel over the lanes of each row
  select,        // one instance, by name
  sets,          // an expression over whole value sets
  scalar,        // the one element
  matching,      // the instances whose names match a pattern, or do not
  known,         // the instances that have a value
  proven,        // they, but an error of a further input is that of all
  nobody,        // no instance, ever
  encode,        // numbers for texts
  decode,        // and back
  equals,        // truths for texts: those that are the literal
  spread,        // a constant, for every instance that the domain has
  meet,          // instances of an equivalent domain, by their names
  reduce_hosts,  // a kernel over the hosts that have an instance, an input each
};

struct StepInput {
  enum class Kind : uint8_t { now, before, seconds };
  Kind kind = Kind::now;
  SlotId slot;
};

// The inputs of a ?: whose arms may lack lanes that the other has: a lane that only the arm not
// picked lacks is there, one that the picked arm lacks is vacant.
struct PickInputs {
  static constexpr int32_t kConstant = -1;  // the arm is a constant: all lanes; so is the guard
  static constexpr int32_t kOther = -2;     // the arm that a constant guard does not pick
  int32_t guard = kConstant, left = kConstant, right = kConstant;
};

struct Step {
  StepKind kind = StepKind::lanes;
  SlotId out{};
  std::vector<StepInput> inputs{};
  std::vector<uint64_t> args{};                // constants of kernels; spread: the number
  std::shared_ptr<const KernelSlot> kernel{};  // lanes, reduce, reduce_hosts
  std::shared_ptr<const Blame> blame{};        // lanes, where reasons are asked for
  std::string instance{};                      // select: the external name
  std::string literal{};                       // equals: the text to compare with
  Pattern pattern{};                           // matching: of the external name
  bool matching = true;                        // matching: those that match it, or that do not
  InDomId domain = kNullId;                    // select, matching, meet: of the input; spread
  std::optional<PickInputs> picks{};           // lanes
  std::shared_ptr<const SetExpression> sets{};
  uint32_t operators = 0;  // lanes, reduce: of the kernel
  std::string text{};      // for explain and --stats: the operators of the step
};

struct ProgramRoot {
  SlotId slot;
  ResultInfo info;
};

struct Program {
  std::vector<ProgramOperand> operands;
  Store<SlotId, Slot> slots;
  std::vector<Step> steps;  // in evaluation order
  std::vector<ProgramRoot> roots;
};

}  // namespace pmjit
