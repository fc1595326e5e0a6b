// pmjit VERB: one program, a file a verb. Exit status 0, 1 (warnings of check) or 2 (errors). Under
// the name of one of PCP's tools it is that tool (runtime/cmd).

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>

#include "compiler/cmd/common.h"
#include "runtime/cmd/dropin.h"

namespace pmjit {

namespace {

// An expression with a minus in front is taken for options.
void help_with_minus(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view text = argv[i];
    const bool minus = text.starts_with("-") && !text.starts_with("--");
    if (!minus || text.find_first_of(".([ ") == text.npos) continue;
    say(fmt::format("  help: an expression goes into parentheses, '({})', or behind --\n", text));
  }
}

int run(int argc, char** argv) {
  CLI::App app("Evaluates performance-metric expressions over recorded PCP archives.", "pmjit");
  app.require_subcommand(1);
  app.set_version_flag("-V,--version", "pmjit " PMJIT_VERSION);
  app.footer(
      "Example:\n  pmjit eval -a ARCHIVE 'rate(disk.dev.read)' 'sum(rate(disk.dev.read))'\n"
      "`pmjit VERB --help` tells more.");
  std::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of whoever writes
  int status = kExitOk;
  add_eval(app, status);
  add_check(app, status);
  add_explain(app, status);
  add_info(app, status);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (app.exit(error) == 0) return kExitOk;
    help_with_minus(argc, argv);
    return kExitErrors;
  }
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    complain("standard output: cannot write all of it");
    return kExitErrors;
  }
  return status;
}

}  // namespace

}  // namespace pmjit

int main(int argc, char** argv) {
  try {
    if (const auto status = pmjit::run_dropin(argc, argv)) return *status;
    return pmjit::run(argc, argv);
  } catch (const std::bad_alloc&) {
    pmjit::complain("out of memory");
  } catch (const std::exception& error) {
    pmjit::complain(error.what());
  }
  return pmjit::kExitErrors;
}
