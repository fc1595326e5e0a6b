// Files of archives as PCP's own programs pass them around: a stream, which may be over a
// compressed member. Labels are read and written here, too.
#pragma once

#include <memory>

#include "runtime/pmapi/log_layout.h"

namespace pmjit {

struct SharedFile {
  FILE* stream;
};

// Null: errno says why. A name without a suffix may be that of a compressed file.
[[nodiscard]] SharedFile* open_for_reading(const char* path);
// All of the bytes; null does nothing and is 0. Else -errno.
[[nodiscard]] int write_bytes(SharedFile* file, std::span<const std::byte> bytes);
void close_file(SharedFile*& file);

// The record in a buffer of __pmEncodeResult(), with its length at both ends.
[[nodiscard]] std::span<const std::byte> record_in(const void* buffer);

[[nodiscard]] inline Stamp start_of(const SharedLabel& label) { return stamp_of(label.start); }
// 2 or 3; what else stands there is taken for 2.
[[nodiscard]] inline bool is_version_3(const SharedLabel& label) {
  return (label.magic & 0xff) == PM_LOG_VERS03;
}

}  // namespace pmjit
