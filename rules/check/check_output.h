// What `check` prints. For people: the mistakes of each file, one block a cause, and a line that
// counts; of a file that is right that line alone. For programs: a JSON object a line, or a SARIF
// log.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rules/check/findings.h"

namespace pmjit {

struct CheckTextOptions {
  bool differences = false;  // say those, too
  bool verbose = false;      // every place of a cause
  bool damaged = false;      // there was a warning of the archive
  std::string unchecked{};   // what would check more, for the end of `clean`
};

struct CheckText {
  std::string findings;  // with the counts of files that have some; "": none has
  std::string clean;     // one line a file that has none, or one of all of them
};
[[nodiscard]] CheckText text_of(std::span<const CheckedFile> files,
                                const CheckTextOptions& options);

// {"file","line","column","level","code","message","help"} each. Differences only if asked for. Of
// a note the level is "note", and the code is empty.
[[nodiscard]] std::string json_of(std::span<const CheckedFile> files, bool differences);
// SARIF 2.1.0: one run, a result each. A difference is a note there, with a rule.
[[nodiscard]] std::string sarif_of(std::span<const CheckedFile> files, bool differences,
                                   std::string_view version);

}  // namespace pmjit
