// TemporaryFile: a file without a name, in $PCP_TMPFILE_DIR, else $TMPDIR, else /tmp. Written from
// front to back, then read; gone with whoever has it open last, however the process ends.
//
//   auto temporary = TemporaryFile::create();
//   if (auto done = temporary->append(bytes); !done) return fail(done.error());
//   std::unique_ptr<File> file = std::move(*temporary).finish();
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "runtime/base/file.h"

namespace pmjit {

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

}  // namespace pmjit
