#include "tests/unit/evaluators/subject.h"

#include <fmt/core.h>

#include <bit>
#include <cmath>
#include <cstring>

#include "compiler/ir/numbers.h"
#include "compiler/ir/print.h"
#include "runtime/base/bits.h"

namespace pmjit::tests {

namespace {

constexpr uint64_t kCanary = 0x5aa5c33c0ff0a55a;
constexpr uint64_t kOneNan = 0x7ff8000000000000;

uint64_t load(const std::byte* at, Elem elem) {
  uint64_t bits = 0;
  std::memcpy(&bits, at, elem_bytes(elem));
  if (elem == Elem::f64 && std::isnan(std::bit_cast<double>(bits))) return kOneNan;
  if (elem == Elem::f32 && std::isnan(std::bit_cast<float>(static_cast<uint32_t>(bits)))) {
    return kOneNan;
  }
  return bits;
}

}  // namespace

bool reduces(const Ir& ir, const Subject& subject) {
  return info(ir.nodes[subject.spec.result()].op).shape == Shape::reduce;
}

std::string text_of(const Ir& ir, const Subject& subject) {
  std::string out = fmt::format("seed {}\n", subject.seed);
  for (const KernelInput& input : subject.spec.inputs) {
    constexpr const char* kKinds[] = {"now", "before", "seconds"};
    out += fmt::format("  input {} of {}\n", kKinds[static_cast<size_t>(input.kind)],
                       node_text(ir, input.node));
  }
  for (const NodeId id : subject.spec.constants) out += "  " + node_text(ir, id) + "\n";
  for (const NodeId id : subject.spec.nodes) out += "  " + node_text(ir, id) + "\n";
  return out;
}

std::vector<uint64_t> args_of(const Ir& ir, const KernelSpec& spec) {
  std::vector<uint64_t> args;
  for (const NodeId id : spec.constants) args.push_back(ir.nodes[id].payload);
  return args;
}

Bench::Bench(const Ir& ir, const Subject& subject, const Data& data)
    : args_(data.args),
      rows_(data.rows),
      lanes_(data.lanes),
      results_(reduces(ir, subject) ? data.rows : data.rows * data.lanes),
      elem_(ir.type_of(subject.spec.result()).elem) {
  const size_t count = rows_ * lanes_;
  for (size_t k = 0; k < data.inputs.size(); ++k) {
    const size_t bytes = elem_bytes(subject.spec.inputs[k].elem);
    Buffer values(count * bytes), bitmap(bits::words_for(count) * 8);
    if (count != 0) std::memset(bitmap.data(), 0, bitmap.size());
    for (size_t i = 0; i < count; ++i) {
      const Sample& sample = data.inputs[k][i];
      std::memcpy(values.data() + i * bytes, &sample.bits, bytes);
      if (sample.valid) bits::set(bitmap.as<uint64_t>(), i);
    }
    in_.push_back(values.data());
    valid_.push_back(data.no_bitmap[k] ? nullptr : bitmap.as<uint64_t>());
    values_.push_back(std::move(values));
    bitmaps_.push_back(std::move(bitmap));
  }
}

RunResult Bench::run(const Kernel& kernel) {
  const size_t bytes = elem_bytes(elem_), words = bits::words_for(results_);
  Buffer out(results_ * bytes);
  std::vector<uint64_t> out_valid(words + 1, kCanary);
  const KernelFrame frame{in_.data(), valid_.data(), args_.data(),    rows_,
                          lanes_,     out.data(),    out_valid.data()};
  kernel.fn(kernel.self, &frame);
  RunResult result;
  if (out_valid[words] != kCanary) result.problem = "validity written beyond its words";
  if (words != 0 && (out_valid[words - 1] & ~bits::tail_mask(results_)) != 0) {
    result.problem = "tail bits of the validity are not zero";
  }
  for (size_t i = 0; i < results_; ++i) {
    const bool valid = bits::get(out_valid.data(), i);
    result.outcome.push_back(valid ? std::optional(load(out.data() + i * bytes, elem_))
                                   : std::nullopt);
  }
  return result;
}

std::string describe(Elem elem, const std::optional<uint64_t>& value) {
  if (!value) return "absent";
  const bool known =
      elem == Elem::i64 || elem == Elem::u64 || elem == Elem::f64 || elem == Elem::truth;
  return known ? number_text(elem, *value) : fmt::format("#{:x}", *value);
}

}  // namespace pmjit::tests
