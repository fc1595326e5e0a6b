// An .xz file read at any place without a copy of the whole: the index at its end tells which block
// holds which bytes, and a block is decompressed by itself when it is read. Nothing of a block is
// given out before its checksum is known to be right.
#pragma once

#include <memory>

#include "runtime/archive/format/decompressor.h"
#include "runtime/base/file.h"

namespace pmjit {

// Null where a block has more than limits::kXzBlockBytesMax: the file is better decoded as a whole.
// Failures while reading become an Error that names `path`.
[[nodiscard]] Result<std::unique_ptr<File>> open_xz_blocks(std::shared_ptr<const File> packed,
                                                           const std::string& path);

}  // namespace pmjit
