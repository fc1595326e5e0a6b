#include "rules/cmd/unknown_rules.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "rules/cmd/common.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/rule_session.h"
#include "rules/compat/run.h"
#include "rules/why/why.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

constexpr size_t kShownMax = 3;

struct NamedReason {
  std::string name, reason;  // no reason: it cannot be said
  bool is_usual = false;     // of most times, and not of the last
};

// Behind "unknown".
std::string reason_in(std::string_view verdict) {
  const size_t colon = verdict.find(": ");
  if (colon == verdict.npos) return {};
  verdict.remove_prefix(colon + 2);
  return std::string(verdict.substr(0, verdict.find('\n')));
}

// Counts why each statement is unknown.
class CountedReasons final : public pmie::RunObserver {
 public:
  CountedReasons(size_t statements, RuleSession& rules) : counts_(statements), rules_(rules) {}
  void look_at(const pmie::PmieEvaluator& at) { at_ = &at; }

  void evaluated(uint32_t statement, double when) override {
    const WhyMoment moment{.statement = statement,
                           .when = when,
                           .zone = rules_.zone(),
                           .gaps = rules_.interruptions(),
                           .ends = rules_.ends()};
    Counts& counts = counts_[statement];
    counts.last = reason_in(verdict_text(*at_, moment, rules_.sources()));
    ++counts.all;
    ++counts.of[counts.last];
  }
  void performed(uint32_t, std::string_view, const std::string&, double) override {}

  // The last one, where no other is that of most times. It may be the same, and say more.
  void put_into(size_t statement, NamedReason& to) const {
    const Counts& counts = counts_[statement];
    to.reason = counts.last;
    for (const auto& [reason, times] : counts.of) {
      const bool is_said = reason.empty() || counts.last.starts_with(reason);
      if (is_said || 2 * times <= counts.all) continue;
      to.reason = reason;
      to.is_usual = true;
    }
  }

 private:
  struct Counts {
    std::map<std::string, size_t> of{};
    std::string last{};
    size_t all = 0;
  };
  std::vector<Counts> counts_;
  RuleSession& rules_;
  const pmie::PmieEvaluator* at_ = nullptr;
};

// Once more over the archive, with these rules alone.
std::vector<NamedReason> reasons_of_pmie(std::span<const std::string> names, RuleSession& rules) {
  pmie::RuleProgram program = rules.program();
  std::erase_if(program.statements, [&](const pmie::PmieStatement& statement) {
    return std::ranges::find(names, statement.name) == names.end();
  });
  CountedReasons reasons(program.statements.size(), rules);
  pmie::RuleRun run(program, rules.sources(), rules.zone(),
                    {.origin = rules.origin(), .observer = &reasons, .proving = pmie::Proving::off},
                    [](std::string_view) {});
  reasons.look_at(run.evaluator());
  run.begin(rules.start());
  const auto done = pmie::run_until(run, rules.end(), [] { return interrupted() != 0; });
  std::vector<NamedReason> out;
  for (uint32_t i = 0; i < program.statements.size(); ++i) {
    out.push_back({.name = program.statements[i].name});
    if (done) reasons.put_into(i, out.back());
  }
  return out;
}

std::vector<NamedReason> reasons_of(std::span<const std::string> names, RuleSession& rules) {
  if (!rules.is_strict()) return reasons_of_pmie(names, rules);
  const auto end = rules.time("");
  std::vector<NamedReason> out;
  for (const std::string& name : names) {
    const auto text = end ? rules.why(name, *end, false) : Result<std::string>(fail(end.error()));
    out.push_back({.name = name, .reason = text ? reason_in(*text) : std::string()});
  }
  return out;
}

}  // namespace

void UnknownRules::begin(const ReplaySchema& schema) {
  schema_ = schema;
  known_.assign(schema.rules.size(), false);
  to_.begin(schema);
}

void UnknownRules::put(const RuleTransition& event) {
  if (event.transition.to != RuleTruth::unknown) known_[event.rule] = true;
  to_.put(event);
}

void UnknownRules::end(double when, std::span<const RuleState> states) {
  ended_ = when;
  for (size_t i = 0; i < states.size(); ++i) {
    if (known_[i] || states[i].truth != RuleTruth::unknown) continue;
    const std::string& name = schema_.rules[i];
    const bool several = !schema_.hosts.empty();  // hosts: a rule is named once
    if (several && std::ranges::find(names_, name) != names_.end()) continue;
    names_.push_back(name);
  }
  to_.end(when, states);
}

void UnknownRules::tell(RuleSession& rules, const std::string& arguments) const {
  if (names_.empty()) return;
  const auto shown = std::span(names_).first(std::min(names_.size(), kShownMax));
  std::vector<std::string> lines;
  for (const NamedReason& one : reasons_of(shown, rules)) {
    lines.push_back(fmt::format("note: {} is unknown the whole time{}{}", one.name,
                                one.reason.empty() ? ""
                                : one.is_usual     ? "; mostly: "
                                                   : "; at the end: ",
                                one.reason));
  }
  if (names_.size() > kShownMax) {
    lines.push_back(
        fmt::format("note: so are {}", first_few_text(std::span(names_).subspan(kShownMax))));
  }
  lines.back() +=
      fmt::format("\n  help: pmjit explain why {} {} shows its values", names_.front(), arguments);
  for (const std::string& line : lines) complain(line);
}

}  // namespace pmjit
