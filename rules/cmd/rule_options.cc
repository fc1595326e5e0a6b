// Options of the verbs that run rules, and the definitions that they load.
#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "compiler/driver/check.h"
#include "rules/check/check_output.h"
#include "rules/check/findings.h"
#include "rules/cmd/common.h"
#include "rules/cmd/daemon_input.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/text_file.h"
#include "rules/cmd/threads_option.h"
#include "rules/cmd/time_values.h"

namespace pmjit {

std::string without_end_of_line(std::string text) {
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

CommandOptions session_options(RuleSessionOptions& options) {
  CommandOptions out = {
      {.names = "FILE",
       .target = &options.files,
       .what = "rules, as pmie reads them, or - for standard input",
       .required = true},
      {.names = "-a,--archive",
       .target = &options.archives,
       .value = "ARCHIVE",
       .what = "archive, or folder of archives; may be repeated",
       .daily = true,
       .more =
           "An archive is named by its base: web1 for web1.meta, web1.index, web1.0. Rules read "
           "the first one where they name no host. Commas between names join archives of one "
           "host, and so does a pattern such as `'web1*'`."},
      {.names = "-S,--start",
       .target = &options.start,
       .value = "TIME",
       .what = "first evaluation: 10min, '@14:30', \"2 hours ago\"",
       .wrong = wrong_time,
       .daily = true,
       .more =
           "10min is ten minutes after the first record, and of a live host from now. @14:30 is "
           "the first 14:30 from the archive's start on. 2026-11-01T10:00:00Z is a time, too."},
      finish_option(options.finish),
      {.names = "-O,--origin",
       .target = &options.origin,
       .value = "TIME",
       .what = "first evaluation, within -S and -T",
       .wrong = wrong_time},
      {.names = "-A,--align",
       .target = &options.align,
       .value = "INTERVAL",
       .what = "begin at a multiple of INTERVAL, e.g. 1hour",
       .wrong = wrong_interval},
      {.names = "-t,--interval",
       .target = &options.interval,
       .value = "INTERVAL",
       .what = "evaluate every INTERVAL where rules set no delta",
       .wrong = wrong_interval,
       .daily = true,
       .more = "Without `-t` the interval is 10 seconds."},
      zone_option(options.zone, "time zone of all times, e.g. Europe/Berlin"),
      host_zone_option(options.zone),
      setting_option(options.settings),
      definitions_option(options.definition_files),
  };
  constexpr auto kBehindArchive = 2;
  if (options.takes_hosts) out.insert(out.begin() + kBehindArchive, host_option(options.hosts));
  return out;
}

std::string missing_source_of(const RuleSessionOptions& options) {
  const bool given = !options.archives.empty() || !options.hosts.empty() ||
                     std::ranges::any_of(options.files, is_daemon_config);
  const std::string time = time_as_file(options.files, "-S");
  if (!time.empty() && options.start.empty()) return time;
  std::error_code unknown;
  for (const std::string& file : options.files) {
    const bool there =
        std::filesystem::exists(file, unknown) || std::filesystem::exists(file + ".meta", unknown);
    if (given || there) continue;
    const std::string near = near_files(file);
    if (!near.empty()) return fmt::format("{}: no such file; {}", file, near);
  }
  return given ? turned_source(options.files, options.archives)
               : missing_source(options.files, options.takes_hosts);
}

CommandOption setting_option(std::vector<std::string>& settings) {
  return {.names = "--set",
          .target = &settings,
          .value = "NAME=VALUE",
          .what = "override a macro of the rules, e.g. cpu_busy=95",
          .daily = true,
          .more =
              "The option may be repeated. Other values are 'disk_wait=20 millisec' and "
              "verb=print."};
}

CommandOption definitions_option(std::vector<std::string>& files) {
  return {.names = "-c,--config,--derived",
          .target = &files,
          .value = "FILE",
          .what = "read derived metrics from FILE; may be repeated",
          .daily = true,
          .more =
              "A derived metric is a line `name = expression`. pmjit also reads those of "
              "$PCP_DERIVED_CONFIG."};
}

Result<void> check_definition_files(const std::vector<std::string>& files) {
  warn_of_definition_paths(files);
  std::vector<std::string> all;
  for (const std::string& path : files) add_definition_paths(path, all);
  Result<void> out;
  for (const std::string& file : all) {
    auto fine = check_user_file(file, FileKind::definitions);
    if (fine) continue;
    if (!out) complain(out.error().text());
    out = std::move(fine);
  }
  return out;
}

Result<Definitions> load_definitions(const std::vector<std::string>& files) {
  // The definitions keep whom they tell: when they are bound they may have more to say.
  struct Told {
    bool loading = true;
    std::string text;
  };
  const auto told = std::make_shared<Told>();
  auto out = Definitions::load(files, [told](std::string_view text) {
    if (!told->loading) return say(text);
    told->text += text;
  });
  told->loading = false;
  const std::string& said = told->text;
  if (!out || said.empty()) return out;
  CheckReport checked =
      check_texts({.expressions = {}, .definition_files = out->texts()}, nullptr, {});
  std::vector<CheckedFile> found;
  for (const CheckReport::File& file : checked.files) {
    found.push_back(
        {.name = file.name, .kind = CheckedKind::definitions, .count = file.definitions});
    for (const Compilation::Report& report : checked.mistakes) {
      if (report.source.name == file.name) add_findings(report.source, report.diags, found.back());
    }
  }
  std::erase_if(found, [](const CheckedFile& file) { return file.findings.empty(); });
  // Those of strict files are diagnostics already.
  const bool known = !found.empty() && !said.contains("error[");
  say(known ? text_of(found, {}).findings : said);
  return out;
}

Result<void> check_settings(const std::vector<std::string>& settings,
                            const pmie::MacroNames& defined) {
  const auto parsed = pmie::parse_settings(settings);
  if (!parsed) return fail(parsed.error().at("option", "--set"));
  if (auto known = pmie::check_settings(*parsed, defined); !known) {
    return fail(known.error().at("option", "--set"));
  }
  return {};
}

}  // namespace pmjit
