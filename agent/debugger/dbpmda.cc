// The drop-in dbpmda: PCP's debugger of agents. Source: spec collector-and-agents.md §3.4.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <string>

#include "agent/debugger/debug_session.h"
#include "runtime/cmd/dropin.h"
#include "runtime/cmd/options.h"

namespace pmjit {

namespace {

constexpr OptionRow kDbpmdaRows[] = {
    section("General options"),
    own('n', "namespace", "FILE", "use an alternative PMNS"),
    own('f', "norc", "", "skip .dbpmdarc processing"),
    own('q', "creds-timeout", "N", "initial negotiation timeout (seconds)"),
    own('U', "username", "USER", "run under named user account"),
    own('v', "valgrind", "", "running under valgrind, don't dlclose() dso PMDAs"),
    own('D', "debug", "OPTS", ""),
    own('?', "help", "", "show this usage message and exit"),
    section("Input options"),
    own('e', "echo-input", "", "echo input"),
    own('i', "interactive", "", "be interactive and prompt"),
};
constexpr OptionTable kDbpmdaTable{.usage = "[options]", .rows = kDbpmdaRows};
constexpr const char* kFirstCommands = ".dbpmdarc";

struct DbpmdaOptions {
  DebugOptions session;
  bool echo = false, prompts = false, reads_first = true, help = false;
  std::string mistake;
};

void take_dbpmda_option(const Arguments::Found& found, DbpmdaOptions& options) {
  switch (found.row->letter) {
    case 'n': options.session.name_space = found.argument; break;
    case 'f': options.reads_first = false; break;
    case 'e': options.echo = true; break;
    case 'i': options.prompts = true; break;
    case 'q': {
      int seconds = 0;
      const char* const end = found.argument.data() + found.argument.size();
      const auto read = std::from_chars(found.argument.data(), end, seconds);
      if (read.ec != std::errc{} || read.ptr != end || seconds <= 0) {
        options.mistake = "-q requires a positive numeric argument";
      }
      options.session.greeting = std::chrono::seconds(seconds);
      break;
    }
    case 'U': options.mistake = "-U: running as another user is not supported yet"; break;
    case 'D':
      if (!is_debug_spec(found.argument)) {
        options.mistake =
            fmt::format("unrecognized debug options specification ({})", found.argument);
      }
      break;
    case '?': options.help = true; break;
    default: break;  // -v: objects are never closed
  }
}

// False: the session is over.
bool do_lines(std::istream& input, LineSource source, DebugSession& session) {
  std::string line;
  for (;;) {
    if (source.prompted) fmt::print("{}", source.prompt);
    std::fflush(stdout);
    if (!std::getline(input, line)) return true;
    if (input.eof()) {  // a line without its end is none
      if (source.echo) fmt::print("{}", line);
      return true;
    }
    ++source.number;
    if (!session.do_line(line, source)) return false;
  }
}

}  // namespace

int run_dbpmda(int argc, const char* const* argv, DerivedMetrics&, const Clock& clock) {
  DbpmdaOptions options;
  Arguments arguments(kDbpmdaTable, argc, argv);
  while (const auto found = arguments.next()) {
    if (found->row == nullptr) {
      options.mistake = found->mistake;
    } else {
      take_dbpmda_option(*found, options);
    }
  }
  const bool operands = !arguments.operands().empty();
  if (options.help || operands || !options.mistake.empty()) {
    if (!options.mistake.empty()) fmt::print(stderr, "dbpmda: {}\n", options.mistake);
    fmt::print(stderr, "{}", usage_text("dbpmda", kDbpmdaTable));
    return options.help && options.mistake.empty() ? 0 : 1;
  }
  std::signal(SIGPIPE, SIG_IGN);
  DebugSession session(options.session, clock);
  if (!session.load_names()) return 1;
  if (options.reads_first) {
    std::ifstream first(kFirstCommands);
    const LineSource source{
        .prompt = ".dbpmdarc> ", .prompted = true, .echo = true, .file = kFirstCommands};
    if (first && !do_lines(first, source, session)) return 0;
  }
  const bool prompted = options.prompts || ::isatty(STDIN_FILENO) != 0;
  do_lines(std::cin, {.prompted = prompted, .echo = options.echo}, session);
  std::fflush(stdout);
  return 0;
}

}  // namespace pmjit
