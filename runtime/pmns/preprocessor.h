// The pre-processor of name space files: includes, macros without parameters, conditions, comments.
// Source: spec pmapi.md §6.4.
//
//   const Preprocessed made = preprocess("my.pmns", *the_system());
//   std::cerr << made.messages;
//   if (made.sound) read(made.text);
#pragma once

#include <string>

#include "runtime/pmns/surroundings.h"

namespace pmjit {

struct Preprocessed {
  std::string text{};  // with lines `# NUMBER "FILE"` where another file or number goes on
  // Of the first error, which ends the work, and of commands that failed, which does not.
  std::string messages{};
  bool sound = true;
};

// The commands of #shell lines are run there. What it makes is at most about three times
// limits::kSourceBytesMax.
[[nodiscard]] Preprocessed preprocess(const std::string& path, Surroundings& surroundings);

}  // namespace pmjit
