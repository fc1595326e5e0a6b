// Program: what the compiler makes and the executor runs. Slots hold columns; a step fills one slot
// from others. A program is immutable, but for kernels that better ones replace (kernel.h),
// and knows no source: operands are bound to the columns of a plan by order.
//
//   slots   0 fetch disk.dev.read   1 rate(0)   2 sum(1)
//   steps   history 1 <- 0, reduce 2 <- 1
//   roots   2
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/ids.h"
#include "runtime/base/pattern.h"
#include "runtime/model/catalog.h"
#include "runtime/model/desc.h"
#include "runtime/model/results.h"
#include "runtime/model/set_columns.h"
#include "runtime/model/value.h"
#include "runtime/program/kernel.h"

namespace pmjit {

// SetExpression: an expression that takes the value sets of its operands as a fetch delivers them,
// and gives one, with a state of its own from one evaluation to the next. What libpcp makes of a
// derived metric is of this kind: values meet by the order in which they were delivered, and an
// error stands for a whole set. Kernels never see one.
class SetEvaluation {
 public:
  virtual ~SetEvaluation() = default;
  // `next`: where a context stands after the fetch, that of the next one on a grid. `sets` has one
  // set an operand, in their order. Values of `out` live until the next run.
  virtual void run(Stamp stamp, Stamp next, std::span<const FetchedSet> sets,
                   const Catalog& catalog, FetchedSet& out) = 0;
  // run() at several times at once, with a column an operand, in their order. False: nothing has
  // changed, and they have to be run one by one.
  [[nodiscard]] virtual bool run_columns(std::span<const Stamp> stamps,
                                         std::span<const SetColumn> columns, MadeColumn& out) = 0;
};

// Immutable; may be evaluated several times at once.
class SetExpression {
 public:
  virtual ~SetExpression() = default;
  [[nodiscard]] virtual std::unique_ptr<SetEvaluation> start() const = 0;
  // Why run_columns() never evaluates it, in words; empty: it does where the samples allow it.
  [[nodiscard]] virtual std::string_view why_one_by_one() const = 0;
};

// Blame: why a kernel gave a lane no value. Kernels only say that there is none; who wants to know
// why has the lane worked out again, operator by operator. Made along with a program where reasons
// are asked for.

// An input that has no value there, or else what went wrong in the kernel itself.
struct Blamed {
  static constexpr int32_t kItself = -1;
  int32_t input = kItself;  // index into the frame's `in`
  Reason reason = kKnown;   // of kItself
};

// Immutable.
class Blame {
 public:
  virtual ~Blame() = default;
  // `frame` has one row of one lane, for which the kernel gives no value.
  [[nodiscard]] virtual Blamed of(const KernelFrame& frame) const = 0;
};

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

// How far back a program looks on a grid, where history is the row before: the results of a time
// depend on that time and so many before it. At recorded times it may be rows farther back
// (runtime/exec/clock_tracks.h).

// In rows. None: on all of them, or on how libpcp comes to its values, which depends on what was
// fetched before.
[[nodiscard]] inline std::optional<uint32_t> history_rows(const Program& program) {
  const auto exact = [](const ProgramOperand& operand) {
    return operand.between == Between::exact;
  };
  if (!std::ranges::all_of(program.operands, exact)) return std::nullopt;
  std::vector<uint32_t> depth(program.slots.size(), 0);
  uint32_t most = 0;
  for (const Step& step : program.steps) {
    // Guests get their identifiers in the order in which they come.
    if (step.kind == StepKind::sets || step.kind == StepKind::meet) return std::nullopt;
    uint32_t& of_step = depth[step.out.index];
    for (const StepInput& input : step.inputs) {
      using enum StepInput::Kind;
      const uint32_t of_input = input.kind == seconds ? 0 : depth[input.slot.index];
      of_step = std::max(of_step, of_input + (input.kind == now ? 0 : 1));
    }
    most = std::max(most, of_step);
  }
  return most;
}

}  // namespace pmjit
