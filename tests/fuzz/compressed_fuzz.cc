// A compressed member of arbitrary bytes, in every format: opened, read from front to back and at
// some places out of order. Where both reads give bytes, they are the same; memory is bounded,
// whatever size the file claims.
//
// The input is the file; its first byte is not part of it and says which format its name claims.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "runtime/archive/format/member.h"
#include "runtime/base/limits.h"
#include "tests/fuzz/memory_watch.h"

namespace {

using namespace pmjit;

constexpr size_t kMemory = limits::kDecoderBytesMax + 2 * limits::kXzBlockBytesMax + (32u << 20);
constexpr uint64_t kReadMax = 4u << 20;  // of one input; .xz may claim any size

std::vector<std::byte> read_at(const File& file, uint64_t offset, uint64_t bytes) {
  std::vector<std::byte> out(static_cast<size_t>(bytes));
  out.resize(file.read(offset, out).value_or(0));
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const fuzz::MemoryWatch watch;
  const auto& suffix = kCompressionSuffixes[data[0] % kCompressionSuffixes.size()];
  const auto* raw = reinterpret_cast<const std::byte*>(data);
  const auto file = decompress(memory_file({raw + 1, raw + size}), suffix.compression, "fuzz");
  if (!file) {
    if (file.error().pm_code() >= 0 || file.error().place().empty()) std::abort();
    return 0;
  }
  const auto whole = read_at(**file, 0, std::min((*file)->size(), kReadMax));
  for (const size_t offset : {whole.size() / 2, whole.size() / 3, size_t{0}}) {
    const auto part = read_at(**file, offset, std::min<size_t>(1000, whole.size() - offset));
    if (part.empty()) continue;  // a damaged block of .xz is refused when it is read
    if (!std::equal(part.begin(), part.end(), whole.begin() + static_cast<long>(offset))) {
      std::abort();
    }
  }
  watch.expect_at_most(kMemory);
  return 0;
}
