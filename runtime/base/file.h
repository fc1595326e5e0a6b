// File: bytes by offset, and nothing of where they come from. Sealed files are mapped, growing ones
// read, tests hold theirs in memory; view() hides which.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/base/result.h"

namespace pmjit {

class File {
 public:
  virtual ~File() = default;
  [[nodiscard]] virtual uint64_t size() const = 0;
  // The bytes [offset, offset+length), valid as long as the file lives (a mapping or memory) .
  // Past the end: Fault::truncated.
  [[nodiscard]] virtual Result<Bytes> view(uint64_t offset, size_t length) const = 0;
  // Copies the bytes at `offset` into `out`; fewer than it holds only where the file ends. Faster
  // than view() for files that are read once from front to back, and safe where another process
  // cuts the file short.
  [[nodiscard]] virtual Result<size_t> read(uint64_t offset, std::span<std::byte> out) const = 0;
  // Tells that bytes are about to be read in order, or are not needed again. Hints only.
  virtual void will_read(uint64_t /*offset*/, uint64_t /*length*/) const {}
};

[[nodiscard]] Result<std::unique_ptr<File>> map_file(const std::string& path);
[[nodiscard]] std::unique_ptr<File> memory_file(std::vector<std::byte> bytes);

}  // namespace pmjit
