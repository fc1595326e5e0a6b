#include "compiler/driver/kernel_batches.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace pmjit {

namespace {

// Kernels compiled together share the cost of a compiler and a module; the memory of code
// generation grows with them, and so does the time until the first is ready, or until a thread that
// is told to stop does. Either takes some 10 or 30 ms.
constexpr std::array<size_t, kTiers> kKernelsPerBatch = {0, 32, 8};

}  // namespace

std::vector<Compiling::Batch> batches_of(const std::vector<WantedKernel>& wanted) {
  std::vector<size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::ranges::greater{},
                           [&](size_t i) { return wanted[i].gain_ms; });
  std::vector<Compiling::Batch> out;
  std::array<size_t, kTiers> open{};
  for (const size_t i : order) {
    const WantedKernel& one = wanted[i];
    const auto level = static_cast<size_t>(one.tier);
    size_t& at = open[level];  // counted from 1
    if (at == 0 || out[at - 1].shapes.size() == kKernelsPerBatch[level]) {
      out.push_back({.level = one.tier == Tier::o0 ? OptLevel::O0 : OptLevel::O2});
      at = out.size();
    }
    out[at - 1].shapes.push_back(one.shape);
    out[at - 1].slots.push_back(one.slot);
  }
  return out;
}

}  // namespace pmjit
