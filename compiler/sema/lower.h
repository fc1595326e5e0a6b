// Lowering: checked expressions become nodes of one Ir. Everything was decided by Sema; here are
// only the casts and scale factors that Checked::want asks for, spelled out as operators.
#pragma once

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

}  // namespace pmjit
