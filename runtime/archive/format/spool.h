// Spool: bytes that are made from front to back and then read in any order. Few stay in memory,
// more go to a temporary file.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "runtime/base/temporary_file.h"

namespace pmjit {

class Spool {
 public:
  [[nodiscard]] Result<void> append(Bytes bytes);
  [[nodiscard]] std::unique_ptr<File> finish() &&;

 private:
  std::vector<std::byte> first_;
  std::optional<TemporaryFile> all_;  // first_ included, which is then empty
};

}  // namespace pmjit
