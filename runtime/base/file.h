// File: bytes by offset, and nothing of where they come from: a file of the system, a decompressed
// one, memory. Bytes are copied out, never mapped: what another process cuts short under us is then
// a short read, not a signal, and a file that grows is seen to grow.
//
//   auto file = open_file(path);
//   if (!file) return fail(file.error());        // names the path
//   auto got = (*file)->read(offset, buffer);    // short only at the end of the file
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/buffer.h"
#include "runtime/base/bytes.h"
#include "runtime/base/result.h"

namespace pmjit {

class File {
 public:
  virtual ~File() = default;
  // As of now: another process may be writing the file. Costs a system call.
  [[nodiscard]] virtual uint64_t size() const = 0;
  // Copies the bytes at `offset` into `out`; fewer than it holds only where the file ends. Threads
  // may read one file at the same time.
  [[nodiscard]] virtual Result<size_t> read(uint64_t offset, std::span<std::byte> out) const = 0;
  // A few bytes cost little wherever they are.
  [[nodiscard]] virtual bool seeks_freely() const { return true; }
};

[[nodiscard]] Result<std::unique_ptr<File>> open_file(const std::string& path);
[[nodiscard]] std::unique_ptr<File> memory_file(std::vector<std::byte> bytes);

[[nodiscard]] std::unique_ptr<File> disk_file(int fd);  // which it closes

// All of a file. Fault::limit where it has more than `bytes_max`.
[[nodiscard]] Result<Buffer> read_whole(const File& file, uint64_t bytes_max);

}  // namespace pmjit
