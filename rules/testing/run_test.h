// One test: its samples as archives in memory, its rules over them, and what came of it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "compiler/compat/pmie/settings.h"
#include "compiler/diag/source.h"
#include "rules/testing/event_lines.h"
#include "rules/testing/test_file.h"
#include "runtime/client/deriver.h"

namespace pmjit {

// Of one rule in one test.
struct RuleSeen {
  std::string file;  // in which it stands; empty: in the test
  std::string name;
  bool was_true = false, was_false = false;
};

struct RuleTestOutcome {
  std::vector<EventLine> transitions, actions;
  std::vector<std::string> messages;  // of the reader of rules
  std::vector<std::string> names;     // of all statements, values too
  std::vector<RuleSeen> rules;
  pmie::MacroNames macros;  // that the rules define
};

// What a test needs of its surroundings.
struct RuleTestWorld {
  DerivedMetrics& derived;
  const pmie::Settings& settings;
  std::span<const SourceText> definitions{};  // those of `derived`, for strict rules
  std::function<bool()> stop;                 // asked while it runs
};

// A failure: the test cannot be run.
[[nodiscard]] Result<RuleTestOutcome> run_rule_test(const RuleTestFile& file, const RuleTest& test,
                                                    const RuleTestWorld& world);

}  // namespace pmjit
