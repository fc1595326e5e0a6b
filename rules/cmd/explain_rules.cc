// pmjit explain rules FILE… -a ARCHIVE, or -h HOST.
#include <fmt/core.h>
#include <unistd.h>

#include "rules/cmd/common.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/verbs.h"
#include "rules/compat/run.h"
#include "rules/why/why.h"

namespace pmjit {

namespace {

struct ExplainRulesOptions {
  RuleSessionOptions session;
  bool summary = false;
};

int explain_rules(const ExplainRulesOptions& given, const Clock& clock) {
  const RuleSessionOptions& options = given.session;
  auto session = RuleSession::open(options, clock);
  if (interrupted() != 0) return stop_before_start();
  if (!session) return complain(session.error().text()), kExitErrors;
  RuleSession& rules = **session;
  if (auto known = check_settings(options.settings, rules.macros()); !known) {
    return complain(known.error().text()), kExitErrors;
  }
  if (rules.is_strict()) {
    complain(
        "explain rules is of the dialect pmie alone\n"
        "  help: pmjit explain --dump=kernels shows how an expression is computed");
    return kExitErrors;
  }
  const pmie::RuleProgram& program = rules.program();
  const pmie::Proofs proofs =
      pmie::prove(program, pmie::find_shared(program, pmie::task_numbers(program)));
  Sink sink(STDOUT_FILENO);
  for (uint32_t i = 0; i < program.statements.size() && !given.summary; ++i) {
    sink.put(how_text(program, i, proofs, rules.sources()));
  }
  if (given.summary) sink.put(how_summary(program, proofs));
  const auto written = sink.flush();
  if (!rules.left_out().empty()) complain(rules.left_out().text(true));
  if (!written) return output_failed(written.error().text());
  return rules.all_installed() && !rules.left_out().all() ? kExitOk : kExitErrors;
}

}  // namespace

Command explain_rules_command(const Clock& clock) {
  auto options = std::make_shared<ExplainRulesOptions>();
  options->session.takes_hosts = true;
  return {
      .name = "rules",
      .what = "how rules are computed: fast, or step by step, and why",
      .options =
          joined(session_options(options->session), {{.names = "--summary",
                                                      .target = &options->summary,
                                                      .what = "only count the ways, by operator",
                                                      .daily = true}}),
      .footer =
          "Shows each rule as a tree. Some parts are decided without a look at each instance, if "
          "all values are there. Over archives most others are evaluated at many times at once. "
          "The tree says why the rest is not. Results are the same either way.",
      .run = [options, &clock] { return explain_rules(*options, clock); },
      .examples = {"pmjit explain rules busy.pmie -a web1",
                   "pmjit explain rules --summary busy.pmie -a web1",
                   "pmjit explain rules busy.pmie -h localhost"},
      .wrong = [options] { return missing_source_of(options->session); },
  };
}

}  // namespace pmjit
