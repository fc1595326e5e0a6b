// Every example of the language manual parses: blocks ```derived hold one expression a line, blocks
// ```derived-file a definition file, blocks ```derived-refused a code and what it refuses.
#include <sstream>

#include "tests/unit/parse/lines.h"

namespace pmjit {
namespace {

struct Block {
  std::string kind, text;
};

std::vector<Block> blocks_of(const std::string& path) {
  std::ifstream in(path);
  std::vector<Block> blocks;
  bool inside = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("```")) {
      inside = !inside;
      if (inside) blocks.push_back({line.substr(3), ""});
    } else if (inside) {
      blocks.back().text += line + "\n";
    }
  }
  return blocks;
}

TEST(Manual, EveryExampleIsWhatItSays) {
  int examples = 0;
  for (const Block& block : blocks_of(LANGUAGE_MANUAL)) {
    std::istringstream lines(block.text);
    if (block.kind == "derived-file") {
      Diags diags;
      const SourceText source{"manual", block.text};
      parse_definitions(source, diags);
      EXPECT_FALSE(diags.has_errors()) << render_all(diags, source);
      ++examples;
    }
    for (std::string line; std::getline(lines, line);) {
      if (block.kind == "derived")
        EXPECT_TRUE(Parsed(line).ast) << Parsed(line).said();
      else if (block.kind == "derived-refused")
        EXPECT_EQ(Parsed(line.substr(4)).code(), line.substr(0, 3)) << line;
      else
        continue;
      ++examples;
    }
  }
  EXPECT_GT(examples, 40);
}

}  // namespace
}  // namespace pmjit
