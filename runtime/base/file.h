// File: bytes by offset, and nothing of where they come from: a file of the system, a decompressed
// one, memory. Bytes are copied out, never mapped: what another process cuts short under us is then
// a short read, not a signal, and a file that grows is seen to grow.
//
//   auto file = open_file(path);
//   if (!file) return fail(file.error());        // names the path
//   auto got = (*file)->read(offset, buffer);    // short only at the end of the file
#pragma once

#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

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

// What is read may be gigabytes before anybody sees a value of them. From now on each read of a
// file of the system asks first, in any thread, and throws where the answer is yes. Null: none
// asks.
struct ReadingStopped : std::exception {
  [[nodiscard]] const char* what() const noexcept override { return "reading was stopped"; }
};
void stop_reading_when(bool (*is_asked)());

[[nodiscard]] Result<std::unique_ptr<File>> open_file(const std::string& path);
[[nodiscard]] std::unique_ptr<File> memory_file(std::vector<std::byte> bytes);

[[nodiscard]] std::unique_ptr<File> disk_file(int fd);  // which it closes

// All of a file. Fault::limit where it has more than `bytes_max`.
[[nodiscard]] Result<Buffer> read_whole(const File& file, uint64_t bytes_max);

// TemporaryFile: a file without a name, in $PCP_TMPFILE_DIR, else $TMPDIR, else /tmp. Written from
// front to back, then read; gone with whoever has it open last, however the process ends.
//
//   auto temporary = TemporaryFile::create();
//   if (auto done = temporary->append(bytes); !done) return fail(done.error());
//   std::unique_ptr<File> file = std::move(*temporary).finish();
class TemporaryFile {
 public:
  [[nodiscard]] static Result<TemporaryFile> create();
  TemporaryFile(TemporaryFile&& other) noexcept;
  TemporaryFile& operator=(TemporaryFile&&) = delete;
  ~TemporaryFile();

  // Fault::limit and -ENOSPC where less than limits::kTemporaryBytesLeft of the disk would be left.
  [[nodiscard]] Result<void> append(Bytes bytes);
  [[nodiscard]] std::unique_ptr<File> finish() &&;  // what was appended, to be read

 private:
  TemporaryFile(int fd, std::string folder);
  [[nodiscard]] Result<void> check_space();

  int fd_;
  std::string folder_;
  uint64_t written_ = 0, checked_until_ = 0;
};

// Files that are written whole or not at all: a new file beside the old one takes its name, so
// readers see all of the one or all of the other.

// Could write_whole_file() do it? 0, or errno, EINVAL where a pipe or a device has that name. For
// whoever has much to do before he writes.
[[nodiscard]] int can_write_whole_file(const std::string& path);

// 0, or errno: then `path` is as it was. A file that is there keeps its permissions and, where we
// may say so, its owner; what a link points to is replaced or made, not the link.
[[nodiscard]] int write_whole_file(const std::string& path, std::string_view text);

// What such an errno says to a user.
[[nodiscard]] std::string whole_file_text(int err);

}  // namespace pmjit
