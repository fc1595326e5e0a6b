// Where a writer's bytes go: files of a folder, or memory. Parts are created once and only ever
// appended to; one append is one write(), so that a reader of a growing archive never sees half a
// record.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/base/bytes.h"
#include "runtime/base/result.h"

namespace pmjit {

// A volume by its number, or the metadata or index file by the number its label has.
struct ArchivePart {
  int32_t number = 0;
  friend auto operator<=>(const ArchivePart&, const ArchivePart&) = default;
};

class ArchiveOutput {
 public:
  virtual ~ArchiveOutput() = default;
  [[nodiscard]] virtual Result<void> create(ArchivePart part) = 0;
  [[nodiscard]] virtual Result<void> append(ArchivePart part, Bytes bytes) = 0;
};

// BASE.meta, BASE.index, BASE.0 …; refuses to overwrite.
[[nodiscard]] std::unique_ptr<ArchiveOutput> file_output(std::string base);

// The caller owns the bytes.
using ArchiveParts = std::map<ArchivePart, std::vector<std::byte>>;
[[nodiscard]] std::unique_ptr<ArchiveOutput> memory_output(ArchiveParts& parts);

}  // namespace pmjit
