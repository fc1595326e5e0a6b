// Proving: which nodes of a program agree with core operators, so that a quantifier need not ask
// each element: of a comparison of a set with one number the set's least and greatest element tell
// whether it is true of none, of all, or of some of them; `&& || ! match_inst` of such follow.
// Over archives most nodes are evaluated at many times at once (time_block.h).
// What depends on data is guarded at every evaluation: all operands have values, none is NaN, and
// there are as many elements as there should be. Where the guard fails the nodes are interpreted.
// Source: design §6; spec rules-language.md §8, §9.
//
//   const Proofs proofs = prove(program, sharing);
//   is_core(proofs[node])
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "compiler/compat/pmie/expr.h"

namespace pmjit::pmie {

// Which nodes are one and the same: they have the same values at the same times, so that one of
// them is evaluated. Source: spec rules-language.md §29.2.
struct Sharing {
  std::vector<uint32_t> nodes;    // of each node the one that stands for it
  std::vector<uint32_t> fetches;  // of each fetch likewise
  // Of those that stand for others: every evaluation of their task evaluates them.
  std::vector<bool> always;
};

// `tasks`: of each statement. Only what every evaluation of its task evaluates is shared: the ring
// of what a ruleset may pass over is its own.
[[nodiscard]] Sharing find_shared(const RuleProgram& program, const std::vector<uint32_t>& tasks);

// How a node is computed; from `leaf` on: interpreted, and why.
enum class Proof : uint8_t {
#define PROOF(name, text) name,
#include "rules/compat/proofs.def"
#undef PROOF
};

// Of each node that stands for others. The others have that of theirs.
using Proofs = std::vector<Proof>;

// `over`: live each time is evaluated for itself, so that nothing is a column.
enum class ProvenOver : uint8_t { archives, hosts };
[[nodiscard]] Proofs prove(const RuleProgram& program, const Sharing& sharing,
                           ProvenOver over = ProvenOver::archives);

// Nodes that stand beside each other: those of a task, or of the program.
struct NodeRange {
  uint32_t begin = 0, end = 0;
};
// Of each node there that stands for others: has it an operator that can be evaluated at many times
// at once, of operands that can, and does every evaluation of its task evaluate it?
[[nodiscard]] std::vector<bool> find_columns(const RuleProgram& program, const Sharing& sharing,
                                             NodeRange range);

[[nodiscard]] inline bool is_core(Proof proof) { return proof < Proof::leaf; }
// Has the node one of the verdicts that a quantifier is decided by?
[[nodiscard]] inline bool is_judged(Proof proof) {
  return proof == Proof::comparison || proof == Proof::connective;
}
// For people.
[[nodiscard]] std::string_view text_of(Proof proof);

}  // namespace pmjit::pmie
