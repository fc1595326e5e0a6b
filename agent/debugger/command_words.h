// CommandWords: a line of dbpmda as words. Source: spec collector-and-agents.md §3.4.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

struct CommandWord {
  enum class Kind : uint8_t { name, number, string, comma, other };
  Kind kind = Kind::other;
  std::string text{};               // of a string without its quotes
  std::vector<uint32_t> numbers{};  // of 29.0.5: three
  size_t end = 0;                   // where it ends in the line
};

// A comment ends the line. `paths`: words between blanks, whatever is in them.
[[nodiscard]] std::vector<CommandWord> command_words(std::string_view line);
[[nodiscard]] std::vector<CommandWord> path_words(std::string_view line);

}  // namespace pmjit
