// Volume: one data volume of an archive, its label checked. Opened when a reader enters it, not
// before: an archive may have more volumes than a process may have open files.
//
// Its size is the one that it had when it was opened or last asked for: the last volume of an
// archive that is being written grows, and its last record may be there in part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "runtime/archive/format/label.h"
#include "runtime/archive/format/member.h"
#include "runtime/base/bytes.h"
#include "runtime/base/file.h"
#include "runtime/base/result.h"

namespace pmjit {

inline constexpr uint64_t kPageBytes = 4096;  // reads that start at a page are a quarter faster

// FileWindow: a volume read in order, in either direction, through one reused buffer. Copying 512
// KB at a time from the page cache is cheaper than mapping (README.md has the figures), the bytes
// are in the second-level cache when they are decoded, and a file that is cut short under us is a
// short read, not a signal.
class FileWindow {
 public:
  static constexpr size_t kFirstBytes = 16u << 10;

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
  size_t piece_ = kFirstBytes;  // how much is read next: who looks at a label needs no more
};

struct VolumeFile {
  int32_t number = 0;
  std::string path{};                    // for messages; opened by it where there is no file
  uint64_t bytes = 0;                    // as stored, when the archive was opened
  std::shared_ptr<const File> file{};    // of memory archives; else null
  std::shared_ptr<MemberStore> store{};  // where it is opened; null where there is a file
  Features features = Features::known;
};

class Volume {
 public:
  // `first`: the label that this one's must agree with; null for the first volume of all.
  [[nodiscard]] static Result<Volume> open(const VolumeFile& from, const Label* first);

  [[nodiscard]] const Label& label() const { return label_; }
  [[nodiscard]] uint64_t size() const { return size_; }
  // Whether something begins at `offset`; where nothing did, the file is asked whether it has
  // grown.
  [[nodiscard]] bool reaches(uint64_t offset) { return offset < size_ || offset < grown_size(); }
  // The file was cut short by somebody since it was opened.
  [[nodiscard]] bool shrunk() const { return file_->size() < size_; }
  [[nodiscard]] FileWindow& window() { return window_; }
  [[nodiscard]] const std::shared_ptr<const File>& file() const { return file_; }
  // The stamp of the last record that is whole and sound; none: there is no such record (spec §15).
  [[nodiscard]] std::optional<Stamp> last_good_stamp();

 private:
  explicit Volume(std::shared_ptr<const File> file)
      : file_(std::move(file)), size_(file_->size()), window_(*file_) {}
  uint64_t grown_size() { return size_ = std::max(size_, file_->size()); }

  std::shared_ptr<const File> file_;
  uint64_t size_;
  FileWindow window_;
  Label label_;
};

}  // namespace pmjit
