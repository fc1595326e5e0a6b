// The daemon's configuration: every text is read, or refused with a message at a place within it;
// what is read without an error is read alike again.
#include <cstddef>
#include <cstdint>

#include "runtime/base/result.h"
#include "tests/unit/daemon_config/memory_files.h"

namespace pmjit {
namespace {

void check_problems(const ConfigProblems& problems) {
  for (const ConfigProblem& problem : problems.all()) {
    check(!problem.message.empty(), "a problem has a text");
    const auto [begin, end] = problem.place.span;
    check(begin <= end && end <= problems.source(problem.place.source).text.size(),
          "a problem stands within its text");
  }
  check(problems.all().empty() == problems.text().empty(), "every problem has its text");
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const ConfigRead read = read_text(text);
  check_problems(read.problems);
  const ConfigRead again = read_text(text);
  check(problem_lines(read.problems) == problem_lines(again.problems), "read again: the same");
  if (read.problems.has_errors() || again.problems.has_errors()) return 0;
  ConfigProblems changes = again.problems;
  const size_t before = changes.all().size();
  restart_problems(read.config, again.config, changes);
  check(changes.all().size() == before, "what is the same needs no restart");
  return 0;
}
