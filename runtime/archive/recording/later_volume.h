// Volumes behind the first that cannot be entered: whose label is damaged, that do not decompress,
// that are gone by now. PCP's tools go on with the next volume and say nothing; a reader that has
// nothing to imitate tells.
//
//   auto entered = enter_volume(archive, 1, BadVolumes::pass_over);
//   if (!entered) return std::unexpected(entered.error());
//   if (!*entered) …                                       on with the next one
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/archive/archive.h"

namespace pmjit {

enum class BadVolumes : uint8_t { refuse, pass_over };

// The `i`th of the archive's volumes; none: there is nothing to be read. With pass_over a volume of
// another writer or host is entered too, as the reference does. One of another version is
// PM_ERR_LOGREC unless it is the last.
[[nodiscard]] Result<std::optional<Volume>> enter_volume(const Archive& archive, size_t i,
                                                         BadVolumes bad);

}  // namespace pmjit
