// Which kernels are compiled together. Private to compiler/driver.
#pragma once

#include <memory>
#include <vector>

#include "compiler/driver/compiling.h"
#include "compiler/driver/evaluator_choice.h"

namespace pmjit {

struct WantedKernel {
  const KernelShape& shape;
  std::shared_ptr<KernelSlot> slot;
  Tier tier;       // not the interpreter
  double gain_ms;  // against what is there
};

// What gains most is compiled first. A batch is of one level.
std::vector<Compiling::Batch> batches_of(const std::vector<WantedKernel>& wanted);

}  // namespace pmjit
