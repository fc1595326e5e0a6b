// The choice of an evaluator for every shape of kernel that a plan has: interpreter, code that is
// selected fast (O0) or well (O2). Made from the work of all steps of the shape, values to come
// times the cost of its operators (ops.def), against what compiling it costs. It is made before a
// run from what is expected, and again while it goes on from what has come (adaptive_choice.h).
// Private to compiler/driver.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "compiler/driver/driver.h"
#include "compiler/ir/kernel_shape.h"
#include "compiler/plan/plan.h"

namespace pmjit {

enum class Tier : uint8_t { interpreter, o0, o2 };
inline constexpr size_t kTiers = 3;
std::string_view tier_text(Tier tier);

struct ChosenShape {
  KernelShape shape;
  std::string text{};               // the operators
  uint32_t steps = 0;               // that it is the kernel of
  double lanes = 0;                 // of all of them, expected
  uint32_t cost = 0;                // of a lane
  std::array<double, kTiers> ms{};  // expected, compiling included
  Tier tier = Tier::interpreter;
};

// Which of the tiers a choice is between.
struct TierRule {
  EvaluatorChoice evaluator = EvaluatorChoice::automatic;
  std::optional<OptLevel> level{};  // CompileOptions::level
};
inline TierRule tier_rule(const CompileOptions& options) {
  return {.evaluator = options.evaluator, .level = options.level};
}

// What `lanes` of the shape take in each tier: those up to `there` need no compiling any more.
std::array<double, kTiers> expected_ms(const ChosenShape& shape, double lanes, Tier there);
Tier best_tier(const std::array<double, kTiers>& ms, const TierRule& rule);

// Opening libLLVM, its start and the first compiler; once a process.
inline constexpr double kLoadMs = 40;

struct Choice {
  std::vector<ChosenShape> shapes;
  std::vector<uint32_t> shape_of;  // of each lanes or reduce step, in order
  bool pays = true;                // false: not even LLVM would be loaded in that time
};
Choice choose(const Plan& plan, const CompileOptions& options);

// "kernels (native): 3 in O0 for 7 steps, 1 interpreted for 1"
std::string summary(const Choice& choice, const std::string& isa);
// A line a shape: explain --dump=kernels.
std::string print_choice(const Choice& choice);

}  // namespace pmjit
