// Text of IR: what reads prints as text that reads to the same; what also verifies can be
// interpreted, operator by operator, over any bytes. The values come from the end of the input, so
// that the fuzzer owns them too.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "compiler/interp/interp.h"
#include "compiler/ir/print.h"
#include "compiler/ir/read.h"
#include "compiler/ir/verify.h"
#include "runtime/base/bits.h"
#include "runtime/base/result.h"

namespace pmjit {
namespace {

constexpr uint32_t kNodesMax = 64;  // of which each is interpreted
constexpr size_t kRows = 3, kLanes = 5, kCount = kRows * kLanes;

// One operator, all of its operands as inputs.
KernelSpec spec_of(const Ir& ir, NodeId id) {
  KernelSpec spec{.nodes = {id}, .inputs = {}, .constants = {}};
  const OpInfo& row = info(ir.nodes[id].op);
  for (const NodeId arg : ir.args_of(id)) {
    spec.inputs.push_back({KernelInput::Kind::now, arg, ir.type_of(arg).elem});
    if (row.shape == Shape::past) {
      spec.inputs.push_back({KernelInput::Kind::before, arg, ir.type_of(arg).elem});
    }
  }
  if (row.type == TypeRule::rate) {
    spec.inputs.push_back({KernelInput::Kind::seconds, id, Elem::f64});
  }
  return spec;
}

void run(const Ir& ir, NodeId id, std::string_view bytes) {
  const KernelSpec spec = spec_of(ir, id);
  const OwnedKernel kernel = interpret(ir, spec);
  std::vector<std::vector<uint64_t>> values;
  std::vector<uint64_t> bitmaps(spec.inputs.size());
  std::vector<const void*> in;
  std::vector<const uint64_t*> valid;
  size_t at = 0;
  for (size_t k = 0; k < spec.inputs.size(); ++k) {
    std::vector<uint64_t> column(kCount + kRows);
    auto* raw = reinterpret_cast<unsigned char*>(column.data());
    for (size_t i = 0; i < column.size() * 8 && !bytes.empty(); ++i) {
      raw[i] = static_cast<unsigned char>(bytes[at++ % bytes.size()]);
    }
    bitmaps[k] = column.back() & bits::tail_mask(kCount);
    values.push_back(std::move(column));
    in.push_back(values.back().data());
    valid.push_back(k % 2 == 0 ? &bitmaps[k] : nullptr);
  }
  std::vector<uint64_t> out(kCount + 8);
  uint64_t out_valid = 0;
  const KernelFrame frame{in.data(), valid.data(), nullptr, kRows, kLanes, out.data(), &out_valid};
  kernel.kernel.fn(kernel.kernel.self, &frame);
  const bool reduces = info(ir.nodes[id].op).shape == Shape::reduce;
  const uint64_t beyond = ~bits::tail_mask(reduces ? kRows : kCount);
  check((out_valid & beyond) == 0, "tail bits are not zero");
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit;
  const std::string_view text(reinterpret_cast<const char*>(bytes), size);
  const auto ir = read_ir(text);
  if (!ir || !verify(*ir)) return 0;
  const std::string printed = print(*ir);
  const auto again = read_ir(printed);
  check(again.has_value(), "what was printed does not read");
  check(print(*again) == printed, "printing is not stable");
  check(verify(*again).has_value(), "what was printed does not verify");
  for (uint32_t i = 0; i < std::min(ir->nodes.size(), kNodesMax); ++i) {
    const NodeId id{{i}};
    if (in_kernels(info(ir->nodes[id].op).shape)) run(*ir, id, text.substr(size / 2));
  }
  return 0;
}
