// Member: one file of an archive in whichever form it is stored, as the File that it was before it
// was compressed.
//
//   auto file = open_member("dir/foo.0.xz");   // by the name's last part
//
// What is damaged, or ends too early, is refused as a whole (for .xz: block by block when it is
// read): nothing of it is served. Source: spec archives.md §1, design.md §11.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "runtime/archive/format/decompressor.h"
#include "runtime/base/file.h"

namespace pmjit {

[[nodiscard]] Result<std::unique_ptr<File>> open_member(const std::string& path);

// The same of a file that is open already; `path` is for messages.
[[nodiscard]] Result<std::unique_ptr<File>> decompress(std::unique_ptr<File> packed,
                                                       Compression compression,
                                                       const std::string& path);

// What went wrong in a compressed file, as the compatible tools report it, with a way out.
[[nodiscard]] Error decode_error(const DecodeFailure& failure, const std::string& path);

// Spool: bytes that are made from front to back and then read in any order. Few stay in memory,
// more go to a temporary file.
class Spool {
 public:
  [[nodiscard]] Result<void> append(Bytes bytes);
  [[nodiscard]] std::unique_ptr<File> finish() &&;

 private:
  std::vector<std::byte> first_;
  std::optional<TemporaryFile> all_;  // first_ included, which is then empty
};

// MemberStore: compressed members that are open, shared by all who read them, so that a volume is
// decompressed once and not by every cursor. The few that were used last stay open when nobody
// reads them: an archive's first and last volume are looked at when it is opened and read soon
// after. Threads may use one store; a second one that wants the same member waits for the first.
//
// Files that are not compressed are opened anew each time: there is nothing to save.
class MemberStore {
 public:
  [[nodiscard]] Result<std::shared_ptr<const File>> open(const std::string& path);

 private:
  struct Slot {
    std::mutex mutex;
    std::weak_ptr<const File> file;
  };

  std::mutex mutex_;
  std::map<std::string, Slot> slots_;
  std::array<std::shared_ptr<const File>, 2> kept_{};  // the last used first
};

// An .xz file read at any place without a copy of the whole: the index at its end tells which block
// holds which bytes, and a block is decompressed by itself when it is read. Nothing of a block is
// given out before its checksum is known to be right.

// Null where a block has more than limits::kXzBlockBytesMax: the file is better decoded as a whole.
// Failures while reading become an Error that names `path`.
[[nodiscard]] Result<std::unique_ptr<File>> open_xz_blocks(std::shared_ptr<const File> packed,
                                                           const std::string& path);

}  // namespace pmjit
