#include "rules/cmd/rule_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "compiler/strict_rules/rule_file.h"
#include "rules/check/allow.h"
#include "rules/check/check_output.h"
#include "rules/check/conditions.h"
#include "rules/check/far_thresholds.h"
#include "rules/check/findings.h"
#include "rules/check/meanings.h"
#include "rules/check/rule_check.h"
#include "rules/cmd/common.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/recorded_window.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/zone_option.h"
#include "rules/compat/host_sources.h"
#include "rules/compat/sources.h"
#include "rules/strict/archive_feeds.h"
#include "rules/strict/definitions.h"
#include "rules/strict/strict_replay.h"
#include "runtime/archive/recording/marks.h"
#include "runtime/base/chars.h"

namespace pmjit {

namespace {

using RuleTexts = std::vector<SourceText>;
struct RuleSets {
  std::vector<RuleTexts> pmie{}, strict{};
  pmie::MacroNames macros{};  // of those that have been read
};

// By their pragmas, else by --dialect. Files whose pragma is wrong go to `wrong`.
void add_by_dialect(const RuleTexts& set, const CheckRulesOptions& options, RuleSets& out,
                    std::vector<CheckedFile>& wrong) {
  RuleTexts pmie, strict;
  for (const SourceText& file : set) {
    if (options.compat) {
      pmie.push_back(file);
      continue;
    }
    Diags diags;
    const auto said = strict::dialect_said(file, diags);
    if (said && !options.dialect.empty() && *said != options.dialect && !diags.has_errors()) {
      diags.add(DiagCode::D_Pragma, Span{0, 0}, "contradicted by --dialect " + options.dialect);
    }
    if (diags.has_errors()) {
      add_findings(file, diags, wrong.emplace_back(CheckedFile{.name = file.name}));
      continue;
    }
    const bool is_strict = said.value_or(options.dialect) == "strict";
    (is_strict ? strict : pmie).push_back(file);
  }
  if (!pmie.empty()) out.pmie.push_back(std::move(pmie));
  if (!strict.empty()) out.strict.push_back(std::move(strict));
}

Result<std::unique_ptr<pmie::ArchiveSources>> open_sources(const CheckRulesOptions& options,
                                                           DerivedMetrics& derived) {
  if (options.archives.empty()) return nullptr;
  auto out = std::make_unique<pmie::ArchiveSources>(derived);
  out->watch();
  for (const std::string& names : options.archives) {
    auto left_out = out->add_readable(names);
    if (!left_out) return fail(left_out.error().error);
    warn_of_left_out(*left_out, names, options.verbose);
  }
  for (uint32_t i = 0; i < out->size(); ++i) {
    for (const std::string& warning : out->warnings(i)) options.warn(warning, false);
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

void warn_of_steps(const Archives& archives, Stamp end, const CheckRulesOptions& options) {
  if (const auto steps = steps_back(archives, archives.start(), end)) options.warn(*steps, false);
}

// What is missing or damaged; open_hosts() has said what is missing.
void warn_of_archives(const ArchivesSource& source, const CheckRulesOptions& options) {
  for (const std::string& warning : source.warnings()) options.warn(warning, true);
  const auto whole = whole_up_to(source.end(), source.archives());
  if (!whole) options.warn(whole.error().text(), false);
  warn_of_steps(source.archives(), source.end(), options);
}

// Of records that were read.
void warn_of_strangers(const ArchivesSource& source, const CheckRulesOptions& options) {
  const auto damage = source.undescribed().error_until(kStampMax);
  if (damage) options.warn(damage->text(), false);
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

// Of work of two parts, each of 0 … 1.
std::function<void(double)> part_of(const std::function<void(double)>& whole, int part) {
  return [&whole, part](double done) { whole((part + done) / 2); };
}

void add_comparisons(const RuleCheckReport& report, std::span<const Meaning> meanings, Zone& zone,
                     std::span<CheckedFile> files) {
  std::vector<LineStarts> starts;
  for (const RuleCheckReport::Text& text : report.texts) starts.emplace_back(text.source.text);
  for (const Meaning& one : meanings) {
    CheckNote& added = files[one.text].comparisons.emplace_back(comparison_of(one, zone));
    const RuleCheckReport::Text& text = report.texts[one.text];
    added.at =
        line_column(text.source, starts[one.text], text.statements[one.statement].span.begin);
  }
}

// When rules fire over the archives, in pmie and in strict.
Result<void> add_meanings(const RuleCheck& check, pmie::ArchiveSources& sources,
                          const CheckRulesOptions& options, const pmie::Settings& settings,
                          const Definitions& definitions, std::span<CheckedFile> files) {
  const bool told = true;
  const auto hosts = open_hosts({.archives = options.archives}, ExtraUnits::known, told);
  if (!hosts) return fail(hosts.error());
  warn_of_zone({});
  auto zone = ZoneOption{}.zone(sources.archives(0).label().timezone);
  if (!zone) return fail(zone.error());
  const Archives& archives = hosts->hosts.front()->archives();
  const auto end = archives.end();
  if (!end) return fail(end.error());
  const auto feeds = feeds_over(hosts->hosts);
  const MeaningsInput input{.check = check,
                            .sources = sources,
                            .strict_feeds = *feeds,
                            .start = archives.start(),
                            .end = *end,
                            .zone = *zone,
                            .settings = settings,
                            .definitions = definitions.texts(),
                            .progress = part_of(options.replay_progress, 0)};
  const auto meanings = compare_meanings(input);
  if (!meanings) return fail(meanings.error());
  MeaningsInput watching = input;
  watching.progress = part_of(options.replay_progress, 1);
  const auto seen = watch_pmie(watching);
  if (!seen) return fail(seen.error());
  if (const auto whole = whole_up_to(*end, archives); !whole) {
    options.warn(whole.error().text(), false);
  }
  warn_of_steps(archives, *end, options);
  for (uint32_t i = 0; i < sources.size(); ++i) warn_of_strangers(sources.recorded(i), options);
  add_far_notes(*seen, short_name(options.archives.front()), files);
  if (options.differences) {
    add_comparisons(check.report(), *meanings, *zone, files);
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

// What sets of rules of pmie are checked against.
struct PmieWorld {
  const CheckRulesOptions& options;
  const pmie::Settings& settings;
  const Definitions& definitions;
  pmie::ArchiveSources* archives = nullptr;  // or null
  pmie::RuleSources* metrics = nullptr;
  const Catalog* catalog = nullptr;
};

Result<std::vector<CheckedFile>> check_pmie_set(const RuleTexts& files, const PmieWorld& world,
                                                const std::function<void(double)>& progress,
                                                pmie::MacroNames& macros) {
  RuleCheck check({.metrics = world.metrics,
                   .catalog = world.catalog,
                   .settings = world.settings,
                   .differences = world.options.differences,
                   .progress = progress});
  const auto done = check.read(files);
  if (!done) return fail(done.error());
  macros.insert(check.reader().defined().begin(), check.reader().defined().end());
  std::vector<CheckedFile> out;
  for (const RuleCheckReport::Text& text : check.report().texts) {
    CheckedFile& file =
        out.emplace_back(CheckedFile{.name = text.source.name, .count = text.rules()});
    add_findings(text.source, text.diags, file);
  }
  for (size_t i = 0; i < out.size(); ++i) {
    const RuleCheckReport::Text& text = check.report().texts[i];
    std::vector<Span> spans;
    for (const auto& statement : text.statements) spans.push_back(statement.span);
    const std::string& written = text.source.text;
    silence(written, lines_of(written, spans),
            {.comment = "//", .tell_unused = world.options.verbose}, out[i]);
  }
  if (world.archives != nullptr) {
    auto added =
        add_meanings(check, *world.archives, world.options, world.settings, world.definitions, out);
    if (!added) return fail(added.error());
  }
  return out;
}

Result<std::vector<CheckedFile>> check_pmie(RuleSets& sets, const CheckRulesOptions& options) {
  std::vector<CheckedFile> out;
  if (sets.pmie.empty()) return out;
  auto settings = pmie::parse_settings(options.settings);
  if (!settings) return fail(settings.error().at("option", "--set"));
  auto definitions = definitions_for(options);
  if (!definitions) return fail(definitions.error());
  auto sources = open_sources(options, definitions->metrics());
  if (!sources) return fail(sources.error());
  const auto hosts = live_sources(options, definitions->metrics());
  if (!hosts) return fail(hosts.error());
  PmieWorld world{.options = options,
                  .settings = *settings,
                  .definitions = *definitions,
                  .archives = sources->get(),
                  .metrics = sources->get()};
  if (*hosts != nullptr) world.metrics = hosts->get();
  const Catalog* catalog = *sources != nullptr ? &(*sources)->catalog(0) : nullptr;
  if (options.live != nullptr) catalog = &options.live->feeds().catalog();
  std::optional<NamesWithDefined> names;
  if (catalog != nullptr) world.catalog = &names.emplace(*catalog, *definitions);
  for (size_t i = 0; i < sets.pmie.size(); ++i) {
    const auto progress = [&](double done) {
      if (!options.progress) return;
      options.progress((static_cast<double>(i) + done) / static_cast<double>(sets.pmie.size()));
    };
    auto checked = check_pmie_set(sets.pmie[i], world, progress, sets.macros);
    if (!checked) return fail(checked.error());
    std::ranges::move(*checked, std::back_inserter(out));
  }
  // Strict rules run over all of them.
  if (*sources == nullptr || !sets.strict.empty()) return out;
  if (auto named = all_hosts_named(**sources); !named) {
    const bool has_errors =
        std::ranges::any_of(out, [](const auto& one) { return one.of(Level::error) > 0; });
    if (!has_errors) return fail(named.error());
    options.warn(named.error().text(), false);
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

// What sets of strict rules are checked against.
struct StrictWorld {
  const CheckRulesOptions& options;
  pmie::Settings settings;
  Definitions definitions;
  std::vector<std::unique_ptr<ArchivesSource>> archives{};  // by host
  std::unique_ptr<Feeds> over{};                            // of them
  const Feeds* feeds = nullptr;                             // or null
  strict::TaskOptions tasks{};
};

// `told`: what is missing in the archives has been said.
Result<StrictWorld> strict_world(const CheckRulesOptions& options, bool told) {
  auto settings = pmie::parse_settings(options.settings);
  if (!settings) return fail(settings.error().at("option", "--set"));
  auto definitions = definitions_for(options);
  if (!definitions) return fail(definitions.error());
  StrictWorld out{
      .options = options, .settings = *std::move(settings), .definitions = *std::move(definitions)};
  out.tasks = {.origin = {}, .end = kStampMax, .definition_files = out.definitions.texts()};
  if (options.live != nullptr) {
    out.feeds = &options.live->feeds();
  } else if (!options.archives.empty()) {
    auto hosts = open_hosts({.archives = options.archives}, ExtraUnits::known, told);
    if (!hosts) return fail(hosts.error());
    out.archives = std::move(hosts->hosts);
    for (const auto& host : out.archives) warn_of_archives(*host, options);
    out.tasks.origin = out.archives.front()->start();
    out.tasks.end = out.archives.front()->end();
    out.over = feeds_over(out.archives);
    out.feeds = out.over.get();
  }
  return out;
}

// What is wrong with files; those with errors are not to be run at all.
Result<std::vector<Compilation::Report>> wrong_in_strict(strict::RuleSet& set,
                                                         const StrictWorld& world) {
  std::vector<Compilation::Report> out = std::move(set.wrong), bound;
  if (!set.errors.empty() || world.feeds == nullptr) return out;
  auto done = bind_strict(set, *world.feeds, world.tasks, world.options.hosts, bound);
  if (!done) return fail(done.error());
  std::ranges::move(bound, std::back_inserter(out));
  return out;
}

// What runs, and does hardly what is meant; and what comments silence.
void warn_in_strict(const strict::RuleSet& set, size_t source, const StrictWorld& world,
                    CheckedFile& file) {
  const SourceText& text = set.sources[source];
  Diags diags;
  MistakenOperands mistaken;
  for (const Finding& one : file.findings) {
    mistaken.add(one.diag.code, one.diag.severity, one.begin());
  }
  std::vector<Span> spans;
  for (const strict::SetRule& one : set.rules) {
    if (one.source != source) continue;
    strict::warn_of_until(one.rule, text.text, diags);
    const Catalog* const catalog = world.feeds == nullptr ? nullptr : &world.feeds->catalog();
    std::vector<Condition> turns;
    for (const strict::Clause& clause : one.rule.clauses) {
      if (!clause.condition || !one.rule.acts()) continue;
      turns.push_back(condition_of(*clause.condition, text.text, catalog));
      mistaken.leave_out_of(turns.back());
      warn_of_constant(turns.back(), diags);
    }
    if (one.rule.is_ruleset) warn_of_turns(turns, diags);
    spans.push_back(one.rule.span);
  }
  add_findings(text, diags, file);
  silence(text.text, lines_of(text.text, spans),
          {.comment = "//", .tell_unused = world.options.verbose}, file);
}

Result<void> add_strict_set(const RuleTexts& files, const StrictWorld& world,
                            pmie::MacroNames& macros, std::vector<CheckedFile>& to) {
  std::vector<CheckedFile> out;
  strict::RuleSet set;
  for (const SourceText& file : files) {
    const size_t before = set.rules.size();
    auto added = strict::add_rules(set, file, {.settings = world.settings});
    if (!added) return added;
    out.push_back({.name = file.name, .count = set.rules.size() - before});
  }
  macros.insert(set.macros.begin(), set.macros.end());
  const auto wrong = wrong_in_strict(set, world);
  if (!wrong) return fail(wrong.error());
  for (const Compilation::Report& report : *wrong) {
    const auto file = std::ranges::find(out, report.source.name, &CheckedFile::name);
    if (file != out.end()) add_findings(report.source, report.diags, *file);
  }
  for (size_t i = 0; i < out.size(); ++i) warn_in_strict(set, i, world, out[i]);
  const bool has_errors = std::ranges::any_of(
      *wrong, [](const Compilation::Report& report) { return report.diags.has_errors(); });
  if (!has_errors && world.over != nullptr) {
    const auto seen = watch_strict(set, *world.feeds, world.tasks, world.options.replay_progress);
    add_far_notes(seen, short_name(world.options.archives.front()), out);
  }
  std::ranges::move(out, std::back_inserter(to));
  return {};
}

Result<std::vector<CheckedFile>> check_strict(RuleSets& sets, const CheckRulesOptions& options) {
  std::vector<CheckedFile> out;
  if (sets.strict.empty()) return out;
  const auto world = strict_world(options, !sets.pmie.empty());
  if (!world) return fail(world.error());
  for (const RuleTexts& set : sets.strict) {
    if (auto added = add_strict_set(set, *world, sets.macros, out); !added) {
      return fail(added.error());
    }
  }
  for (const auto& host : world->archives) {
    if (!warn_of_records(host->archives(), options.warn)) warn_of_strangers(*host, options);
  }
  return out;
}

// $NAME or $'NAME'
bool names_macro(std::string_view text, const std::string& name) {
  if (text.contains("$'" + name + "'")) return true;
  for (size_t at = text.find("$" + name); at != text.npos; at = text.find("$" + name, at + 1)) {
    const size_t behind = at + 1 + name.size();
    const char next = behind < text.size() ? text[behind] : ' ';
    if (!is_letter(next) && !is_digit(next) && next != '_') return true;
  }
  return false;
}

// The rule and the macros that it names, which may have no value, by their names. Empty: there is
// no such rule, and any statement may be what was meant.
std::set<std::string> statements_about(const RuleCheckReport& report, const std::string& rule) {
  std::set<std::string> out;
  std::string written;
  for (const RuleCheckReport::Text& text : report.texts) {
    for (const pmie::CheckedStatement& statement : text.statements) {
      if (rule.empty() || statement.name != rule) continue;
      out.insert(rule);
      written +=
          text.source.text.substr(statement.span.begin, statement.span.end - statement.span.begin);
    }
  }
  for (const RuleCheckReport::Text& text : report.texts) {
    for (const pmie::CheckedStatement& statement : text.statements) {
      if (!statement.name.empty() && names_macro(written, statement.name)) {
        out.insert(statement.name);
      }
    }
  }
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

std::string rule_mistakes(const std::vector<SourceText>& files,
                          const RuleMistakesOptions& options) {
  RuleCheck check({.metrics = &options.metrics,
                   .catalog = &options.catalog,
                   .settings = options.settings,
                   .differences = false});
  if (!check.read(files)) return {};
  const auto wanted = statements_about(check.report(), options.rule);
  std::vector<CheckedFile> out;
  for (const RuleCheckReport::Text& text : check.report().texts) {
    CheckedFile file{.name = text.source.name, .count = text.rules()};
    add_findings(text.source, text.diags, file);
    std::vector<Span> asked;  // a few, of thousands of statements
    for (const pmie::CheckedStatement& statement : text.statements) {
      if (wanted.contains(statement.name)) asked.push_back(statement.span);
    }
    const auto is_asked = [&](const Finding& finding) {
      return std::ranges::any_of(asked, [&](Span span) {
        return span.begin <= finding.begin() && finding.begin() <= span.end;
      });
    };
    std::erase_if(file.findings, [&](const Finding& finding) {
      return finding.level != Level::error || pmie::says_left_out(finding.diag) ||
             (!wanted.empty() && !is_asked(finding));
    });
    if (!file.findings.empty()) out.push_back(std::move(file));
  }
  return out.empty() ? std::string() : text_of(out, {}).findings;
}

Result<void> check_rule_files(const CheckRulesOptions& options, std::vector<CheckedFile>& out) {
  RuleSets sets;
  for (const RuleTexts& set : options.sets) add_by_dialect(set, options, sets, out);
  for (auto* const check : {check_pmie, check_strict}) {
    auto checked = check(sets, options);
    if (!checked) return fail(checked.error());
    std::ranges::move(*checked, std::back_inserter(out));
  }
  return check_settings(options.settings, sets.macros);
}

}  // namespace pmjit
