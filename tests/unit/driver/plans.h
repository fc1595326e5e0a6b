// Plans for tests of what is done with them, from the text of an Ir.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "compiler/ir/read.h"
#include "compiler/plan/plan.h"
#include "runtime/program/kernel.h"

namespace pmjit::tests {

inline Plan plan_of(const std::string& text) {
  auto ir = read_ir(text);
  EXPECT_TRUE(ir) << ir.error().text();
  return make_plan(*std::move(ir));
}

// The sum of a row of 1.5, 2.5 and 4 by the kernel of a sum; -1: none.
inline double sum_by(const Kernel& kernel) {
  alignas(64) const double in[16] = {1.5, 2.5, 4};
  alignas(64) double out[16] = {};
  const void* ins[] = {in};
  const uint64_t* valids[] = {nullptr};
  uint64_t valid = 0;
  const KernelFrame frame{ins, valids, nullptr, 1, 3, out, &valid};
  kernel.fn(kernel.self, &frame);
  return valid == 1 ? out[0] : -1;
}

// Two sums over one shape of kernel with different constants, and a product of another shape.
inline constexpr char kThree[] = R"(operand m : 60.0.0 type 3 counter over 60.1
%0 = fetch m : u64 counter over 60.1
%1 = rate %0 : f64 instant / sec over 60.1
%2 = constant 2.5 : f64 discrete
%3 = constant 3.5 : f64 discrete
%4 = add %1 %2 : f64 instant / sec over 60.1
%5 = add %1 %3 : f64 instant / sec over 60.1
%6 = mul %1 %2 : f64 instant / sec over 60.1
%7 = sum %4 : f64 instant / sec
%8 = sum %5 : f64 instant / sec
%9 = sum %6 : f64 instant / sec
root %7
root %8
root %9
)";

}  // namespace pmjit::tests
