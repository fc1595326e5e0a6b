// FileWindow: a volume read in order, in either direction, through one reused buffer. Copying 512
// KB at a time from the page cache is cheaper than mapping (README.md has the figures), the bytes
// are in the second-level cache when they are decoded, and a file that is cut short under us is a
// short read, not a signal.
#pragma once

#include <cstdint>

#include "runtime/base/buffer.h"
#include "runtime/base/bytes.h"
#include "runtime/base/file.h"
#include "runtime/base/result.h"

namespace pmjit {

class FileWindow {
 public:
  explicit FileWindow(const File& file) : file_(&file) {}

  // The bytes at `offset`: at least `wanted` of them, fewer only where the file ends. Valid until
  // the next call.
  [[nodiscard]] Result<Bytes> at(uint64_t offset, size_t wanted);
  // The `wanted` bytes before `end`, fewer only where the file ends earlier; for reading backwards.
  [[nodiscard]] Result<Bytes> before(uint64_t end, size_t wanted);
  // As at(), for a whole record: as many bytes as its first word says, if the file has them.
  [[nodiscard]] Result<Bytes> record_at(uint64_t offset);

 private:
  [[nodiscard]] Result<void> fill(uint64_t first, uint64_t wanted);

  const File* file_;
  Buffer buffer_;
  uint64_t first_ = 0;  // offset of the buffer's first byte; a multiple of the page size
  size_t used_ = 0;
};

}  // namespace pmjit
