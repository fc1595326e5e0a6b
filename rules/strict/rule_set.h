// RuleSet: rule files of the strict dialect, read; and their tasks: the rules of one interval, with
// what of them is compiled together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "compiler/driver/driver.h"
#include "compiler/strict_rules/rule_file.h"

namespace pmjit::strict {

struct SetRule {
  Rule rule;
  size_t source = 0;
};

struct RuleSet {
  std::vector<SourceText> sources;
  std::vector<SetRule> rules;  // in the order of the files
  pmie::MacroNames macros;     // of all files
  std::string errors;          // rendered; empty: none
};

// Reads a file more. A failure: a setting does not fit.
[[nodiscard]] Result<void> add_rules(RuleSet& set, SourceText source, const ReadOptions& options);

// Roots of one task's program: a clause's condition, and what %i and %v are of.
struct BindingRoots {
  size_t of = 0;  // of Clause::bindings
  size_t set = 0;
  std::optional<size_t> value{};
  bool first_only = false;
  bool each_host = false;
  std::vector<std::string> hosts{};   // each of these
  std::optional<std::string> host{};  // whose it is, once it is placed
};
struct ClauseRoots {
  std::optional<size_t> condition{};
  std::vector<BindingRoots> bindings{};
};
struct TaskRule {
  size_t rule = 0;  // of RuleSet::rules
  // Once it is placed (compile_task.h): the host, of several; none: it is one for all of them. And
  // whose name %h is.
  std::optional<uint32_t> on_host{};
  std::optional<std::string> host{};
  std::vector<ClauseRoots> clauses{};
};
struct TaskRules {
  double delta = 10;
  std::vector<TaskRule> rules{};
  std::vector<ParsedRoot> roots{};  // point into the RuleSet
};
[[nodiscard]] std::vector<TaskRules> tasks_of(const RuleSet& set);

}  // namespace pmjit::strict
