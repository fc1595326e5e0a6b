// Damage of an archive becomes an Error at the file's door.
#pragma once

#include <string>

#include "runtime/base/result.h"
#include "runtime/model/damage.h"

namespace pmjit {

[[nodiscard]] Error damage_error(const std::string& file_name, const Damage& damage);

}  // namespace pmjit
