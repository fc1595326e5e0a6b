// pmjit eval EXPR…: expressions over an archive, at the times when data were recorded.

#include <fmt/core.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <ctime>
#include <sstream>

#include "compiler/cmd/common.h"
#include "compiler/cmd/stats.h"
#include "runtime/exec/evaluation.h"
#include "runtime/exec/filter.h"
#include "runtime/model/window.h"
#include "runtime/report/progress.h"
#include "runtime/report/values.h"
#include "runtime/report/writer.h"

namespace pmjit {

namespace {

struct EvalOptions {
  CommonOptions common;
  std::vector<std::string> expressions, instances;
  std::string format = "table";
  std::string start, finish, origin, zone;
  bool host_zone = false;
  std::optional<int> digits;
  std::optional<uint64_t> samples;
  uint32_t block_rows = 0;
  bool stats = false;
};

std::optional<std::string_view> given(const std::string& text) {
  if (text.empty()) return std::nullopt;
  return text;
}

Result<Zone> archive_zone(const Source& source) {
  const std::string name = source.timezone();
  if (!name.empty()) return Zone(name);
  return fail(
      Error(Fault::usage, "the archive does not say its time zone").help("name one with -Z"));
}

Result<Window> window_of(const EvalOptions& options, const Source& source, Zone& zone) {
  auto window =
      parse_window({.start = given(options.start),
                    .finish = given(options.finish),
                    .align = std::nullopt,
                    .origin = given(options.origin),
                    .strict = true},
                   {.start = source.start(), .end = source.end(), .now = std::time(nullptr)}, zone);
  if (!window) return window;
  // The end of an archive is its last record; without -T nothing is cut off.
  if (options.finish.empty()) window->end = kStampMax;
  return window;
}

// Names of -i, as the language's [name] takes them: the full name, or a first word that only one
// has.
std::vector<std::string> instance_names(const std::vector<std::string>& lists) {
  std::vector<std::string> out;
  for (const std::string& list : lists) {
    std::istringstream in(list);
    for (std::string name; std::getline(in, name, ',');) out.push_back(name);
  }
  return out;
}

std::vector<ResultInfo> infos_of(const Program& program) {
  std::vector<ResultInfo> out;
  for (const ProgramRoot& root : program.roots) out.push_back(root.info);
  return out;
}

// The first `left` evaluations of a block (-s).
void cut(ResultBlock& block, uint64_t left) {
  if (block.times.size() <= left) return;
  block.times.resize(left);
  for (Column& column : block.columns) column.rows.resize(left);
}

Result<void> write_all(const EvalOptions& options, Evaluation& evaluation, Writer& writer,
                       InstanceFilter* filter, const std::vector<ResultInfo>& infos,
                       Progress& progress) {
  ResultBlock block;
  uint64_t left = options.samples.value_or(UINT64_MAX);
  while (left > 0) {
    auto more = evaluation.next(block);
    if (!more) return fail(more.error());
    if (!*more) break;
    cut(block, left);
    left -= block.times.size();
    if (filter) filter->apply(block, infos);
    if (auto written = writer.write(block); !written) return written;
    progress.update(evaluation.done());
  }
  return {};
}

int evaluate(const EvalOptions& options) {
  const auto begin = RunTimes::now();
  const Format* format = find_format(options.format);
  auto source = open_source(options.common);
  if (!source) return complain(source.error().text()), kExitErrors;
  auto input = compile_input(options.common, options.expressions);
  if (!input) return complain(input.error().text()), kExitErrors;
  const bool chosen = options.host_zone || !options.zone.empty();
  auto zone = options.host_zone      ? archive_zone(**source)
              : options.zone.empty() ? Zone()
                                     : known_zone(options.zone);
  if (!zone) return complain(zone.error().text()), kExitErrors;
  auto window = window_of(options, **source, *zone);
  if (!window) return complain(window.error().text()), kExitErrors;
  const Catalog& catalog = (*source)->catalog();
  const Compilation made = compile(*input, catalog, compile_options(options.common, **source));
  if (!report(made)) return kExitErrors;

  Rosters rosters;
  const std::vector<ResultInfo> infos = infos_of(*made.program);
  std::unique_ptr<InstanceFilter> filter;
  if (!options.instances.empty()) {
    auto names = resolve_instances(instance_names(options.instances), infos, catalog);
    if (!names) return complain(names.error().text()), kExitErrors;
    filter = std::make_unique<InstanceFilter>(std::move(*names), catalog, rosters);
  }
  Evaluation evaluation(
      made.program, **source, rosters,
      {.from = window->origin, .to = window->end, .block_rows = options.block_rows});
  Progress progress("evaluating");
  Sink sink(STDOUT_FILENO);
  sink.before_writing([&] { progress.clear(); });  // standard output may be the same terminal
  auto writer =
      format->make(sink, {.digits = options.digits, .zone = chosen ? *zone : Zone("UTC")});
  writer->begin(
      {.infos = infos, .host = (*source)->host(), .catalog = &catalog, .rosters = &rosters});
  auto done = write_all(options, evaluation, *writer, filter.get(), infos, progress);
  progress.clear();
  auto ended = writer->end();
  for (const std::string& warning : evaluation.warnings()) complain("warning: " + warning);
  if (options.stats) print_stats(made, evaluation.stats(), writer->values(), begin);
  if (!done)
    return complain(done.error().text() + "\n  the output ends before this place"), kExitErrors;
  if (!ended) return complain(ended.error().text()), kExitErrors;
  return kExitOk;
}

std::string format_list() {
  std::string out = "output format:";
  for (const Format& format : formats()) out += fmt::format("\n{} - {}", format.name, format.what);
  return out;
}

std::vector<std::string> format_names() {
  std::vector<std::string> out;
  for (const Format& format : formats()) out.emplace_back(format.name);
  return out;
}

}  // namespace

void add_eval(CLI::App& app, int& status) {
  auto options = std::make_shared<EvalOptions>();
  CLI::App* verb = app.add_subcommand("eval", "evaluate expressions over an archive");
  verb->add_option(
      "EXPR", options->expressions,
      "expressions, metric names, or names of definitions; a name above leaves stands for all "
      "of them; none: every definition of the -c files");
  add_archive_option(*verb, options->common);
  verb->add_option("-o,--output", options->format, format_list())
      ->check(CLI::IsMember(format_names()))
      ->capture_default_str();
  verb->add_option("-S,--start", options->start,
                   "start: 10min (after the first record), -1hour (before the last), @14:30, "
                   "2024-03-01T14:30:00Z, \"2 hours ago\", \"3/15/2024 14:00\"");
  verb->add_option("-T,--finish", options->finish, "end, likewise");
  verb->add_option("-O,--origin", options->origin, "first evaluation, likewise");
  auto* zone = verb->add_option("-Z,--timezone", options->zone,
                                "the zone of the times above and of those in the table: "
                                "Europe/Berlin, EST5EDT; without it $TZ, and the table in UTC")
                   ->type_name("TZ");
  verb->add_flag("-z,--hostzone", options->host_zone, "the same: the zone of the archive's host")
      ->excludes(zone);
  verb->add_option("-s,--samples", options->samples, "the first N evaluations only")
      ->type_name("N")
      ->check(CLI::Range(1.0, 9e15));
  verb->add_option("-i,--instances", options->instances,
                   "only these instances, with commas: names, or first words of names")
      ->allow_extra_args(false);
  verb->add_option("-f,--precision", options->digits, "digits after the point of floating values")
      ->check(CLI::Range(0, kDigitsMax));
  verb->add_flag("--stats", options->stats,
                 "what was read and evaluated, how and how fast, to standard error");
  verb->add_option("--block-rows", options->block_rows, "records a block at most")->group("");
  add_compile_options(*verb, options->common);
  verb->footer(
      "Example:\n  pmjit eval -a ARCHIVE -o csv 'rate(disk.dev.read)' 'sum(rate(disk.dev.read)) > "
      "100'\n"
      "Values are those recorded, at the times when they were recorded; grammar/README.md is the "
      "language's manual.");
  verb->callback([options, &status] { status = evaluate(*options); });
}

}  // namespace pmjit
