#include "rules/cmd/pmie_session.h"

#include <fmt/core.h>

#include <algorithm>
#include <iostream>

#include "compiler/compat/pmie/list.h"
#include "rules/compat/bindings.h"
#include "rules/compat/fetched_elements.h"
#include "runtime/base/blanks.h"
#include "runtime/text/interval.h"

namespace pmjit::pmie {

namespace {

constexpr std::string_view kMenu =
    R"(pmie debugger commands

  f [file-name]      - load expressions from given file or stdin
  l [expr-name]      - list named expression or all expressions
  r [interval]       - run for given or default interval
  S time-spec        - set start time for run
  T time-spec        - set default interval for run command
  v [expr-name]      - print subexpression used for %h, %i and
                       %v bindings
  h or ?             - print this menu of commands
  q                  - quit

)";

}  // namespace

int Interactive::run() {
  session_.put_out(fmt::format("Performance Co-Pilot Inference Engine (pmie), Version {}\n\n{}",
                               kPcpVersion, kMenu));
  for (;;) {
    session_.put_out("pmie> ");
    session_.flush();
    char command = 0;
    std::string argument;
    if (!(std::cin >> command)) return 0;
    std::getline(std::cin, argument);
    switch (obey(command, std::string(without_blanks(argument)))) {
      case After::go_on: break;
      case After::quit: return 0;
      case After::give_up: return 1;
    }
  }
}

Interactive::After Interactive::obey(char command, const std::string& argument) {
  switch (command) {
    case 'f': return session_.read_rules(argument) ? After::go_on : After::give_up;
    case 'l': list_statements(argument); break;
    case 'r': return run_rules(argument) ? After::go_on : After::give_up;
    case 'S': set_start(argument); break;
    case 'T': set_interval(argument); break;
    case 'v': list_bindings(argument); break;
    case 'q': return After::quit;
    default: session_.put_out(kMenu);
  }
  return After::go_on;
}

void Interactive::list_statements(const std::string& name) {
  const RuleProgram& program = session_.rules().program();
  bool found = name.empty();
  for (const PmieStatement& statement : program.statements) {
    if (!name.empty() && statement.name != name) continue;
    found = true;
    session_.put_out(fmt::format("{} =\n{};\n\n", statement.name,
                                 list(program, statement.root, session_.sources())));
  }
  if (!found) session_.put_out(fmt::format("pmie: error - rule \"{}\" not defined\n", name));
}

void Interactive::list_bindings(const std::string& name) {
  const RuleProgram& program = session_.rules().program();
  const PmieEvaluator at(program, plan_evaluation(program, task_numbers(program), Proving::on), {});
  bool found = name.empty();
  for (const PmieStatement& statement : program.statements) {
    if (!name.empty() && statement.name != name) continue;
    found = true;
    const BindingNodes binding = binding_of(at, statement.root);
    session_.put_out(fmt::format("{} (subexpression for %h, %i and %v bindings) =\n{}\n\n",
                                 statement.name, list(program, binding.value, session_.sources())));
  }
  if (!found) session_.put_out(fmt::format("pmie: error - rule '{}' not defined\n", name));
}

bool Interactive::run_rules(const std::string& interval) {
  if (!interval.empty() && !take_seconds(interval)) return true;
  const double start = seconds_of(start_);
  return session_.run(start, start + seconds_);
}

void Interactive::set_start(const std::string& text) {
  if (text.empty()) return session_.put("pmie: error - argument required\n");
  Options shared;
  shared.start = text;
  // A time of its own, and one before the end, may lie before the start that is set.
  Stamp first = start_;
  if (text.front() == '@') first = session_.origin();
  if (text.front() == '-') first = {};
  const auto window = session_.window(shared, first);
  if (!window) return session_.put(window.error().what());
  start_ = window->start;
}

void Interactive::set_interval(const std::string& text) {
  if (text.empty()) return session_.put("pmie: error - argument required\n");
  (void)take_seconds(text);
}

// False: it has been told why not.
bool Interactive::take_seconds(const std::string& interval) {
  const auto seconds = parse_interval_seconds(interval);
  if (seconds) {
    seconds_ = *seconds;
  } else {
    session_.put(seconds.error().what());
  }
  return seconds.has_value();
}

}  // namespace pmjit::pmie
