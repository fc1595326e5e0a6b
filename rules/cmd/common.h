// What the verbs share: opening archives, reading files, exit statuses, messages.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/driver.h"
#include "rules/cmd/command.h"
#include "rules/cmd/text_file.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/base/clock.h"
#include "runtime/report/sink/sink.h"

namespace pmjit {

// kExitSignal + the signal that interrupted it, as shells have it.
enum ExitStatus : int { kExitOk = 0, kExitWarnings = 1, kExitErrors = 2, kExitSignal = 128 };

// Which dialect texts are in.
struct DialectOptions {
  std::string dialect, compat;  // empty: not given
};
// `of_what` they are. `rules`: it may be their dialect, too.
[[nodiscard]] CommandOption dialect_option(DialectOptions& options, const std::string& of_what,
                                           bool rules = false);
[[nodiscard]] CommandOption compat_option(DialectOptions& options);
DialectChoice dialect_choice(const DialectOptions& options);

// The text of an option; none where it is empty.
[[nodiscard]] std::optional<std::string_view> if_given(const std::string& text);

// Options that several verbs have.
struct CommonOptions {
  std::vector<std::string> archives;  // as -a has them
  std::vector<std::string> definition_files;
  DialectOptions dialect{};
  std::string evaluator = "auto", isa = "native", level = "auto";
  bool no_passes = false;
};
[[nodiscard]] CommandOption archive_option(CommonOptions& options);
// Definitions, dialects, and how expressions are compiled.
[[nodiscard]] CommandOptions compiler_options(CommonOptions& options);

// Text on standard error. Nowhere to write it is no reason to stop: the exit status tells as well.
void say(std::string_view text);
// "pmjit: ", the text and an end of line, said.
void complain(const std::string& text);
// Each as a line "pmjit: warning: …".
void warn(const std::vector<std::string>& warnings);
// Standard output did not take all of it. If it is a pipe whose reader has gone, as `| head` does,
// that ends the process quietly, by SIGPIPE. Anything else is said. The exit status.
[[nodiscard]] int output_failed(const std::string& text);
void end_if_reader_has_gone();
// An interrupt came before anything was evaluated: says so. The exit status.
[[nodiscard]] int stop_before_start();
// An interrupt came while nobody took the output: says so where a line is cut short. The exit
// status.
[[nodiscard]] int stopped_writing(const Sink& sink);

// Of results: those of everything that --compat says are 6.0.3's, which has none.
ExtraUnits extra_units_of(const DialectOptions& options);
// Archives that are left out of the folder `names`, a warning each; of many the first few, unless
// `all` are wanted.
void warn_of_left_out(std::span<const LeftOutArchive> left_out, const std::string& names,
                      bool all = false);
// Says what its readers should know (Recording::warnings).
Result<std::unique_ptr<ArchivesSource>> open_source(const CommonOptions& options,
                                                    ExtraUnits extra_units);
// The same of archives of several hosts, in the order in which the hosts come.
// `told`: what there is to warn of has been said.
struct OpenedHosts {
  std::vector<std::unique_ptr<ArchivesSource>> hosts{};
  bool whole = true;  // none of a folder's archives is left out
};
Result<OpenedHosts> open_hosts(const CommonOptions& options, ExtraUnits extra_units,
                               bool told = false);
// Says if some were never recorded at the same time, which can hardly be what was meant.
void note_apart(std::span<const std::unique_ptr<ArchivesSource>> hosts);
void note_apart(std::span<const Archives* const> hosts);
// Definition files: a folder stands for those in it, and each is added once.
void add_definition_paths(const std::string& path, std::vector<std::string>& to);
// Says which of them, and of $PCP_DERIVED_CONFIG, is not there or is a folder without files.
void warn_of_definition_paths(const std::vector<std::string>& given);
// Those of $PCP_DERIVED_CONFIG that are there.
void add_environment_definitions(std::vector<std::string>& to);

Result<std::vector<SourceText>> read_files(const std::vector<std::string>& paths,
                                           FileKind kind = FileKind::definitions);
// A file that another option or verb takes. None: the text may be an expression.
std::optional<Error> other_file_error(const std::string& text);
Result<CompileInput> compile_input(const CommonOptions& options,
                                   const std::vector<std::string>& expressions);
// But for what the run is expected to read.
CompileOptions compile_options(const CommonOptions& options);
CompileOptions compile_options(const CommonOptions& options, const Recording& source);
// Full names of what -i asks for, in the domains of the results. A name that none of them has is an
// error.
Result<std::vector<std::string>> resolve_instances(const std::vector<std::string>& wanted,
                                                   std::span<const ResultInfo> infos,
                                                   const Catalog& catalog);
// Prints diagnostics and notes; false: there is no program.
bool report(const Compilation& compilation);

}  // namespace pmjit
