#include "tests/lib/expressions.h"

#include <regex>

namespace pmjit::cases {
namespace {

constexpr size_t kExpandedMax = 256u << 20;

// The lines `name = …` of an `expr` section; `a == b` is no definition.
void split_section(const Section& section, CompileInput& input) {
  const std::regex definition(R"(\s*[A-Za-z][\w.]*\s*=(?!=).*)");
  SourceText definitions{.name = "<definitions>", .text = {}};
  for (const std::string& line : split_lines(expand(section.body))) {
    if (line.empty()) continue;
    // std::regex recurses a character: a line of megabytes is an expression.
    const bool short_line = line.size() < 10'000;
    if (short_line && (line.starts_with('#') || std::regex_match(line, definition))) {
      definitions.text += line + "\n";
    } else {
      input.expressions.push_back({.name = "<expression>", .text = line});
    }
  }
  if (!definitions.text.empty()) input.definition_files.push_back(std::move(definitions));
}

}  // namespace

std::string expand(const std::string& body) {
  if (body.find("*") == std::string::npos || body.find('{') == std::string::npos) return body;
  const std::regex repeat(R"(\{(\d+)\*([^}]+)\})");
  std::string out;
  std::string rest = body;
  std::smatch parts;
  while (std::regex_search(rest, parts, repeat)) {
    out += parts.prefix();
    const std::string text = parts[2];
    for (size_t i = std::stoul(parts[1]); i > 0 && out.size() < kExpandedMax; --i) out += text;
    rest = parts.suffix();
  }
  return out + rest;
}

CompileInput read_expressions(const CaseFile& file) {
  CompileInput input;
  if (const Section* section = file.find("definitions")) {
    SourceText definitions{.name = "<definitions>", .text = expand(section->body)};
    if (file.tag("newline", "on") == "off" && definitions.text.ends_with('\n')) {
      definitions.text.pop_back();
    }
    input.definition_files.push_back(std::move(definitions));
  }
  if (const Section* section = file.find("expr")) split_section(*section, input);
  if (const Section* section = file.find("sweep")) {
    for (const CaseLine& line : plain_lines(*section)) {
      input.parameters.push_back({.name = "<values>", .text = line.text});
    }
  }
  return input;
}

}  // namespace pmjit::cases
