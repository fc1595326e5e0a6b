// pmjit explain why RULE FILE… --at TIME -a ARCHIVE.
#include <fmt/core.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "rules/cmd/colors.h"
#include "rules/cmd/common.h"
#include "rules/cmd/live_hosts.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/no_such_rule.h"
#include "rules/cmd/rule_session.h"
#include "rules/cmd/time_values.h"
#include "rules/cmd/verbs.h"
#include "rules/compat/fetched_elements.h"
#include "rules/model/events.h"
#include "rules/why/why.h"

namespace pmjit {

namespace {

struct WhyOptions {
  std::string rule, at;
  bool tree = false;
  RuleSessionOptions session;
};

std::optional<uint32_t> find_statement(const pmie::RuleProgram& program, const std::string& name) {
  const auto found = std::ranges::find(program.statements, name, &pmie::PmieStatement::name);
  if (found == program.statements.end()) return std::nullopt;
  return static_cast<uint32_t>(found - program.statements.begin());
}

// Remembers when the statement was evaluated last.
class LastTime final : public pmie::RunObserver {
 public:
  explicit LastTime(uint32_t statement) : statement_(statement) {}
  void evaluated(uint32_t statement, double when) override {
    if (statement == statement_) when_ = when;
  }
  void performed(uint32_t, std::string_view, const std::string&, double) override {}
  [[nodiscard]] const std::optional<double>& when() const { return when_; }

 private:
  uint32_t statement_;
  std::optional<double> when_;
};

std::unexpected<Error> refused(std::string what) {
  return fail(Error(Fault::usage, std::move(what)));
}

// Of a rule in the dialect pmie, up to `at`.
Result<std::string> why_pmie(const std::string& rule, RuleSession& rules, double at, bool tree) {
  const auto statement = find_statement(rules.program(), rule);
  if (const std::string why = rules.left_out().why(rule); !statement && !why.empty()) {
    Error wrong(Fault::usage, fmt::format("{} is left out: {}", rule, why));
    const std::string help = rules.left_out_help();
    return fail(help.empty() ? std::move(wrong) : std::move(wrong).help(help));
  }
  if (!statement && rules.left_out().mistaken(rule)) {
    return refused(fmt::format("{} has a mistake, so it does not run", rule));
  }
  if (!statement) {
    return fail(no_such_rule(rule, rules.program().statements, &pmie::PmieStatement::name));
  }
  LastTime last(*statement);
  pmie::RuleRun run(
      rules.program(), rules.sources(), rules.zone(),
      {.origin = rules.origin(),
       .observer = &last,
       .proving = pmie::Proving::off},  // why a fetch has no value is known of now alone
      [](std::string_view) {});
  run.begin(rules.start());
  const auto done = pmie::run_until(run, at, [] { return false; });
  if (!done) return fail(done.error());
  if (!last.when()) {
    return refused(
        fmt::format("{} is not evaluated up to that time\n  help: the first evaluation is at {}",
                    rule, event_time_text(rules.start(), rules.zone())));
  }
  const pmie::PmieEvaluator& now = run.evaluator();
  const std::string_view written = rules.text_of(rules.program().statements[*statement].file);
  const WhyMoment moment{.statement = *statement,
                         .when = *last.when(),
                         .zone = rules.zone(),
                         .gaps = rules.interruptions(),
                         .ends = rules.ends()};
  return why_head(rule, verdict_text(now, moment, rules.sources()), *last.when(), rules.zone()) +
         (tree ? why_tree(now, moment, rules.sources())
               : why_text(now, moment, rules.sources(), written));
}

struct WhyAnswer {
  std::string text;
  Result<void> whole;  // an error: the archive is damaged, and what follows is missing
};

Result<WhyAnswer> why(const WhyOptions& options, const Clock& clock) {
  RuleSessionOptions about = options.session;
  about.rule = options.rule;
  auto session = RuleSession::open(about, clock);
  if (!session) return fail(session.error());
  RuleSession& rules = **session;
  if (auto known = check_settings(options.session.settings, rules.macros()); !known) {
    return fail(known.error());
  }
  const auto whole = rules.whole_up_to_end();
  const auto at = rules.time(options.at);
  if (!at && !whole) complain(whole.error().text());
  if (!at) return fail(at.error());
  const auto text = rules.is_strict()
                        ? rules.why(options.rule, *at, options.tree)
                        : why_pmie(options.rule, rules, pmie::seconds_of(*at), options.tree);
  if (!text) return fail(text.error());
  rules.warn_of_times();
  return WhyAnswer{.text = *text, .whole = rules.whole_up_to_end()};
}

// Why a rule is as it is takes the values before, and a host has those of now alone.
int refuse_hosts(const WhyOptions& options) {
  const auto& [files, hosts] = std::tie(options.session.files, options.session.hosts);
  if (const auto named = named_hosts(hosts); !named) {
    return complain(named.error().text()), kExitErrors;
  }
  complain(fmt::format(
      "-h {}: explain why evaluates a rule over the time before, and a host has no values of that "
      "time\n  help: pmjit run {} -h {} shows when rules fire, with their values; or "
      "record an archive with pmlogger, and name it with -a",
      hosts.front(), fmt::join(files, " "), fmt::join(hosts, " -h ")));
  return kExitErrors;
}

// The rule's name and the file's, the wrong way round.
bool is_swapped(const WhyOptions& options) {
  std::error_code unknown;
  const auto& files = options.session.files;
  return files.size() == 1 && !std::filesystem::exists(files.front(), unknown) &&
         std::filesystem::is_regular_file(options.rule, unknown);
}

int explain_why(const WhyOptions& options, const Clock& clock) {
  if (is_swapped(options)) {
    complain(
        fmt::format("the rule's name comes before the file {}\n  help: pmjit explain "
                    "why {} {} -a ARCHIVE",
                    options.rule, options.session.files.front(), options.rule));
    return kExitErrors;
  }
  if (!options.session.hosts.empty()) return refuse_hosts(options);
  warn_of_zone(options.session.zone);
  const auto answer = why(options, clock);
  if (!answer) return complain(answer.error().text()), kExitErrors;
  Sink sink(STDOUT_FILENO);
  sink.put(painted_why(answer->text));
  const auto written = sink.flush();
  if (!written) return output_failed(written.error().text());
  if (!answer->whole) return complain(answer->whole.error().text()), kExitErrors;
  return kExitOk;
}

}  // namespace

Command explain_why_command(const Clock& clock) {
  auto options = std::make_shared<WhyOptions>();
  CommandOptions table = {
      {.names = "RULE", .target = &options->rule, .what = "name of the rule", .required = true},
      {.names = "--at",
       .target = &options->at,
       .value = "TIME",
       .what = "when: 10min, '@14:30' (default: at the end)",
       .wrong = wrong_time,
       .daily = true,
       .more = "It is written like the start. pmjit shows the last evaluation up to then."},
      {.names = "-v,--verbose",
       .target = &options->tree,
       .what = "show each part of the rule on a line of its own",
       .daily = true}};
  table = joined(std::move(table), session_options(options->session));
  CommandOption host = host_option(options->session.hosts);  // refused with the reason
  host.hidden = true;
  host.excludes.clear();
  table.push_back(std::move(host));
  return {
      .name = "why",
      .what = "why a rule is true, false or unknown at a time",
      .options = std::move(table),
      .footer =
          "Shows the rule's text with the values above it. It says why values are unknown, and how "
          "far each comparison is from changing.",
      .run = [options, &clock] { return explain_why(*options, clock); },
      .examples = {"pmjit explain why busy busy.pmie -a web1",
                   "pmjit explain why busy busy.pmie -a web1 --at 1min"},
      .wrong =
          [options] {
            const std::string time = time_as_file(options->session.files, "--at");
            return time.empty() || !options->at.empty() ? missing_source_of(options->session)
                                                        : time;
          },
  };
}

}  // namespace pmjit
