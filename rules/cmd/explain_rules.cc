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
#include "runtime/report/progress.h"

namespace pmjit {

namespace {

struct ExplainRulesOptions {
  RuleSessionOptions session;
  bool summary = false;
};

// Runs the rules over the window, and no action is done. An error: what was counted ends before it.
Result<void> run_counting(RuleSession& rules, pmie::ComputedWays& ways, const Clock& clock) {
  catch_interrupts();
  stop_reading_at_interrupts();
  Progress progress("evaluating", clock);
  pmie::RuleRun run(rules.program(), rules.sources(), rules.zone(),
                    {.origin = rules.origin(), .ways = &ways}, [](std::string_view) {});
  const double start = rules.start(), end = rules.end();
  run.begin(start);
  const auto done = pmie::run_until(run, end, [&] {
    if (run.due()) progress.update((*run.due() - start) / (end - start));
    return interrupted() != 0;
  });
  progress.clear();
  if (!done) return done;
  if (interrupted() != 0) return {};
  rules.warn_of_times();
  return rules.whole_up_to_end();
}

int explain_strict(RuleSession& rules, bool summary) {
  const auto text = rules.how(summary);
  if (!text) return complain(text.error().text()), kExitErrors;
  Sink sink(STDOUT_FILENO);
  sink.put(*text);
  const auto written = sink.flush();
  if (!written) return output_failed(written.error().text());
  return kExitOk;
}

int explain_rules(const ExplainRulesOptions& given, const Clock& clock) {
  const RuleSessionOptions& options = given.session;
  auto session = RuleSession::open(options, clock);
  if (interrupted() != 0) return stop_before_start();
  if (!session) return complain(session.error().text()), kExitErrors;
  RuleSession& rules = **session;
  if (auto known = check_settings(options.settings, rules.macros()); !known) {
    return complain(known.error().text()), kExitErrors;
  }
  if (rules.is_strict()) return explain_strict(rules, given.summary);
  const pmie::RuleProgram& program = rules.program();
  const bool live = !options.hosts.empty();
  const pmie::Proofs proofs =
      pmie::prove(program, pmie::find_shared(program, pmie::task_numbers(program)),
                  live ? pmie::ProvenOver::hosts : pmie::ProvenOver::archives);
  pmie::ComputedWays ways(program.nodes.size());
  Result<void> whole;
  if (!live) whole = run_counting(rules, ways, clock);
  if (interrupted() != 0) return kExitSignal + interrupted();
  const HowComputed how{.program = program, .proofs = proofs, .ways = live ? nullptr : &ways};
  Sink sink(STDOUT_FILENO);
  stop_writing_at_interrupts(sink, clock);
  for (uint32_t i = 0; i < program.statements.size() && !given.summary; ++i) {
    sink.put(how_text(how, i, rules.sources()));
  }
  if (given.summary) sink.put(how_summary(how));
  const auto written = sink.flush();
  if (sink.stopped()) return stopped_writing(sink);
  if (!rules.left_out().empty()) complain(rules.left_out().text(true));
  if (!written) return output_failed(written.error().text());
  if (!whole) return complain(whole.error().text()), kExitErrors;
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
          "The rules run over the window. The tree says at how many times that was so, and why not "
          "at the others. A part without numbers has those of the part above. Strict rules have a "
          "line for each shape of their operators. "
          "Results are the same either way.",
      .run = [options, &clock] { return explain_rules(*options, clock); },
      .examples = {"pmjit explain rules busy.pmie -a web1",
                   "pmjit explain rules --summary busy.pmie -a web1",
                   "pmjit explain rules busy.pmie -h localhost"},
      .wrong = [options] { return missing_source_of(options->session); },
  };
}

}  // namespace pmjit
