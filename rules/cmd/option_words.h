// The words behind a verb, against the verb's table of options:
//
//   -t 10s  -t10s  --interval 10s  --interval=10s    an option with its value
//   -zV                                              two options without
//   --                                               what follows are arguments, whatever they are
//   -                                                an argument: standard input
//
// What is wrong with them is a sentence about the word as it was typed, with what to type instead.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rules/cmd/command.h"

namespace pmjit {

struct GivenOption {
  const CommandOption* row;
  std::string name;  // as typed; an argument's own
  std::vector<std::string> values = {};
};

// What is wrong with a command line; nothing runs then.
struct WrongLine {
  std::string what;
  std::string word = {};  // the word at fault, where it is one
};

struct GivenWords {
  std::vector<GivenOption> options = {};  // a row once
  bool help = false;
  bool version = false;
  const Command* below = nullptr;  // the first argument is this verb
  size_t read = 0;                 // words, that verb among them
  std::optional<WrongLine> wrong = {};
};

// The first mistake is kept, and the rest is read for --help. `program`: for options that another
// verb has.
[[nodiscard]] GivenWords read_words(const Command& program, const Command& verb,
                                    std::span<const std::string> words);

// What is wrong with a value of the option that was typed as `name`; empty: nothing.
[[nodiscard]] std::string wrong_value(const CommandOption& row, std::string_view name,
                                      const std::string& value);
// Fills the target in, from values that are right.
void fill_in(const GivenOption& given);

// "; did you mean --interval?" behind a message, or nothing.
[[nodiscard]] std::string or_rather(std::string_view typed,
                                    const std::vector<std::string>& candidates);

}  // namespace pmjit
