#include "rules/cmd/strict_session.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>

#include "compiler/compat/registry/derive.h"
#include "rules/strict/archive_feeds.h"
#include "rules/strict/value_lines.h"

namespace pmjit::pmie {

struct StrictSession::Opened {
  std::vector<std::unique_ptr<ArchivesSource>> hosts;
  std::unique_ptr<Feeds> feeds;
  std::unique_ptr<strict::StrictReplay> replay;
};

bool StrictSession::read(const RuleFileText& file, double delta) {
  const size_t told = set_.errors.size();
  const auto added = strict::add_rules(
      set_, {.name = file.name.empty() ? "<stdin>" : file.name, .text = file.text},
      {.delta = delta});
  complain_(added ? std::string_view(set_.errors).substr(told)
                  : std::string_view(added.error().what()));
  return added && set_.errors.empty();
}

bool StrictSession::has_stomp() const {
  return std::ranges::any_of(set_.rules, [](const strict::SetRule& rule) {
    return std::ranges::any_of(rule.rule.clauses, [](const strict::Clause& clause) {
      return std::ranges::find(clause.verbs, "stomp", &strict::Verb::name) != clause.verbs.end();
    });
  });
}

// Definitions of the environment have been told of by those who read them for the tool.
std::optional<StrictSession::Opened> StrictSession::open(const ReplayWindow& window) {
  const auto definitions = Definitions::load({}, [](std::string_view) {});
  auto hosts = Archives::open_hosts(fmt::format("{}", fmt::join(window.archives, ",")),
                                    {.extra_units = ExtraUnits::known});
  if (!definitions || !hosts) {
    complain_((!definitions ? definitions.error() : hosts.error()).text() + "\n");
    return std::nullopt;
  }
  Opened out;
  std::vector<const ArchivesSource*> sources;
  std::vector<std::string> connections;
  for (auto& archives : *hosts) {
    connections.push_back((*archives)[0].name());
    out.hosts.push_back(std::make_unique<ArchivesSource>(std::move(archives)));
    sources.push_back(out.hosts.back().get());
  }
  if (sources.size() == 1) connections = {fmt::format("{}", fmt::join(window.archives, ","))};
  out.feeds = strict::feeds_of(sources);
  strict::TaskOptions options{.origin = window.origin,
                              .end = window.end,
                              .zone = window.zone,
                              .definition_files = definitions->texts()};
  options.compile.counter_wrap = std::getenv("PCP_COUNTER_WRAP") != nullptr;
  options.compile.equivalent = installed_equivalences();
  auto replay = strict::StrictReplay::open(set_, *out.feeds, options, connections);
  if (!replay) {
    complain_(replay.error().what());
    return std::nullopt;
  }
  out.replay = *std::move(replay);
  return out;
}

bool StrictSession::check(const ReplayWindow& window) { return open(window).has_value(); }

bool StrictSession::run(const ReplayWindow& window, std::function<void(std::string_view)> put) {
  const auto opened = open(window);
  if (!opened) return false;
  Zone zone = window.zone;
  strict::ValueLines lines(set_, window.verbose, zone, std::move(put));
  opened->replay->watch(lines);
  const auto done = opened->replay->run(lines, [] { return false; });
  if (!done) complain_(done.error().text() + "\n");
  return done.has_value();
}

}  // namespace pmjit::pmie
