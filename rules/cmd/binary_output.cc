#include "rules/cmd/binary_output.h"

#include <fmt/format.h>
#include <unistd.h>

namespace pmjit {

Result<void> check_output(const Format& format, bool has_digits) {
  if (!format.binary) return {};
  if (has_digits) {
    return fail(
        Error(Fault::usage, fmt::format("-f: {} has numbers, not their digits", format.name))
            .help("leave -f out, or -o csv"));
  }
  if (isatty(STDOUT_FILENO) != 0) {
    return fail(
        Error(Fault::usage, fmt::format("-o {} is binary, nothing for a terminal", format.name))
            .help(fmt::format("send it to a file or a reader: > results.{}s", format.name)));
  }
  return {};
}

}  // namespace pmjit
