// How the nodes of a run were computed, time by time: by core operators, or interpreted, and which
// guard did not hold. For `pmjit explain rules`.
//
//   ComputedWays ways(program.nodes.size());
//   RuleRun run(program, sources, zone, {.ways = &ways}, put);  …  ways.of(node).core
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace pmjit::pmie {

class PmieEvaluator;
class TimeBlock;

// `held`: none failed.
enum class Guard : uint8_t {
#define GUARD(name, text) name,
#include "rules/compat/guards.def"
#undef GUARD
  held
};
inline constexpr size_t kGuards = static_cast<size_t>(Guard::held);
// For people.
[[nodiscard]] std::string_view text_of(Guard guard);

class ComputedWays {
 public:
  // Times.
  struct Counts {
    uint64_t core = 0, interpreted = 0;
    std::array<uint64_t, kGuards>
        failed{};  // of the latter, by guard; of a node without proof: none
    [[nodiscard]] uint64_t times() const { return core + interpreted; }
  };
  explicit ComputedWays(size_t nodes) : of_(nodes) {}

  // As the evaluation that has just ended computed the nodes of a statement. `block`: the task's;
  // null: it has none.
  void count(const PmieEvaluator& at, const TimeBlock* block, uint32_t root);
  [[nodiscard]] const Counts& of(uint32_t node) const { return of_[node]; }

 private:
  std::vector<Counts> of_;
};

}  // namespace pmjit::pmie
