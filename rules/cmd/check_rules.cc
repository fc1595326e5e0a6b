#include "rules/cmd/rule_files.h"

#include <fmt/format.h>

#include <fstream>
#include <iostream>
#include <iterator>

#include "compiler/strict_rules/rule_file.h"
#include "rules/check/meanings.h"
#include "rules/check/rule_check.h"
#include "rules/cmd/common.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/zone_option.h"
#include "rules/compat/host_sources.h"
#include "rules/compat/sources.h"
#include "rules/strict/archive_feeds.h"
#include "rules/strict/definitions.h"
#include "rules/strict/strict_replay.h"

namespace pmjit {

namespace {

// What has been found, in either dialect.
struct CheckCounts {
  size_t rules = 0, errors = 0, warnings = 0;
};

struct RuleTexts {
  std::vector<SourceText> pmie, strict;
};

Result<SourceText> read_text(const std::string& path) {
  if (path == "-") {
    return SourceText{.name = "<stdin>", .text = {std::istreambuf_iterator<char>(std::cin), {}}};
  }
  auto files = read_files({path}, FileKind::rules);
  if (!files) return fail(files.error());
  return std::move(files->front());
}

// By their pragmas, else by --dialect.
Result<RuleTexts> read_texts(const CheckRulesOptions& options) {
  RuleTexts out;
  for (const std::string& path : options.files) {
    auto read = read_text(path);
    if (!read) return fail(read.error());
    SourceText& file = *read;
    if (options.compat) {
      out.pmie.push_back(std::move(file));
      continue;
    }
    Diags diags;
    const auto said = strict::dialect_said(file, diags);
    if (said && !options.dialect.empty() && *said != options.dialect && !diags.has_errors()) {
      diags.add(DiagCode::D_Pragma, Span{0, 0}, "contradicted by --dialect " + options.dialect);
    }
    if (diags.has_errors()) return fail(Error(Fault::usage, render_all(diags, file)));
    const bool is_strict = said.value_or(options.dialect) == "strict";
    (is_strict ? out.strict : out.pmie).push_back(std::move(file));
  }
  return out;
}

Result<std::unique_ptr<pmie::ArchiveSources>> open_sources(const CheckRulesOptions& options,
                                                           DerivedMetrics& derived) {
  if (options.archives.empty()) return nullptr;
  auto out = std::make_unique<pmie::ArchiveSources>(derived);
  for (const std::string& names : options.archives) {
    auto added = out->add(names);
    if (!added) return fail(added.error().error);
  }
  return out;
}

void note_unreachable(const pmie::HostChange& change) {
  if (change.why == nullptr) return;
  complain(fmt::format("note: what rules say of {} is not checked, for it cannot be reached: {}",
                       change.connection, change.why->text()));
}

// The default host of pmie's rules; others are connected to when a rule names them.
Result<std::unique_ptr<pmie::HostSources>> live_sources(const CheckRulesOptions& options,
                                                        DerivedMetrics& derived) {
  if (options.live == nullptr) return nullptr;
  LiveHosts& live = *options.live;
  if (live.size() > 1) {
    return fail(Error(Fault::usage, fmt::format("rules of pmie have one default host, and -h "
                                                "names {}",
                                                live.size()))
                    .help("name one with -h; rules of pmie name other hosts themselves: "
                          "kernel.all.load :web2"));
  }
  auto out = std::make_unique<pmie::HostSources>(
      live.client().network(), live.client().settings(), derived,
      pmie::HostSourcesOptions{.tell = note_unreachable});
  out->add_default(live.client(), live.name());
  return out;
}

std::unique_ptr<Feeds> feeds_over(const std::vector<std::unique_ptr<ArchivesSource>>& hosts) {
  std::vector<const ArchivesSource*> out;
  for (const auto& host : hosts) out.push_back(host.get());
  return strict::feeds_of(out);
}

// When what was told shows first in the archives.
Result<void> tell_meanings(const RuleCheck& check, pmie::ArchiveSources& sources,
                           const CheckRulesOptions& options, const pmie::Settings& settings,
                           const Definitions& definitions) {
  const auto hosts = open_hosts({.archives = options.archives}, ExtraUnits::known);
  if (!hosts) return fail(hosts.error());
  warn_of_zone({});
  auto zone = ZoneOption{}.zone(sources.archives(0).label().timezone);
  if (!zone) return fail(zone.error());
  const Archives& archives = hosts->front()->archives();
  const auto end = archives.end();
  if (!end) return fail(end.error());
  const auto feeds = feeds_over(*hosts);
  catch_interrupts();
  const auto meanings = compare_meanings({.check = check,
                                          .sources = sources,
                                          .strict_feeds = *feeds,
                                          .start = archives.start(),
                                          .end = *end,
                                          .zone = *zone,
                                          .settings = settings,
                                          .definitions = definitions.texts(),
                                          .stop = [] { return interrupted() != 0; }});
  if (!meanings) return fail(meanings.error());
  if (interrupted() == 0 && !meanings->empty()) say("\n" + meanings_text(*meanings, *zone));
  return {};
}

Result<CheckCounts> check_pmie(const std::vector<SourceText>& files,
                               const CheckRulesOptions& options) {
  if (files.empty()) return CheckCounts{};
  auto settings = pmie::parse_settings(options.settings);
  if (!settings) return fail(settings.error().at("option", "--set"));
  auto definitions = Definitions::load({}, say);
  if (!definitions) return fail(definitions.error());
  auto sources = open_sources(options, definitions->metrics());
  if (!sources) return fail(sources.error());
  const auto hosts = live_sources(options, definitions->metrics());
  if (!hosts) return fail(hosts.error());
  pmie::RuleSources* metrics = sources->get();
  if (*hosts != nullptr) metrics = hosts->get();
  RuleCheck check({.metrics = metrics, .settings = *settings});
  const auto done = check.read(files);
  say(check.report().rendered);
  if (!done) return fail(done.error());
  if (auto known = check_settings(options.settings, check.reader().defined()); !known) {
    return fail(known.error());
  }
  const RuleCheckReport& report = check.report();
  if (*sources != nullptr) {
    if (auto told = tell_meanings(check, **sources, options, *settings, *definitions); !told)
      return fail(told.error());
  }
  return CheckCounts{.rules = report.rules, .errors = report.errors, .warnings = report.warnings};
}

// Messages of the strict dialect are said, and are errors all.
CheckCounts only_errors(std::string_view errors) {
  say(errors);
  CheckCounts out;
  constexpr std::string_view kError = "error[";
  for (size_t i = errors.find(kError); i != errors.npos; i = errors.find(kError, i + 1)) {
    ++out.errors;
  }
  return out;
}

// Against the metadata of archives or hosts.
CheckCounts bind_strict(const strict::RuleSet& set, const Feeds& feeds,
                        const strict::TaskOptions& tasks,
                        const std::vector<std::string>& connections) {
  const auto replay = strict::StrictReplay::open(set, feeds, tasks, connections);
  if (!replay) return only_errors(replay.error().what());
  for (const std::string& note : (*replay)->notes()) complain("note: " + note);
  return {.rules = set.rules.size()};
}

Result<CheckCounts> check_strict(const std::vector<SourceText>& files,
                                 const CheckRulesOptions& options) {
  if (files.empty()) return CheckCounts{};
  const auto settings = pmie::parse_settings(options.settings);
  if (!settings) return fail(settings.error().at("option", "--set"));
  auto definitions = Definitions::load({}, say);
  if (!definitions) return fail(definitions.error());
  strict::RuleSet set;
  for (const SourceText& file : files) {
    auto added = strict::add_rules(set, file, {.settings = *settings});
    if (!added) return fail(added.error());
  }
  if (!set.errors.empty()) return only_errors(set.errors);
  if (auto known = pmie::check_settings(*settings, set.macros); !known) return fail(known.error());
  const CheckCounts fine{.rules = set.rules.size()};
  strict::TaskOptions tasks{
      .origin = {}, .end = kStampMax, .definition_files = definitions->texts()};
  if (options.live != nullptr) {
    return bind_strict(set, options.live->feeds(), tasks, options.hosts);
  }
  if (options.archives.empty()) return fine;
  const auto hosts = open_hosts({.archives = options.archives}, ExtraUnits::known);
  if (!hosts) return fail(hosts.error());
  tasks.origin = hosts->front()->start();
  tasks.end = hosts->front()->end();
  return bind_strict(set, *feeds_over(*hosts), tasks, {});
}

void add_counts(CheckCounts& to, const CheckCounts& more) {
  to.rules += more.rules;
  to.errors += more.errors;
  to.warnings += more.warnings;
}

}  // namespace

bool is_rule_file(const std::string& path) {
  if (path == "-" || path.ends_with(".pmie")) return true;
  std::ifstream in(path, std::ios::binary);
  in >> std::ws;
  const int first = in.get(), second = in.get();
  return first == '/' && (second == '/' || second == '*');
}

int check_rule_files(const CheckRulesOptions& options) {
  const auto texts = read_texts(options);
  if (!texts) return complain(without_end_of_line(texts.error().text())), kExitErrors;
  CheckCounts found;
  for (const auto& checked :
       {check_pmie(texts->pmie, options), check_strict(texts->strict, options)}) {
    if (!checked) return complain(checked.error().text()), kExitErrors;
    add_counts(found, *checked);
  }
  if (interrupted() != 0) return kExitSignal + interrupted();
  if (found.errors != 0) {
    say(fmt::format("{} error{}\n", found.errors, found.errors == 1 ? "" : "s"));
    return kExitErrors;
  }
  const std::string_view fits = found.rules == 1 ? "fits" : "fit";
  std::string verdict = "read; -a ARCHIVE or -h HOST would check names, units and types";
  if (!options.archives.empty()) verdict = fmt::format("{} the archive", fits);
  if (options.live != nullptr) {
    verdict = fmt::format("{} the {}", fits, options.live->size() == 1 ? "host" : "hosts");
  }
  fmt::print("{} rule{} {}\n", found.rules, found.rules == 1 ? "" : "s", verdict);
  return found.warnings != 0 ? kExitWarnings : kExitOk;
}

}  // namespace pmjit
