// What `check` prints for people: the mistakes of each file, one block a cause, and a line that
// counts; of a file that is right that line alone.
#pragma once

#include <span>
#include <string>

#include "rules/check/findings.h"

namespace pmjit {

struct CheckTextOptions {
  bool differences = false;  // say those, too
  bool verbose = false;      // every place of a cause
  std::string unchecked{};   // what would check more, for the end of `clean`
};

struct CheckText {
  std::string findings;  // with the counts of files that have some; "": none has
  std::string clean;     // one line a file that has none, or one of all of them
};
[[nodiscard]] CheckText text_of(std::span<const CheckedFile> files,
                                const CheckTextOptions& options);

}  // namespace pmjit
