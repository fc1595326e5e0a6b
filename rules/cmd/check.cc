// pmjit check FILE…: parse, and with an archive check against its metadata. Nothing is evaluated.

#include <fmt/core.h>

#include <algorithm>

#include "compiler/compat/registry/derive.h"
#include "compiler/driver/check.h"
#include "rules/cmd/common.h"
#include "rules/cmd/rule_files.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/verbs.h"
#include "runtime/archive/recording/archives_source.h"

namespace pmjit {

namespace {

struct CheckVerbOptions {
  CommonOptions common;
  std::vector<std::string> files, expressions, settings;
};

int check_files(const CheckVerbOptions& options) {
  auto files = read_files(options.files);
  if (!files) return complain(files.error().text()), kExitErrors;
  CompileInput input{.expressions = {}, .definition_files = std::move(*files)};
  for (const std::string& text : options.expressions) {
    input.expressions.push_back(SourceText{.name = "<expression>", .text = text});
  }
  if (input.expressions.empty() && input.definition_files.empty()) {
    return complain("nothing to check\n  help: pmjit check FILE, or -e EXPR"), kExitErrors;
  }
  std::unique_ptr<ArchivesSource> source;
  bool interrupted = false;
  if (!options.common.archives.empty()) {
    auto opened = open_source(options.common, ExtraUnits::known);
    if (!opened) return complain(opened.error().text()), kExitErrors;
    source = std::move(*opened);
    Rosters rosters;
    const auto marks = Marks::of(*source, rosters);
    if (!marks) return complain(marks.error().text()), kExitErrors;
    interrupted = (*marks)->any();
  }
  const CheckReport checked = check_texts(input, source ? &source->catalog() : nullptr,
                                          {.dialect = dialect_choice(options.common.dialect),
                                           .equivalent = installed_equivalences(),
                                           .interrupted = interrupted});
  say(checked.rendered);
  if (checked.errors != 0) {
    say(fmt::format("{} error{}\n", checked.errors, checked.errors == 1 ? "" : "s"));
    return kExitErrors;
  }
  fmt::print("{} definition{} and expression{} {}\n", checked.texts, checked.texts == 1 ? "" : "s",
             checked.texts == 1 ? "" : "s",
             source ? "fit the archive" : "parse; -a ARCHIVE would check names, units and types");
  const bool warned = checked.warnings != 0 || (source && !source->warnings().empty());
  return warned ? kExitWarnings : kExitOk;
}

// Rules by themselves, the rest as ever.
int check_all(CheckVerbOptions options) {
  const DialectOptions& dialect = options.common.dialect;
  const bool all = dialect.dialect == "pmie";
  CheckRulesOptions rules{.files = {},
                          .archives = options.common.archives,
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
  int status = kExitOk;
  if (!rules.files.empty()) status = check_rule_files(rules);
  const bool others = !options.files.empty() || !options.expressions.empty();
  return others || rules.files.empty() ? std::max(status, check_files(options)) : status;
}

}  // namespace

Command check_command() {
  auto options = std::make_shared<CheckVerbOptions>();
  return {
      .name = "check",
      .what = "check definition files and expressions",
      .options = {{.names = "FILE",
                   .target = &options->files,
                   .what =
                       "files of definitions, and of rules: NAME.pmie, or one that begins with a "
                       "comment of rules; - is standard input, of rules"},
                  {.names = "-e,--expression",
                   .target = &options->expressions,
                   .what = "an expression to check"},
                  archive_option(options->common),
                  dialect_option(
                      options->common.dialect,
                      "dialect of expressions (strict) and of files that do not say "
                      "theirs (pcp6, rules pmie); pmie: the files are of rules, whatever "
                      "their names",
                      true),
                  compat_option(options->common.dialect),
                  setting_option(options->settings)},
      .footer =
          "Example:\n  pmjit check -a ARCHIVE my.conf\n  pmjit check -a ARCHIVE rules.pmie\n"
          "Texts in PCP's dialects are told, too, where strict would read them otherwise; of rules "
          "with an archive also when that shows there first. Exit status: 0, 1 (warnings), 2 "
          "(errors).",
      .run = [options] { return check_all(*options); },
  };
}

}  // namespace pmjit
