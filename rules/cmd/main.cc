// pmjit VERB: one program, a file a verb. Exit status 0, 1 (warnings of check, findings of fmt
// --check, tests that fail) or 2 (errors). Under the name of one of PCP's tools it is that tool
// (runtime/cmd).

#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string_view>
#include <vector>

#include "compiler/compat/registry/derive.h"
#include "compiler/driver/strict_files.h"
#include "rules/cmd/colors.h"
#include "rules/cmd/command.h"
#include "rules/cmd/common.h"
#include "rules/cmd/verbs.h"
#include "runtime/base/file.h"
#include "runtime/cmd/dropin.h"

namespace pmjit {

namespace {

// Which of libpcp's versions definitions are read as, under a PCP name: `--compat=NAME` anywhere on
// the command line, else $PMJIT_DERIVED_DIALECT, else 6.0.3's.
std::optional<DeriveOptions> take_compat(std::vector<const char*>& arguments) {
  constexpr std::string_view kOption = "--compat=";
  std::string_view name = "pcp6";
  const char* variable = std::getenv("PMJIT_DERIVED_DIALECT");
  if (variable != nullptr && *variable != '\0') name = variable;
  const auto taken = std::erase_if(arguments, [&](const char* argument) {
    const std::string_view text = argument;
    if (text.starts_with(kOption)) name = text.substr(kOption.size());
    return text.starts_with(kOption);
  });
  const auto dialect = dialect_from_text(name);
  if (dialect && *dialect != Dialect::strict) {
    return DeriveOptions{.dialect = *dialect, .for_all = taken != 0};
  }
  complain(fmt::format(
      "PCP has no dialect {}\n  help: --compat and $PMJIT_DERIVED_DIALECT take pcp6 or pcp7",
      name));
  return std::nullopt;
}

// None: the program has not the name of one of PCP's tools.
std::optional<int> run_under_pcp_name(int argc, char** argv, const Clock& clock) {
  if (!is_dropin(argc, argv)) return std::nullopt;
  std::vector<const char*> arguments(argv, argv + argc);
  const auto options = take_compat(arguments);
  if (!options) return kExitErrors;
  const auto derived = make_derived_metrics(*options, make_strict_files(*options));
  return run_dropin(static_cast<int>(arguments.size()), arguments.data(), *derived, clock);
}

// A standard descriptor that is closed would be given to the next file or socket, and what is
// printed would go there. It becomes one that cannot be used in its direction, so who prints to it
// is told, as with a closed one. False: there is none.
bool hold_standard_descriptors() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(fd, F_GETFD) >= 0 || errno != EBADF) continue;
    if (::open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd) return false;
  }
  return true;
}

int run(int argc, char** argv, const Clock& clock) {
  // A closed pipe, or a file as large as it may be, is an error of whoever writes; what a closed
  // standard output ends is said in common.h.
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
  Command program = {
      .name = "pmjit",
      .what = "questions and alerting rules over PCP performance data",
      .footer =
          "An ARCHIVE is the base name of the files that pmlogger writes, or a folder of them. "
          "With -h HOST in place of -a ARCHIVE pmjit asks a live host.\n"
          "\n"
          "  pmjit VERB --help     options of a verb, most used first\n"
          "  man pmjit             everything, with exit statuses and environment\n"
          "  pmjit explain D02     what a message code means\n"
          "  pmjit --version",
      .below = {info_command(clock), eval_command(clock), check_command(clock), run_command(clock),
                explain_command(clock), test_command(), fmt_command(), collect_command(clock)},
      .version = "pmjit " PMJIT_VERSION,
      .examples = {"pmjit info web1", "pmjit eval -a web1 -t 1min --rate disk.dev.write",
                   "pmjit run busy.pmie -a web1 -o timeline",
                   "pmjit run --diff busy.pmie busier.pmie -a web1",
                   "pmjit explain why busy busy.pmie -a web1 --at 1min",
                   "pmjit eval -h localhost -t 5s kernel.all.load"},
  };
  std::string color = "auto";
  add_color_option(program, color);
  program.below.push_back(describe_command(program));
  return run_command_line(program, argc, argv);
}

}  // namespace

}  // namespace pmjit

int main(int argc, char** argv) {
  if (!pmjit::hold_standard_descriptors()) return pmjit::kExitErrors;
  try {
    const pmjit::SystemClock clock;
    if (const auto status = pmjit::run_under_pcp_name(argc, argv, clock)) return *status;
    return pmjit::run(argc, argv, clock);
  } catch (const std::bad_alloc&) {
    pmjit::complain("out of memory");
  } catch (const pmjit::ReadingStopped&) {
    return pmjit::stop_before_start();
  } catch (const std::exception& error) {
    return pmjit::output_failed(error.what());
  }
  return pmjit::kExitErrors;
}
