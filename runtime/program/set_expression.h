// SetExpression: an expression that takes the value sets of its operands as a fetch delivers them,
// and gives one, with a state of its own from one evaluation to the next. What libpcp makes of a
// derived metric is of this kind: values meet by the order in which they were delivered, and an
// error stands for a whole set. Kernels never see one.
#pragma once

#include <memory>
#include <span>

#include "runtime/model/catalog.h"
#include "runtime/model/value.h"

namespace pmjit {

class SetEvaluation {
 public:
  virtual ~SetEvaluation() = default;
  // `next`: where a context stands after the fetch, that of the next one on a grid. `sets` has one
  // set an operand, in their order. Values of `out` live until the next run.
  virtual void run(Stamp stamp, Stamp next, std::span<const FetchedSet> sets,
                   const Catalog& catalog, FetchedSet& out) = 0;
};

// Immutable; may be evaluated several times at once.
class SetExpression {
 public:
  virtual ~SetExpression() = default;
  [[nodiscard]] virtual std::unique_ptr<SetEvaluation> start() const = 0;
};

}  // namespace pmjit
