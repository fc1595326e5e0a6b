// Helper of the formatter's tests: a text formatted, with what was said about it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "compiler/format/format.h"

namespace pmjit {

inline constexpr Dialect kDialects[] = {Dialect::pcp6, Dialect::pcp7, Dialect::strict};

struct FormattedText {
  std::string text, said;
  bool errors = false, last_line_revived = false;

  FormattedText(const std::string& before, Dialect dialect) {
    const SourceText file{.name = "my.conf", .text = before};
    Diags diags;
    Formatted formatted = format_definitions(file, dialect, diags);
    text = std::move(formatted.text);
    said = render_all(diags, file);
    errors = diags.has_errors();
    last_line_revived = formatted.last_line_revived;
  }
};

inline std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  std::ostringstream out;
  out << in.rdbuf();
  return std::move(out).str();
}

}  // namespace pmjit
