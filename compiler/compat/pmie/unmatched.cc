#include "compiler/compat/pmie/unmatched.h"

#include <algorithm>

namespace pmjit::pmie {

std::optional<UnmatchedPattern> unmatched_pattern(const RuleProgram& program,
                                                  const PmieNode& node) {
  const bool matches = node.op == PmieOp::match_inst || node.op == PmieOp::nomatch_inst;
  if (!matches || node.metrics == kNone) return std::nullopt;
  const Fetch& fetch = program.fetches[node.metrics];
  if (fetch.supposed) return std::nullopt;
  UnmatchedPattern out{
      .what = {.pattern = node.text, .negated = node.op == PmieOp::nomatch_inst, .of = fetch.name},
      .instances = {}};
  for (const HostMetric& host : fetch.hosts) {
    if (host.waiting) return std::nullopt;
    for (const auto& instance : host.instances()) {
      if (std::ranges::find(out.instances, instance.name) == out.instances.end()) {
        out.instances.push_back(instance.name);
      }
    }
  }
  if (!out.what.holds(out.instances)) return std::nullopt;
  return out;
}

std::vector<std::string> unmatched_warnings(const RuleProgram& program) {
  std::vector<std::string> out;
  for (const PmieStatement& statement : program.statements) {
    for (uint32_t i = program.nodes[statement.root].first; i <= statement.root; ++i) {
      const auto unmatched = unmatched_pattern(program, program.nodes[i]);
      if (!unmatched) continue;
      out.push_back((statement.name.empty() ? "" : statement.name + ": ") + unmatched->what.text() +
                    "\n  help: " + NoMatch::help(unmatched->instances));
    }
  }
  return out;
}

}  // namespace pmjit::pmie
