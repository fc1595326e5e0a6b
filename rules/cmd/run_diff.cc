#include "rules/cmd/rule_session.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "rules/cmd/colors.h"
#include "rules/cmd/common.h"
#include "rules/cmd/interrupt.h"
#include "rules/compat/replay.h"
#include "rules/event_writers/alerts.h"
#include "runtime/report/progress.h"

namespace pmjit {

namespace {

struct DiffSide {
  std::vector<std::string> rules;
  std::vector<Alert> alerts;
  pmie::MacroNames macros;
  bool all_installed = true;                // the rules; and no archive is left out
  std::optional<Error> cut = std::nullopt;  // why what is behind some time is missing
};

Result<DiffSide> replay_side(RuleSessionOptions options, size_t side, Zone& zone,
                             const Clock& clock) {
  const std::string file = options.files[side];
  options.warned = side > 0;
  options.files = {file};
  auto session = RuleSession::open(options, clock);
  if (!session) return fail(session.error());
  RuleSession& rules = **session;
  AlertCollector collector;
  Progress progress("replaying " + file, clock);
  const auto done = rules.replay(
      collector, [] { return interrupted() != 0; },
      [&](double behind) { progress.update(behind); });
  progress.clear();
  if (const LeftOutRules& left_out = rules.left_out(); !left_out.empty()) {
    complain(fmt::format("{}: {}", file, left_out.text(options.verbose)));
  }
  zone = rules.zone();
  return DiffSide{collector.rules(), collector.alerts(), rules.macros(),
                  rules.all_installed() && rules.has_all_archives() &&
                      (rules.left_out().empty() || !rules.left_out().all()),
                  done ? std::nullopt : std::optional(done.error())};
}

// Those of `some` that `others` has not.
std::vector<std::string> only(const std::vector<std::string>& some,
                              const std::vector<std::string>& others) {
  std::vector<std::string> out;
  for (const std::string& rule : some) {
    if (std::ranges::find(others, rule) == others.end()) out.push_back(rule);
  }
  return out;
}

}  // namespace

int diff_rules(const RuleSessionOptions& options, const std::string& format, bool exit_code,
               const Clock& clock) {
  const DiffFormat* const wanted = find_diff_format(format);
  if (options.files.size() != 2 || wanted == nullptr) {
    complain(
        wanted == nullptr
            ? fmt::format("--diff has no format {}\n  help: table, markdown or json", format)
            : std::string("--diff needs two files\n  help: pmjit run --diff OLD NEW -a ARCHIVE"));
    return kExitErrors;
  }
  catch_interrupts();
  Zone zone;
  const auto before = replay_side(options, 0, zone, clock);
  if (!before) return complain(before.error().text()), kExitErrors;
  const auto after = replay_side(options, 1, zone, clock);
  if (!after) return complain(after.error().text()), kExitErrors;
  if (interrupted() != 0) return kExitSignal + interrupted();
  pmie::MacroNames macros = before->macros;
  macros.insert(after->macros.begin(), after->macros.end());
  if (auto known = check_settings(options.settings, macros); !known) {
    return complain(known.error().text()), kExitErrors;
  }
  DiffInput input{.only_before = only(before->rules, after->rules),
                  .only_after = only(after->rules, before->rules)};
  std::vector<std::string> rules = before->rules;
  rules.insert(rules.end(), input.only_after.begin(), input.only_after.end());
  input.diffs = compare_alerts(rules, before->alerts, after->alerts);
  Sink sink(STDOUT_FILENO);
  stop_writing_at_interrupts(sink, clock);
  sink.put(painted_results(wanted->make(input, zone)));
  const auto written = sink.flush();
  if (sink.stopped()) return stopped_writing(sink);
  if (!written) return output_failed(written.error().text());
  // Both sides read the same archives: the differences are those up to the first cut.
  for (const DiffSide* const side : {&*before, &*after}) {
    if (side->cut) return complain(side->cut->text()), kExitErrors;
  }
  if (!before->all_installed || !after->all_installed) return kExitErrors;
  return exit_code && changes_something(input) ? kExitWarnings : kExitOk;
}

}  // namespace pmjit
