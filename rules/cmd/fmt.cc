// pmjit fmt FILE…: definition files in one layout, comments kept; to standard output or in place.

#include <fmt/core.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <iterator>
#include <set>

#include "compiler/compat/pmie/mistakes/usual_mistakes.h"
#include "compiler/compat/registry/file_dialect.h"
#include "compiler/format/format.h"
#include "rules/cmd/common.h"
#include "rules/cmd/rule_files.h"
#include "rules/cmd/verbs.h"
#include "runtime/base/file.h"

namespace pmjit {

namespace {

struct FmtOptions {
  std::vector<std::string> files;
  DialectOptions dialect;
  bool check = false, in_place = false;
};

constexpr std::string_view kStandardInput = "<standard input>";

Result<SourceText> read_file(const std::string& path) {
  if (path != "-") {
    auto files = read_files({path});
    if (!files) return fail(files.error());
    return std::move(files->front());
  }
  std::string text(std::istreambuf_iterator<char>(std::cin), {});
  return SourceText{.name = std::string(kStandardInput), .text = std::move(text)};
}

Result<void> rewrite(const std::string& path, std::string_view text) {
  const int err = write_whole_file(path, text);
  if (err == 0) return {};
  return fail(Error(Fault::io, fmt::format("cannot rewrite it: {}", whole_file_text(err)))
                  .at("file", path)
                  .help("it is as it was"));
}

// The text in the layout, or as it was where its dialect is not known.
Formatted format_file(const SourceText& file, const FmtOptions& options, Diags& diags) {
  const Dialect dialect = dialect_of(file, dialect_choice(options.dialect), diags);
  if (diags.has_errors()) return {.text = file.text};
  return format_definitions(file, dialect, diags);
}

int refuse_rules(const std::string& name) {
  complain(fmt::format("{}: holds rules, and fmt is for definition files", name));
  return kExitErrors;
}

// Rules that no definition begins: what is wrong with them as definitions is of no use.
bool reads_as_rules(const Diags& diags, const SourceText& file) {
  return diags.has_errors() && file.text.find("->") != file.text.npos;
}

// One of each: many lines may have the same mistake.
Diags causes_of(const Diags& diags) {
  Diags out;
  std::set<std::string> seen;
  for (const Diag& diag : diags.all()) {
    if (seen.insert(diag.message).second) out.append(diag);
  }
  return out;
}

// What errors do to the output, and what to do.
void tell_what_stays(const SourceText& file, const Diags& diags, const FmtOptions& options) {
  std::set<uint32_t> lines;
  for (const Diag& diag : diags.all()) {
    if (diag.severity == Severity::error) lines.insert(line_column(file, diag.span.begin).line);
  }
  const bool one = lines.size() == 1;
  const std::string what =
      one ? "a line has an error" : fmt::format("{} lines have errors", lines.size());
  complain(fmt::format("{}: {}; {}\n  help: mend {}, then run fmt again", file.name, what,
                       options.in_place ? "the file stays as it is"
                       : one            ? "it stays as it is"
                                        : "they stay as they are",
                       one ? "it" : "them"));
}

int format_one(const std::string& path, const FmtOptions& options) {
  const auto file = read_file(path);
  if (!file) return complain(file.error().text()), kExitErrors;
  if (is_rule_text(*file) && !pmie::is_meant_for_definitions(file->text)) {
    return refuse_rules(file->name);
  }
  Diags diags;
  const Formatted formatted = format_file(*file, options, diags);
  if (reads_as_rules(diags, *file)) return refuse_rules(file->name);
  say(render_all(causes_of(diags), *file));
  const int status = diags.has_errors() ? kExitErrors : kExitOk;
  if (status != kExitOk) tell_what_stays(*file, diags, options);
  if (formatted.last_line_revived) {
    complain(fmt::format("warning: {}: PCP passes over the last line, which no newline ends; {}",
                         file->name, options.check ? "fmt would end it" : "now it counts"));
  }
  const bool changes = formatted.text != file->text;
  if (options.check) {
    if (changes) fmt::print("{}\n", file->name);
    return std::max<int>(status, changes ? kExitWarnings : kExitOk);
  }
  if (!options.in_place) {
    std::fwrite(formatted.text.data(), 1, formatted.text.size(), stdout);
    return status;
  }
  if (status != kExitOk || !changes) return status;
  const auto done = rewrite(path, formatted.text);
  if (!done) return complain(done.error().text()), kExitErrors;
  return status;
}

int format_files(const FmtOptions& options) {
  if (options.in_place && std::ranges::find(options.files, "-") != options.files.end()) {
    return complain("standard input cannot be rewritten\n  help: leave out -i"), kExitErrors;
  }
  int status = kExitOk;
  for (const std::string& path : options.files) {
    if (std::error_code unknown; std::filesystem::exists(path + ".meta", unknown) &&
                                 !std::filesystem::exists(path, unknown)) {
      complain(path + ": is an archive, not a file of text\n  help: fmt lays definitions out");
      status = kExitErrors;
      continue;
    }
    status = std::max(status, format_one(path, options));
  }
  return status;
}

}  // namespace

Command fmt_command() {
  auto options = std::make_shared<FmtOptions>();
  return {
      .name = "fmt",
      .what = "put definition files into one layout",
      .options = {{.names = "FILE",
                   .target = &options->files,
                   .what = "definitions, or - for standard input",
                   .required = true},
                  {.names = "--check",
                   .target = &options->check,
                   .what = "only name files that would change; exit status 1",
                   .daily = true},
                  {.names = "-i,--in-place",
                   .target = &options->in_place,
                   .what = "rewrite the files instead of printing them",
                   .excludes = {"--check"},
                   .daily = true,
                   .more = "A file with errors stays as it is."},
                  dialect_option(options->dialect, "dialect of the files"),
                  compat_option(options->dialect)},
      .footer = "A line with an error stays as it is, and the exit status is 2.",
      .run = [options] { return format_files(*options); },
      .examples = {"pmjit fmt rates.conf", "pmjit fmt -i rates.conf",
                   "pmjit fmt --check rates.conf"},
      .group = "Work with rules and definitions",
      .also = {"pretty", "tidy", "indent"},
  };
}

}  // namespace pmjit
