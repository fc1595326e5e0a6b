// RuleSet: rule files of the strict dialect, read; and their tasks: the rules of one interval, with
// what of them is compiled together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "compiler/compat/pmie/mistakes/usual_mistakes.h"
#include "compiler/driver/driver.h"
#include "compiler/strict_rules/rule_file.h"
#include "runtime/model/feed.h"

namespace pmjit::strict {

struct SetRule {
  Rule rule;
  size_t source = 0;
};

struct RuleSet {
  std::vector<SourceText> sources;
  // Beside them: each of many tasks may have a mistake.
  std::vector<std::shared_ptr<const pmie::UsualMistakes>> mistakes;
  std::vector<SetRule> rules;                        // in the order of the files
  pmie::MacroNames macros;                           // of all files
  std::string errors;                                // rendered, of files with errors; empty: none
  std::unordered_map<std::string, size_t> first_of;  // of `rules`, by their names
  std::vector<Compilation::Report> wrong;            // a file each with errors or warnings, as data
};

// Reads a file more. A failure: a setting does not fit.
[[nodiscard]] Result<void> add_rules(RuleSet& set, SourceText source, const ReadOptions& options);

// Alerts that are written as other programs have them: in place of the syntax errors of such a
// statement one that says what to type.
[[nodiscard]] Diags with_other_alerts(std::string_view text, const Diags& diags);

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
  // Once it is placed (compile_task): the host, of several; none: it is one for all of them. And
  // whose name %h is.
  std::optional<uint32_t> on_host{};
  std::optional<std::string> host{};
  std::vector<ClauseRoots> clauses{};
  // What `%{value.NAME}` of an alert's notes is, by name.
  std::vector<std::pair<std::string, size_t>> named{};
};
struct TaskRules {
  double delta = 10;
  std::vector<TaskRule> rules{};
  std::vector<ParsedRoot> roots{};  // point into the RuleSet
};
// `takes`: which rules; none: all.
using TakesRule = std::function<bool(const SetRule&)>;
[[nodiscard]] std::vector<TaskRules> tasks_of(const RuleSet& set, const TakesRule& takes = {});
// Does it reduce hosts, or name one?
[[nodiscard]] bool joins_hosts(const SetRule& rule);
// Does it need more than its own host: does it join hosts, or is it about none?
[[nodiscard]] bool looks_beyond_host(const SetRule& rule);
// In which part of a tick hosts have their places. Rules that join hosts have their values when the
// last host was asked and has answered.
[[nodiscard]] constexpr double places_part(bool joins_hosts) { return joins_hosts ? 0.5 : 1; }
// As events name them: one, or those of HostsCatalog.
[[nodiscard]] std::vector<std::string> hosts_of(const Feeds& feeds);

// The rules of a task, compiled together and placed on hosts: a rule about metrics of its own host
// is there once per host that has them; one that reduces the hosts, names one (`:'web2'`) or has no
// metric is there once.
//
//   CompiledTask made = compile_task(set, rules, feeds, {}, options);
//   if (!made.errors.empty()) …           // all that is to be said
//   made.rules[0].clauses[0].condition    // a root of made.made.program
struct CompiledTask {
  Compilation made{};
  std::string errors{};
  std::vector<Compilation::Report> wrong{};  // RuleSet::wrong
  std::vector<std::string> notes{};          // where rules do not run, and why; warnings
  // In the order of the file, those of one rule in the order of the hosts; their roots are those
  // of the program.
  std::vector<TaskRule> rules{};
  std::vector<HostsRoot> roots{};    // beside TaskRules::roots
  std::vector<std::string> hosts{};  // as HostsRoot::of_host has them
};

// `set` and `feeds` outlive it.
[[nodiscard]] CompiledTask compile_task(const RuleSet& set, const TaskRules& rules,
                                        const Feeds& feeds,
                                        const std::vector<SourceText>& definition_files,
                                        const CompileOptions& options);

}  // namespace pmjit::strict
