// Source: one text that is compiled, with its name; and the rendering of diagnostics against it:
//
//   error[D50]: dimensions differ: Kbyte and count / sec
//     --> rates.conf:3:18
//      |
//    3 | total = mem.free + rate(disk.read)
//      |         -------- ^ --------------- this is count / sec
//      |         |
//      |         this is Kbyte
//      = help: divide by an interval, or take rate()
//
// One line a fact where several labels share a line; columns count code points.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "compiler/diag/diag.h"

namespace pmjit {

struct SourceText {
  std::string name;  // a file name, or "<expression>"
  std::string text;
  uint32_t first_line = 1;  // of the first byte, where the text is a part of a file
};

struct LineColumn {
  uint32_t line, column;  // from 1
};
LineColumn line_column(const SourceText& source, uint32_t offset);

std::string render(const Diag& diag, const SourceText& source);
std::string render_all(const Diags& diags, const SourceText& source);

}  // namespace pmjit
