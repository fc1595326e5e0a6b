#include "rules/cmd/rule_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compiler/strict_rules/rule_file.h"
#include "rules/check/allow.h"
#include "rules/check/check_output.h"
#include "rules/check/findings.h"
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

struct RuleTexts {
  std::vector<SourceText> pmie, strict;
};

// By their pragmas, else by --dialect.
Result<RuleTexts> texts_by_dialect(const CheckRulesOptions& options) {
  RuleTexts out;
  for (const SourceText& file : options.files) {
    if (options.compat) {
      out.pmie.push_back(file);
      continue;
    }
    Diags diags;
    const auto said = strict::dialect_said(file, diags);
    if (said && !options.dialect.empty() && *said != options.dialect && !diags.has_errors()) {
      diags.add(DiagCode::D_Pragma, Span{0, 0}, "contradicted by --dialect " + options.dialect);
    }
    if (diags.has_errors()) return fail(Error(Fault::usage, render_all(diags, file)));
    const bool is_strict = said.value_or(options.dialect) == "strict";
    (is_strict ? out.strict : out.pmie).push_back(file);
  }
  return out;
}

Result<std::unique_ptr<pmie::ArchiveSources>> open_sources(const CheckRulesOptions& options,
                                                           DerivedMetrics& derived) {
  if (options.archives.empty()) return nullptr;
  auto out = std::make_unique<pmie::ArchiveSources>(derived);
  for (const std::string& names : options.archives) {
    auto left_out = out->add_readable(names);
    if (!left_out) return fail(left_out.error().error);
    warn_of_left_out(*left_out, names, options.verbose);
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

// What people call an archive: the last part of its path.
std::string short_name(std::string path) {
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  return path.substr(path.rfind('/') + 1);
}

// When rules fire over the archives, in pmie and in strict.
Result<void> add_meanings(const RuleCheck& check, pmie::ArchiveSources& sources,
                          const CheckRulesOptions& options, const pmie::Settings& settings,
                          const Definitions& definitions, std::span<CheckedFile> files) {
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
                                          .stop = [] { return interrupted() != 0; },
                                          .progress = options.replay_progress});
  if (!meanings) return fail(meanings.error());
  if (interrupted() != 0) return {};
  if (options.differences) {
    files.back().notes.push_back(meanings_text(*meanings, *zone));
    return {};
  }
  const auto time_of = [&](double when) {
    const auto seconds = static_cast<int64_t>(when);
    return iso_local(Stamp{.sec = seconds}, *zone);
  };
  add_firings({.report = check.report(),
               .meanings = *meanings,
               .archive = short_name(options.archives.front()),
               .time_of = time_of},
              files);
  return {};
}

Result<Definitions> definitions_for(const CheckRulesOptions& options) {
  auto installed = load_definitions({});
  if (!installed || options.definition_files.empty()) return installed;
  return Definitions::load(options.definition_files, [](std::string_view) {});
}

Result<std::vector<CheckedFile>> check_pmie(const std::vector<SourceText>& files,
                                            const CheckRulesOptions& options) {
  if (files.empty()) return std::vector<CheckedFile>{};
  auto settings = pmie::parse_settings(options.settings);
  if (!settings) return fail(settings.error().at("option", "--set"));
  auto definitions = definitions_for(options);
  if (!definitions) return fail(definitions.error());
  auto sources = open_sources(options, definitions->metrics());
  if (!sources) return fail(sources.error());
  const auto hosts = live_sources(options, definitions->metrics());
  if (!hosts) return fail(hosts.error());
  pmie::RuleSources* metrics = sources->get();
  if (*hosts != nullptr) metrics = hosts->get();
  const Catalog* catalog = *sources != nullptr ? &(*sources)->catalog(0) : nullptr;
  if (options.live != nullptr) catalog = &options.live->feeds().catalog();
  std::optional<NamesWithDefined> names;
  if (catalog != nullptr) names.emplace(*catalog, *definitions);
  RuleCheck check({.metrics = metrics,
                   .catalog = names ? &*names : nullptr,
                   .settings = *settings,
                   .differences = options.differences,
                   .progress = options.progress});
  const auto done = check.read(files);
  if (!done) return fail(done.error());
  if (auto known = check_settings(options.settings, check.reader().defined()); !known) {
    return fail(known.error());
  }
  std::vector<CheckedFile> out;
  for (const RuleCheckReport::Text& text : check.report().texts) {
    CheckedFile& file = out.emplace_back(
        CheckedFile{.name = text.source.name, .what = "rule", .count = text.rules()});
    add_findings(text.source, text.diags, file);
  }
  for (size_t i = 0; i < out.size(); ++i) {
    const RuleCheckReport::Text& text = check.report().texts[i];
    std::vector<Span> spans;
    for (const auto& statement : text.statements) spans.push_back(statement.span);
    const std::string& written = text.source.text;
    silence(written, lines_of(written, spans), {.comment = "//", .tell_unused = options.verbose},
            out[i]);
  }
  if (*sources != nullptr) {
    auto added = add_meanings(check, **sources, options, *settings, *definitions, out);
    if (!added) return fail(added.error());
  }
  return out;
}

// Against the metadata of archives or hosts. What is wrong goes to `wrong`.
Result<void> bind_strict(const strict::RuleSet& set, const Feeds& feeds, strict::TaskOptions tasks,
                         const std::vector<std::string>& connections,
                         std::vector<Compilation::Report>& wrong) {
  tasks.wrong = &wrong;
  const auto replay = strict::StrictReplay::open(set, feeds, tasks, connections);
  if (!replay) return wrong.empty() ? Result<void>(fail(replay.error())) : Result<void>();
  for (const std::string& note : (*replay)->notes()) complain("note: " + note);
  return {};
}

// What is wrong with files that are not to be run at all.
Result<std::vector<Compilation::Report>> wrong_in_strict(strict::RuleSet& set,
                                                         const pmie::Settings& settings,
                                                         const CheckRulesOptions& options) {
  auto definitions = definitions_for(options);
  if (!definitions) return fail(definitions.error());
  if (!set.wrong.empty()) return std::move(set.wrong);
  if (auto known = pmie::check_settings(settings, set.macros); !known) return fail(known.error());
  std::vector<Compilation::Report> out;
  strict::TaskOptions tasks{
      .origin = {}, .end = kStampMax, .definition_files = definitions->texts()};
  Result<void> bound;
  if (options.live != nullptr) {
    bound = bind_strict(set, options.live->feeds(), tasks, options.hosts, out);
  } else if (!options.archives.empty()) {
    const auto hosts = open_hosts({.archives = options.archives}, ExtraUnits::known);
    if (!hosts) return fail(hosts.error());
    tasks.origin = hosts->front()->start();
    tasks.end = hosts->front()->end();
    bound = bind_strict(set, *feeds_over(*hosts), tasks, {}, out);
  }
  if (!bound) return fail(bound.error());
  return out;
}

// What runs, and does hardly what is meant; and what comments silence.
void warn_in_strict(const strict::RuleSet& set, size_t source, bool verbose, CheckedFile& file) {
  const SourceText& text = set.sources[source];
  Diags diags;
  std::vector<Span> spans;
  for (const strict::SetRule& one : set.rules) {
    if (one.source != source) continue;
    strict::warn_of_until(one.rule, text.text, diags);
    spans.push_back(one.rule.span);
  }
  add_findings(text, diags, file);
  silence(text.text, lines_of(text.text, spans), {.comment = "//", .tell_unused = verbose}, file);
}

Result<std::vector<CheckedFile>> check_strict(const std::vector<SourceText>& files,
                                              const CheckRulesOptions& options) {
  std::vector<CheckedFile> out;
  if (files.empty()) return out;
  const auto settings = pmie::parse_settings(options.settings);
  if (!settings) return fail(settings.error().at("option", "--set"));
  strict::RuleSet set;
  for (const SourceText& file : files) {
    const size_t before = set.rules.size();
    auto added = strict::add_rules(set, file, {.settings = *settings});
    if (!added) return fail(added.error());
    out.push_back({.name = file.name, .what = "rule", .count = set.rules.size() - before});
  }
  const auto wrong = wrong_in_strict(set, *settings, options);
  if (!wrong) return fail(wrong.error());
  for (const Compilation::Report& report : *wrong) {
    const auto file = std::ranges::find(out, report.source.name, &CheckedFile::name);
    if (file != out.end()) add_findings(report.source, report.diags, *file);
  }
  for (size_t i = 0; i < out.size(); ++i) warn_in_strict(set, i, options.verbose, out[i]);
  return out;
}

}  // namespace

bool is_rule_text(const SourceText& file) {
  if (file.name.ends_with(".pmie")) return true;
  const size_t first = file.text.find_first_not_of(" \t\n\v\f\r");
  const std::string_view begin =
      std::string_view(file.text).substr(std::min(first, file.text.size()), 2);
  return begin == "//" || begin == "/*";
}

std::string rule_mistakes(const std::vector<SourceText>& files, pmie::ArchiveSources* sources,
                          const pmie::Settings& settings) {
  RuleCheck check({.metrics = sources,
                   .catalog = sources == nullptr ? nullptr : &sources->catalog(0),
                   .settings = settings,
                   .differences = false});
  if (!check.read(files)) return {};
  std::vector<CheckedFile> out;
  for (const RuleCheckReport::Text& text : check.report().texts) {
    CheckedFile file{.name = text.source.name, .what = "rule", .count = text.rules()};
    add_findings(text.source, text.diags, file);
    std::erase_if(file.findings, [](const Finding& finding) {
      return finding.level != Level::error || finding.diag.code == DiagCode::S_RuleMetric;
    });
    if (!file.findings.empty()) out.push_back(std::move(file));
  }
  return out.empty() ? std::string() : text_of(out, {}).findings;
}

Result<void> check_rule_files(const CheckRulesOptions& options, std::vector<CheckedFile>& out) {
  const auto texts = texts_by_dialect(options);
  if (!texts) return fail(texts.error());
  for (auto checked : {check_pmie(texts->pmie, options), check_strict(texts->strict, options)}) {
    if (!checked) return fail(checked.error());
    std::ranges::move(*checked, std::back_inserter(out));
  }
  return {};
}

}  // namespace pmjit
