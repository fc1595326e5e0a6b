// Member: one file of an archive in whichever form it is stored, as the File that it was before it
// was compressed.
//
//   auto file = open_member("dir/foo.0.xz");   // by the name's last part
//
// What is damaged, or ends too early, is refused as a whole (for .xz: block by block when it is
// read): nothing of it is served. Source: spec archives.md §1, design.md §11.
#pragma once

#include <memory>
#include <string>

#include "runtime/archive/format/compression.h"
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

}  // namespace pmjit
