// From INDOM records to the sets of their domains. Source: spec archives.md §6.2, §6.3.
#pragma once

#include <span>
#include <vector>

#include "runtime/archive/format/damage.h"
#include "runtime/archive/reader/domain.h"
#include "runtime/archive/reader/indom_record.h"

namespace pmjit {

// The records of one domain in the order of the file, none of them empty. The damage says at which
// record.
[[nodiscard]] OrDamage<Domain> build_domain(std::vector<const IndomRecord*> records);

}  // namespace pmjit
