// Lines of a definition file: what a physical line is, and joined ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/diag/diag.h"

namespace pmjit::parse {

// Bytes [begin, end) of the line that begins at `begin`, joined with those that it continues on by
// a \ before its newline (or its CR and newline); without the last newline.
Span joined_line(std::string_view file, uint32_t begin);

// The same bytes with each joint made blank, so that offsets stay.
std::string without_joints(std::string_view file);

// Whether the comment in bytes [begin, end) ends with a \ that would join the next line to it, as
// since PCP 6.2.2, and that line says something.
bool comment_would_join(std::string_view file, Span line);

}  // namespace pmjit::parse
