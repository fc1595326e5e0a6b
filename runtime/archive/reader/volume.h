// What can be asked of a whole volume without a plan.
#pragma once

#include <optional>
#include <string>

#include "runtime/archive/format/stamp_io.h"
#include "runtime/base/file.h"
#include "runtime/model/stamp.h"

namespace pmjit {

[[nodiscard]] Result<Bytes> whole_file(const File& file, const std::string& path);

// The stamp of the last record that is whole and sound; none: there is no such record.
[[nodiscard]] std::optional<Stamp> last_good_stamp(Bytes volume, Version version);

}  // namespace pmjit
