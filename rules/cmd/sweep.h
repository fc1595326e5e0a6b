// pmjit eval --sweep EXPR NAME=VALUES…: what of eval's options goes with it, and its input.
#pragma once

#include <string>
#include <vector>

#include "rules/cmd/common.h"

namespace pmjit {

struct SweepUse {
  const std::string& format;
  bool rate, reasons;
};
// `arguments`: the expression, then the values of its parameters.
Result<CompileInput> sweep_input(const CommonOptions& options,
                                 const std::vector<std::string>& arguments, const SweepUse& use);

// Records a block at most: every point has its own values of each of them.
uint32_t sweep_block_rows(const SweepPoints& points);

}  // namespace pmjit
