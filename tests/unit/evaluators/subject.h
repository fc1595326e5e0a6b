// Subject: one kernel under test, in a shared Ir; and the columns it is run on. Columns end at
// guard pages, so that reading too far is a crash and not luck.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/ir/kernel_ops.h"
#include "runtime/base/bytes.h"
#include "runtime/program/kernel.h"

namespace pmjit::tests {

struct Subject {
  KernelSpec spec;
  uint64_t seed = 0;
};

bool reduces(const Ir& ir, const Subject& subject);
// The nodes that make the kernel, for people.
std::string text_of(const Ir& ir, const Subject& subject);

// One value of an operand: what stands there, and whether it is there.
struct Sample {
  uint64_t bits = 0;
  bool valid = true;
};

struct Data {
  size_t rows = 0, lanes = 1;
  std::vector<std::vector<Sample>> inputs;  // as spec.inputs
  std::vector<bool> no_bitmap;  // an operand of which all are valid, and no bitmap is given
  std::vector<uint64_t> args;
};
std::vector<uint64_t> args_of(const Ir& ir, const KernelSpec& spec);

// What a kernel left: value bits of the valid lanes, all NaNs as one.
using Outcome = std::vector<std::optional<uint64_t>>;

// Where `problem` is not empty, the kernel broke the frame's rules: tail bits, or bytes beyond the
// result.
struct RunResult {
  Outcome outcome;
  std::string problem;
};

// Keeps the columns for several kernels of the same spec.
class Bench {
 public:
  Bench(const Ir& ir, const Subject& subject, const Data& data);
  RunResult run(const Kernel& kernel);
  [[nodiscard]] size_t results() const { return results_; }

 private:
  std::vector<Buffer> values_, bitmaps_;
  std::vector<const void*> in_;
  std::vector<const uint64_t*> valid_;
  std::vector<uint64_t> args_;
  size_t rows_, lanes_, results_;
  Elem elem_;
};

std::string describe(Elem elem, const std::optional<uint64_t>& value);

}  // namespace pmjit::tests
