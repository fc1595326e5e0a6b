#include "rules/testing/strict_test.h"

#include "rules/strict/archive_feeds.h"
#include "rules/strict/strict_replay.h"
#include "rules/testing/test_events.h"

namespace pmjit {

namespace {

std::vector<RuleSeen> rules_of(const strict::RuleSet& set, const std::vector<RuleText>& texts) {
  std::vector<RuleSeen> out;
  for (const auto& [rule, source] : set.rules) {
    out.push_back({.file = texts[source].file, .name = rule.name});
  }
  return out;
}

RuleTestOutcome refused(const strict::RuleSet& set, const std::string& errors) {
  RuleTestOutcome out;
  out.macros = set.macros;
  out.messages = cases::split_lines(errors);
  return out;
}

}  // namespace

Result<RuleTestOutcome> run_strict_test(const std::vector<RuleText>& texts, double delta,
                                        TestHosts hosts, const RuleTestWorld& world) {
  strict::RuleSet set;
  for (const RuleText& text : texts) {
    auto added = strict::add_rules(set, {.name = text.name, .text = text.text},
                                   {.delta = delta, .settings = world.settings});
    if (!added) return fail(added.error());
  }
  if (!set.errors.empty()) return refused(set, set.errors);
  if (hosts.hosts.size() != 1) {
    return fail(Error(Fault::usage, "rules of the strict dialect are about one host yet")
                    .help("give samples of one host alone"));
  }
  const std::string name = hosts.hosts.front().name;
  const ArchivesSource source(std::move(hosts.hosts.front().archives));
  const strict::ArchiveFeeds feeds(source);
  const strict::TaskOptions options{
      .origin = hosts.first,
      .end = hosts.last,
      .zone = Zone("UTC"),
      .definition_files = {world.definitions.begin(), world.definitions.end()}};
  const auto replay = strict::StrictReplay::open(set, feeds, options, name);
  if (!replay) return refused(set, replay.error().what());
  RuleTestOutcome out;
  out.rules = rules_of(set, texts);
  out.macros = set.macros;
  TestEvents events(out);
  if (auto done = (*replay)->run(events, world.stop); !done) return fail(done.error());
  return out;
}

}  // namespace pmjit
