// Reads a table of tests/golden/pmapi: rows of fields, escapes undone.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "runtime/model/units.h"

namespace pmjit {

using VectorRow = std::vector<std::string>;
std::vector<VectorRow> read_vectors(std::string_view file);  // without the header line
Units units_of_fields(std::string_view text);                // "1,0,0,2,0,0"

}  // namespace pmjit
