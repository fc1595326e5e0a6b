// The two kinds of help text that metrics and instance domains have.
#pragma once

#include <cstdint>

namespace pmjit {

enum class TextKind : uint32_t { one_line = 1, help = 2 };  // PM_TEXT_ONELINE, PM_TEXT_HELP

}  // namespace pmjit
