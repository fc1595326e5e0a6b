// Adapting: the choice of an evaluator, made again while the program runs. Before a run it is made
// from what is expected of it, and an archive may turn out richer than its beginning; of a host
// nothing is expected. Where a shape has had so much work that a better tier would have paid for
// it, compiling included, that is compiled: as much again may come, and if nothing does, no more
// than what was spent already is lost.
//
//   adapting.look();                       // between blocks, by whoever evaluates
//   while (compiling.compile_next()) {}    // by anybody
#pragma once

#include <memory>
#include <vector>

#include "compiler/driver/compiling.h"
#include "compiler/driver/evaluator_choice.h"

namespace pmjit {

class Adapting {
 public:
  using Slots = std::vector<std::shared_ptr<KernelSlot>>;  // one a shape
  Adapting(Choice choice, Slots slots, TierRule rule, std::shared_ptr<Compiling> compiling);

  // Leaves to Compiling what is due by the lanes that the slots have worked on.
  void look();

 private:
  std::vector<ChosenShape> shapes_;  // tier: the last that was chosen, compiled yet or not
  Slots slots_;
  std::vector<uint64_t> seen_;  // lanes when that was
  TierRule rule_;
  bool opened_;  // libLLVM, or it is about to be
  std::shared_ptr<Compiling> compiling_;
};

}  // namespace pmjit
