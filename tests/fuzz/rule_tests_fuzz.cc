// Files of rule tests: what can be read runs, and what came of it is shown; what cannot be read, or
// run, has a message that can be shown.
#include <cstddef>
#include <cstdint>

#include "compiler/compat/registry/derive.h"
#include "rules/testing/run_test.h"
#include "runtime/base/result.h"

namespace pmjit {
namespace {

// A test may ask for any number of evaluations.
constexpr int kEvaluationsMax = 200;

void run(const RuleTestFile& file, const RuleTest& test) {
  const auto derived = make_derived_metrics({});
  const pmie::Settings none;
  int asked = 0;
  const auto outcome = run_rule_test(
      file, test,
      {.derived = *derived, .settings = none, .stop = [&] { return ++asked > kEvaluationsMax; }});
  check(outcome || !outcome.error().text().empty(), "a failure has a text");
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit;
  const std::string text(reinterpret_cast<const char*>(bytes), size);
  const auto file = read_rule_tests("fuzz.case", text);
  check(file || !file.error().text().empty(), "a failure has a text");
  if (!file || !file->rule_files.empty()) return 0;  // files of this machine
  for (const RuleTest& test : file->tests) run(*file, test);
  return 0;
}
