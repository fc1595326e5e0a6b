// Why a rule is true, false or unknown at a time: its text with values above it and how far each
// comparison is from changing; or its expression as a tree, with the values of each part, and why
// what is unknown is so.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rules/compat/computed_ways.h"
#include "rules/compat/core_proofs.h"
#include "rules/compat/run.h"
#include "rules/compat/sources.h"
#include "rules/strict/task.h"
#include "runtime/model/archive_summary.h"
#include "runtime/program/guards.h"
#include "runtime/text/zone.h"

namespace pmjit {

// When a statement was evaluated last, and where the recording of each source is interrupted.
struct WhyMoment {
  uint32_t statement = 0;
  double when = 0;  // seconds
  Zone& zone;
  std::vector<std::vector<Gap>> gaps{};
  std::vector<double> ends{};  // of the recording of each source, in seconds
};

// Of a statement, as it was evaluated last. `written`: the file that it is of.
[[nodiscard]] std::string why_text(const pmie::PmieEvaluator& at, const WhyMoment& moment,
                                   const pmie::RuleSources& sources, std::string_view written);
[[nodiscard]] std::string why_tree(const pmie::PmieEvaluator& at, const WhyMoment& moment,
                                   const pmie::RuleSources& sources);
// NAME is true at TIME, and why where it is unknown; `verdict` may be empty.
[[nodiscard]] std::string why_head(const std::string& name, const std::string& verdict, double when,
                                   Zone& zone);
// "true", "false"; "unknown: " and the first cause, in the order of evaluation.
[[nodiscard]] std::string verdict_text(const pmie::PmieEvaluator& at, const WhyMoment& moment,
                                       const pmie::RuleSources& sources);

// How the rules of a program are computed: by core operators, or interpreted, and why.

struct HowComputed {
  const pmie::RuleProgram& program;
  const pmie::Proofs& proofs;                // of the program
  const pmie::ComputedWays* ways = nullptr;  // of a run of it; null: it did not run
};
// At how many times it was computed fast, and in how many stretches it was not, by reason.
[[nodiscard]] std::string how_counts(const GuardCounts& counts);
// The tree of a statement, and of each part how: what the proof says, and at how many times the
// guards held.
[[nodiscard]] std::string how_text(const HowComputed& how, uint32_t statement,
                                   const pmie::RuleSources& sources);

// A line for each operator and each way: how many parts of all statements these are, of how many
// values at one evaluation, and which share of these were computed by core operators. The most
// values first.
[[nodiscard]] std::string how_summary(const HowComputed& how);

}  // namespace pmjit

namespace pmjit::strict {

// The same of a strict rule, in its dialect by host and instance. Of a rule that runs once per host
// a text each.
struct WhyText {
  Stamp when;           // of the last evaluation up to the end of the run
  std::string verdict;  // "true", "false", "unknown: " and why; empty: several hosts
  std::string text;
};

// Of RuleSet::rules. `tree`: its conditions as trees. A failure's text is all that is to be said.
[[nodiscard]] Result<WhyText> why_text(const RuleSet& set, size_t rule, const Feeds& feeds,
                                       const TaskOptions& options, bool tree);

}  // namespace pmjit::strict
