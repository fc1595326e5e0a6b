// What the verbs share: opening archives, reading files, exit statuses, messages.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/driver/driver.h"
#include "runtime/archive/recording/archives_source.h"
#include "runtime/base/clock.h"

namespace CLI {
class App;
}

namespace pmjit {

// kExitSignal + the signal that interrupted it, as shells have it.
enum ExitStatus : int { kExitOk = 0, kExitWarnings = 1, kExitErrors = 2, kExitSignal = 128 };

// Which dialect texts are in.
struct DialectOptions {
  std::string dialect, compat;  // empty: not given
};
// `rules`: it may be theirs, too.
void add_dialect_options(CLI::App& app, DialectOptions& options, const std::string& of_what,
                         bool rules = false);
DialectChoice dialect_choice(const DialectOptions& options);

// Options that several verbs have.
struct CommonOptions {
  std::vector<std::string> archives;  // of one host, one after the other; as -a has them
  std::vector<std::string> definition_files;
  DialectOptions dialect{};
  std::string evaluator = "auto", isa = "native", level = "auto";
  bool no_passes = false;
};
void add_archive_option(CLI::App& app, CommonOptions& options);
void add_compile_options(CLI::App& app, CommonOptions& options);

// Text on standard error. Nowhere to write it is no reason to stop: the exit status tells as well.
void say(std::string_view text);
// "pmjit: ", the text and an end of line, said.
void complain(const std::string& text);

// Of results: those of everything that --compat says are 6.0.3's, which has none.
ExtraUnits extra_units_of(const DialectOptions& options);
// Says what its readers should know (Recording::warnings).
Result<std::unique_ptr<ArchivesSource>> open_source(const CommonOptions& options,
                                                    ExtraUnits extra_units);
Result<std::vector<SourceText>> read_files(const std::vector<std::string>& paths);
Result<CompileInput> compile_input(const CommonOptions& options,
                                   const std::vector<std::string>& expressions);
CompileOptions compile_options(const CommonOptions& options, const Recording& source);
// Full names of what -i asks for, in the domains of the results. A name that none of them has is an
// error.
Result<std::vector<std::string>> resolve_instances(const std::vector<std::string>& wanted,
                                                   std::span<const ResultInfo> infos,
                                                   const Catalog& catalog);
// Prints diagnostics and notes; false: there is no program.
bool report(const Compilation& compilation);

// One a verb: registers it with `app` and leaves its exit status in `status`.
void add_eval(CLI::App& app, int& status, const Clock& clock);
void add_check(CLI::App& app, int& status);
void add_explain(CLI::App& app, int& status);
void add_info(CLI::App& app, int& status, const Clock& clock);
void add_fmt(CLI::App& app, int& status);
void add_describe(CLI::App& app, int& status);

}  // namespace pmjit
