#include "compiler/passes/passes.h"

namespace pmjit {

namespace {

constexpr Pass kPasses[] = {
    {"fold", fold},
    {"scale", scale},
    {"cse", cse},
    {"dead", dead},
};

}  // namespace

std::span<const Pass> passes() { return kPasses; }

}  // namespace pmjit
