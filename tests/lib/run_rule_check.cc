#include "tests/lib/run_rule_check.h"

#include <deque>

#include "compiler/compat/registry/derive.h"
#include "compiler/strict_rules/rule_file.h"
#include "rules/check/meanings.h"
#include "rules/strict/archive_feeds.h"
#include "rules/testing/test_file.h"
#include "tests/lib/expressions.h"

namespace pmjit::cases {

namespace {

// Archives of the samples; strict reads them once more.
struct World {
  std::unique_ptr<DerivedMetrics> derived = make_derived_metrics({}, {});
  pmie::ArchiveSources sources{*derived};
  std::deque<ArchivesSource> strict_sources;
};

Result<void> open(const CaseFile& file, World& world) {
  const RuleTest test{.name = {}, .metrics = file.find("metrics"), .samples = file.find("samples")};
  auto hosts = hosts_of(test), again = hosts_of(test);
  if (!hosts || !again) return fail(hosts ? again.error() : hosts.error());
  for (TestHosts::Host& host : hosts->hosts) {
    world.sources.add(std::move(host.archives), host.name);
  }
  for (TestHosts::Host& host : again->hosts) {
    world.strict_sources.emplace_back(std::move(host.archives));
  }
  return {};
}

Result<std::string> meanings_of(const RuleCheck& check, World& world) {
  auto zone = known_zone("UTC");
  if (!zone) return fail(zone.error());
  std::vector<const ArchivesSource*> hosts;
  for (const ArchivesSource& host : world.strict_sources) hosts.push_back(&host);
  const auto feeds = strict::feeds_of(hosts);
  const auto meanings = compare_meanings({.check = check,
                                          .sources = world.sources,
                                          .strict_feeds = *feeds,
                                          .start = hosts.front()->start(),
                                          .end = hosts.front()->end(),
                                          .zone = *zone,
                                          .settings = {},
                                          .definitions = {}});
  if (!meanings) return fail(meanings.error());
  std::vector<CheckNote> comparisons;
  for (const Meaning& one : *meanings) comparisons.push_back(comparison_of(one, *zone));
  return comparisons_text(comparisons);
}

// What the text alone shows.
Outcome check_strict(const SourceText& source) {
  Outcome outcome{.texts = {{"diag", ""}, {"message", ""}}};
  Diags diags;
  const auto rules = strict::read_rules(source, {}, diags);
  if (!rules) return {.faults = {rules.error().text()}};
  for (const strict::Rule& rule : rules->rules) strict::warn_of_until(rule, source.text, diags);
  add_report(diags, source, outcome);
  return outcome;
}

}  // namespace

bool has_rules(const CaseFile& file) { return file.find("rules") != nullptr; }

Outcome run_rule_check(const CaseFile& file) {
  const SourceText source{.name = "<rules>", .text = file.find("rules")->body};
  if (Diags diags; strict::says_strict(source, diags)) return check_strict(source);
  World world;
  const bool known = file.find("metrics") != nullptr;
  if (known) {
    if (auto opened = open(file, world); !opened) return {.faults = {opened.error().text()}};
  }
  RuleCheck check({.metrics = known ? &world.sources : nullptr});
  Outcome outcome;
  if (auto done = check.read({source}); !done) {
    outcome.faults.push_back(done.error().text());
  }
  outcome.texts = {{"diag", ""}, {"message", ""}};
  for (const auto& text : check.report().texts) add_report(text.diags, text.source, outcome);
  if (!known) return outcome;
  const auto meanings = meanings_of(check, world);
  if (!meanings) outcome.faults.push_back(meanings.error().text());
  outcome.texts["meanings"] = meanings ? *meanings : "";
  return outcome;
}

}  // namespace pmjit::cases
