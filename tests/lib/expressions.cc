#include "tests/lib/expressions.h"

#include <regex>

namespace pmjit::cases {

CompileInput read_expressions(const CaseFile& file) {
  CompileInput input;
  const Section* section = file.find("expr");
  if (section == nullptr) return input;
  // `a == b` is no definition.
  const std::regex definition(R"(\s*([A-Za-z][\w.]*)\s*=(?!=).*)");
  SourceText definitions{.name = "<definitions>", .text = {}};
  std::vector<std::string> names;
  bool goes_on = false;  // the line before ended in a backslash
  for (const std::string& line : split_lines(section->body)) {
    if (line.empty() && !goes_on) continue;
    std::smatch parts;
    const bool defines = std::regex_match(line, parts, definition);
    const bool directive = line.starts_with('#') || line.starts_with('@');
    if (defines || directive || goes_on) {
      definitions.text += line + "\n";
      if (defines && !goes_on) names.push_back(parts[1]);
      goes_on = line.ends_with('\\');
    } else {
      input.expressions.push_back({.name = "<expression>", .text = line});
    }
  }
  if (!definitions.text.empty()) input.definition_files.push_back(definitions);
  if (input.expressions.empty()) {
    for (const std::string& name : names) {
      input.expressions.push_back({.name = "<expression>", .text = name});
    }
  }
  return input;
}

}  // namespace pmjit::cases
