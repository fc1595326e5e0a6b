// Helpers of the parser's tests: lines of the data files, and an expression parsed with what was
// said about it.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "compiler/parse/parse.h"

namespace pmjit {

inline std::vector<std::string> data_lines(const std::string& file) {
  std::ifstream in(std::string(PARSE_DATA) + "/" + file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty() && line[0] != '#') lines.push_back(line);
  EXPECT_FALSE(lines.empty()) << file;
  return lines;
}

struct Parsed {
  SourceText source;
  Diags diags;
  std::optional<Ast> ast;

  explicit Parsed(std::string text) : source{"<expression>", std::move(text)} {
    ast = parse_expression(source, diags);
    EXPECT_EQ(ast.has_value(), !diags.has_errors()) << source.text;
  }
  [[nodiscard]] std::string said() const { return render_all(diags, source); }
  [[nodiscard]] std::string code() const {
    return diags.empty() ? "" : std::string(diag_code_text(diags.all().front().code));
  }
};

}  // namespace pmjit
