// pmjit check FILE…: parse, and with an archive or a host check against its metadata. Nothing is
// evaluated.

#include <fmt/core.h>

#include <algorithm>

#include "compiler/compat/registry/derive.h"
#include "compiler/driver/check.h"
#include "rules/cmd/common.h"
#include "rules/cmd/daemon_input.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/rule_files.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/verbs.h"
#include "rules/daemon/daemon.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/archive/recording/marks.h"

namespace pmjit {

namespace {

struct CheckVerbOptions {
  CommonOptions common;
  std::vector<std::string> files, expressions, settings, hosts;
};

// What definitions and expressions are checked against; nothing: only whether they parse.
struct CheckedAgainst {
  std::unique_ptr<ArchivesSource> archive{};
  const Catalog* catalog = nullptr;
  bool interrupted = false;  // values may be missing between others
};

Result<CheckedAgainst> checked_against(const CheckVerbOptions& options, const LiveHosts* live) {
  CheckedAgainst out;
  if (live != nullptr) {
    if (live->size() > 1) {
      return fail(Error(Fault::usage,
                        "definitions and expressions are checked against one host, "
                        "and -h names several")
                      .help("name one with -h, and check once for each host"));
    }
    out.catalog = &live->feeds().catalog();
    out.interrupted = true;
    return out;
  }
  if (options.common.archives.empty()) return out;
  auto opened = open_source(options.common, ExtraUnits::known);
  if (!opened) return fail(opened.error());
  out.archive = *std::move(opened);
  out.catalog = &out.archive->catalog();
  out.interrupted = Marks(out.archive->archives()).any();
  return out;
}

int check_files(const CheckVerbOptions& options, const LiveHosts* live) {
  auto files = read_files(options.files);
  if (!files) return complain(files.error().text()), kExitErrors;
  CompileInput input{.expressions = {}, .definition_files = std::move(*files)};
  for (const std::string& text : options.expressions) {
    input.expressions.push_back(SourceText{.name = "<expression>", .text = text});
  }
  if (input.expressions.empty() && input.definition_files.empty()) {
    return complain("nothing to check\n  help: pmjit check FILE, or -e EXPR"), kExitErrors;
  }
  const auto against = checked_against(options, live);
  if (!against) return complain(against.error().text()), kExitErrors;
  const CheckReport checked = check_texts(input, against->catalog,
                                          {.dialect = dialect_choice(options.common.dialect),
                                           .equivalent = installed_equivalences(),
                                           .interrupted = against->interrupted});
  say(checked.rendered);
  if (checked.errors != 0) {
    say(fmt::format("{} error{}\n", checked.errors, checked.errors == 1 ? "" : "s"));
    return kExitErrors;
  }
  std::string_view verdict = "parse; -a ARCHIVE or -h HOST would check names, units and types";
  if (against->archive) verdict = "fit the archive";
  if (live != nullptr) verdict = "fit the host";
  fmt::print("{} definition{} and expression{} {}\n", checked.texts, checked.texts == 1 ? "" : "s",
             checked.texts == 1 ? "" : "s", verdict);
  const bool warned =
      checked.warnings != 0 || (against->archive && !against->archive->warnings().empty());
  return warned ? kExitWarnings : kExitOk;
}

// Rules by themselves, the rest as ever.
int check_all(CheckVerbOptions options, const Clock& clock) {
  if (options.files.size() == 1 && is_daemon_config(options.files.front())) {
    if (auto there = check_user_file(options.files.front(), FileKind::configurations); !there) {
      return complain(there.error().text()), kExitErrors;
    }
    return check_daemon_config(daemon_input(options.files.front(), options.settings), say);
  }
  const DialectOptions& dialect = options.common.dialect;
  const bool all = dialect.dialect == "pmie";
  CheckRulesOptions rules{.files = {},
                          .archives = options.common.archives,
                          .hosts = options.hosts,
                          .settings = options.settings,
                          .dialect = all || dialect.dialect == "strict" ? dialect.dialect : "",
                          .compat = !dialect.compat.empty()};
  std::erase_if(options.files, [&](const std::string& file) {
    const bool taken = all || is_rule_file(file);
    if (taken) rules.files.push_back(file);
    return taken;
  });
  if (rules.files.empty() && !options.settings.empty()) {
    return complain("--set is of macros, and there are no files of rules"), kExitErrors;
  }
  if (all && !options.expressions.empty()) {
    return complain("expressions are not in the dialect pmie\n  help: write a file of rules"),
           kExitErrors;
  }
  std::unique_ptr<LiveHosts> live;
  if (!options.hosts.empty()) {
    catch_interrupts();
    auto opened = LiveHosts::open(options.hosts, clock);
    if (interrupted() != 0) return stop_before_start();
    if (!opened) return complain(opened.error().text()), kExitErrors;
    live = *std::move(opened);
    rules.live = live.get();
  }
  int status = kExitOk;
  if (!rules.files.empty()) status = check_rule_files(rules);
  const bool others = !options.files.empty() || !options.expressions.empty();
  return others || rules.files.empty() ? std::max(status, check_files(options, live.get()))
                                       : status;
}

}  // namespace

Command check_command(const Clock& clock) {
  auto options = std::make_shared<CheckVerbOptions>();
  return {
      .name = "check",
      .what = "find mistakes in rules, definitions and expressions",
      .options = {{.names = "FILE",
                   .target = &options->files,
                   .what = "rules (NAME.pmie), definitions, or - for standard input",
                   .more =
                       "A file holds rules if its name ends in .pmie or a comment of rules begins "
                       "it. Other files hold definitions. Standard input holds rules."},
                  {.names = "-e,--expression",
                   .target = &options->expressions,
                   .value = "EXPR",
                   .what = "check this expression; may be repeated",
                   .daily = true},
                  archive_option(options->common),
                  host_option(options->hosts),
                  dialect_option(options->common.dialect, "dialect of expressions and files", true),
                  compat_option(options->common.dialect),
                  setting_option(options->settings)},
      .footer =
          "With -a or -h names, types, units and instances are checked, too. pmjit reads only "
          "the description of metrics of a live host.\n"
          "Exit status: 0 no problems, 1 warnings, 2 errors.",
      .run = [options, &clock] { return check_all(*options, clock); },
      .examples = {"pmjit check rules.pmie -a web1", "pmjit check rates.conf -a web1",
                   "pmjit check -a web1 -e 'rate(disk.dev.read) > 5'",
                   "pmjit check rules.pmie -h localhost", "pmjit check pmjit.toml"},
      .group = "Work with rules and definitions",
      .also = {"lint", "validate", "verify", "parse"},
  };
}

}  // namespace pmjit
