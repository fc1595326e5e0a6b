// Lowering: checked expressions become nodes of one Ir. Everything was decided by Sema; here are
// only the casts and scale factors that Checked::want asks for, spelled out as operators.
#pragma once

#include <span>

#include "compiler/ir/ir.h"
#include "compiler/sema/sema.h"

namespace pmjit {

struct LowerOptions {
  bool counter_wrap = false;  // PCP_COUNTER_WRAP
  bool on_grid = false;       // values between observations: dialects differ in them
};

// Where a reduction over hosts stands: node `node`, of shape hosts, is made from expression `at` of
// sema.exprs()[expr].
struct HostsNode {
  NodeId node;
  uint32_t expr = 0;
  ExprId at;
};

struct Lowered {
  Ir ir;
  std::vector<HostsNode> hosts;  // each with the one operand of the host that was lowered
};

// `roots` index sema.exprs(); they were checked and none failed.
Lowered lower(const Sema& sema, std::span<const uint32_t> roots, const LowerOptions& options);

// Shares of truths, lane by lane: `50 %_sample` of a rule, in terms of && and ||.

// True where at least `percent` of the truths are, false where too few may be, and unknown between
// (spec dialects.md §4.2). `like` has the type and the place of what is made.
NodeId at_least_of(Ir& ir, std::span<const NodeId> truths, uint64_t percent, const Node& like);

}  // namespace pmjit
