// compile_drop: kernels compiled and dropped again and again, each time others. Prints resident
// memory in kilobytes after a tenth of the cycles and at the end, on one line.
//
//   compile_drop CYCLES
//
// tests/shown/compile_soak holds the one to the other.
#include <fmt/core.h>

#include <cstdlib>
#include <fstream>

#include "compiler/codegen/load.h"
#include "compiler/ir/read.h"

namespace {

using namespace pmjit;

// A chain, and a sum: both forms of kernels. `factor` makes the chain another kernel.
std::vector<KernelShape> shapes(uint64_t factor) {
  const auto ir =
      read_ir(fmt::format("operand m : 60.0.0 type 3 counter over 60.1\n"
                          "%0 = fetch m : u64 counter over 60.1\n"
                          "%1 = rate %0 : f64 instant / sec over 60.1\n"
                          "%2 = scale_up %1 by {} : f64 instant / sec over 60.1\n"
                          "%3 = div %2 %1 : f64 instant over 60.1\n"
                          "%4 = sum %3 : f64 instant\n"
                          "root %4\n",
                          factor));
  if (!ir) {
    fmt::print(stderr, "{}\n", ir.error().text());
    std::exit(1);
  }
  const NodeId fetch{{0}}, rate{{1}}, scale{{2}}, div{{3}}, sum{{4}};
  const KernelSpec chain{.nodes = {rate, scale, div},
                         .inputs = {{KernelInput::Kind::now, fetch, Elem::u64},
                                    {KernelInput::Kind::before, fetch, Elem::u64},
                                    {KernelInput::Kind::seconds, rate, Elem::f64}},
                         .constants = {}};
  const KernelSpec reduced{
      .nodes = {sum}, .inputs = {{KernelInput::Kind::now, div, Elem::f64}}, .constants = {}};
  return {shape_of(*ir, chain), shape_of(*ir, reduced)};
}

uint64_t resident_kb() {
  std::ifstream in("/proc/self/statm");
  uint64_t total = 0, resident = 0;
  in >> total >> resident;
  return resident * 4;
}

}  // namespace

int main(int argc, char** argv) {
  const uint64_t cycles = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 10'000;
  const auto module = load_codegen();
  if (!module) {
    fmt::print(stderr, "{}\n", module.error().text());
    return 1;
  }
  uint64_t early_kb = 0;
  for (uint64_t i = 1; i <= cycles; ++i) {
    const auto made = (*module)->compile(shapes(i), {});
    if (!made) {
      fmt::print(stderr, "{}\n", made.error().text());
      return 1;
    }
    if (i == cycles / 10) early_kb = resident_kb();
  }
  fmt::print("{} {}\n", early_kb, resident_kb());
}
