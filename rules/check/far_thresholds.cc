#include "rules/check/far_thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "compiler/strict_rules/tree.h"
#include "rules/compat/run.h"
#include "rules/strict/task.h"

namespace pmjit {

namespace {

// By what factor a threshold is far. A share has a bound, and its usual mistake is a percentage.
constexpr double kFarShare = 10, kFarOthers = 1000, kFarTrue = 10;
constexpr size_t kEvaluationsLeast = 3;

// Those that have to be true for a rule to be true.
void add_comparisons(const Condition& of, std::vector<SeenComparison>& to) {
  if (of.kind == Condition::Kind::negation) return;
  if (of.kind == Condition::Kind::comparison) to.push_back({.of = of});
  for (const Condition& part : of.parts) add_comparisons(part, to);
}

bool is_above(const Condition& of) {
  return of.relation == ConditionRelation::greater ||
         of.relation == ConditionRelation::greater_equal;
}
bool is_below(const Condition& of) {
  return of.relation == ConditionRelation::less || of.relation == ConditionRelation::less_equal;
}

bool is_macro(const Condition& of) { return of.number_text.starts_with('$'); }

// Was it never true, and is it far from that?
bool is_never(const SeenComparison& one) {
  const double threshold = one.of.number, greatest = one.values.greatest;
  if (one.of.is_share && is_above(one.of)) {
    return threshold > 1 && threshold > kFarShare * greatest;
  }
  // A macro has been thought about, and what is multiplied is a percentage as a rule.
  if (is_macro(one.of) || one.of.written.contains('*')) return false;
  if (is_above(one.of)) return greatest > 0 && threshold > kFarOthers * greatest;
  return is_below(one.of) && threshold > 0 && one.values.least > kFarOthers * threshold;
}

// Likewise always.
bool is_always(const SeenComparison& one) {
  const double threshold = one.of.number;
  if (is_above(one.of)) {
    return threshold >= 0 && one.values.least > 0 && one.values.least >= kFarTrue * threshold;
  }
  return is_below(one.of) && threshold > 0 && one.values.greatest * kFarTrue <= threshold;
}

std::string values_text(const SeenComparison& one) {
  const auto [least, greatest] = std::pair(one.values.least, one.values.greatest);
  const std::string units = one.units.empty() ? "" : " " + one.units;
  if (least == greatest) return fmt::format("{} was {:.4g}{}", one.of.written, least, units);
  return fmt::format("{} was {:.4g} to {:.4g}{}", one.of.written, least, greatest, units);
}

std::string threshold_text(const Condition& of) {
  return is_macro(of) ? fmt::format("{}, {:.6g}", of.number_text, of.number) : of.number_text;
}

std::string help_of(const SeenComparison& one, bool never) {
  constexpr double kPercent = 100;
  if (one.of.is_share && never) {
    const bool percent = one.of.number <= kPercent;
    return fmt::format(
        "this rate is a share of time: 1 is one CPU or device that is always busy{}",
        percent ? fmt::format("; did you mean {:.4g}?", one.of.number / kPercent) : "");
  }
  return never ? "does the number have the right unit and size?"
               : "a rule that is always true says nothing: is the number right?";
}

// A line with its help; "": nothing is far.
std::string note_of(const SeenRule& rule, const std::string& archive, const std::string& file) {
  const bool never = rule.yes == 0 && rule.no >= kEvaluationsLeast;
  const bool always = rule.no == 0 && rule.yes >= kEvaluationsLeast;
  if (!never && !always) return {};
  const auto far = std::ranges::find_if(rule.comparisons, [&](const SeenComparison& one) {
    const bool seen = one.values.least <= one.values.greatest;
    return seen && (never ? is_never(one) : is_always(one));
  });
  if (far == rule.comparisons.end()) return {};
  return fmt::format(
      "note: {}:{}: {} is {} true at {} evaluations over {}\n"
      "  {}, and the threshold is {}\n  help: {}\n",
      file, line_column(*rule.source, rule.span.begin).line, rule.name, never ? "never" : "always",
      rule.yes + rule.no, archive, values_text(*far), threshold_text(far->of),
      help_of(*far, never));
}

// Looks at the values that comparisons have.
class PmieWatcher final : public pmie::RunObserver {
 public:
  PmieWatcher(const pmie::RuleProgram& program, std::vector<std::optional<SeenRule>>& rules)
      : program_(program), rules_(rules) {}
  void look_at(const pmie::PmieEvaluator& at) { at_ = &at; }

  void evaluated(uint32_t statement, double) override {
    if (!rules_[statement]) return;
    SeenRule& rule = *rules_[statement];
    const auto holds = at_->holds(program_.statements[statement].root);
    if (holds) ++(*holds ? rule.yes : rule.no);
    for (SeenComparison& one : rule.comparisons) {
      const pmie::NodeState& state = at_->state(one.of.value);
      if (state.valid == 0 || state.span() == 0) continue;
      for (size_t i = 0; i < state.span(); ++i) one.values.add(state.sample(0)[i]);
    }
  }
  void performed(uint32_t, std::string_view, const std::string&, double) override {}

 private:
  const pmie::RuleProgram& program_;
  std::vector<std::optional<SeenRule>>& rules_;
  const pmie::PmieEvaluator* at_ = nullptr;
};

// Rules of one interval, and where the roots of each are.
struct StrictWatch {
  strict::TaskRules task{};
  struct Watched {
    SeenRule seen;
    size_t condition = 0, first = 0;  // roots
  };
  std::vector<Watched> rules{};
};

class StrictRootValues {
 public:
  explicit StrictRootValues(const strict::Task& task) : task_(task) {}

  void add_to(StrictWatch::Watched& rule) const {
    for (const auto& root : task_.placed(rule.condition).of_host) {
      if (!root || !task_.judges(*root)) continue;
      const RuleTruth truth = task_.truth(*root);
      if (truth != RuleTruth::unknown) ++(truth == RuleTruth::yes ? rule.seen.yes : rule.seen.no);
    }
    for (size_t i = 0; i < rule.seen.comparisons.size(); ++i) {
      SeenComparison& one = rule.seen.comparisons[i];
      for (const auto& root : task_.placed(rule.first + i).of_host) {
        if (!root) continue;
        one.units = units_text(task_.info(*root).units);
        for (const strict::LaneValue& lane : task_.values(*root).lanes) {
          if (lane.reason == 0 && !lane.text) one.values.add(lane.number);
        }
      }
    }
  }

 private:
  const strict::Task& task_;
};

}  // namespace

void SeenValues::add(double value) {
  if (std::isnan(value)) return;
  least = std::min(least, value);
  greatest = std::max(greatest, value);
}

Result<std::vector<SeenRule>> watch_pmie(const MeaningsInput& input) {
  const pmie::RuleProgram& program = input.check.reader().program();
  std::vector<std::optional<SeenRule>> rules(program.statements.size());
  const auto& texts = input.check.report().texts;
  bool any = false;
  for (size_t t = 0; t < texts.size(); ++t) {
    for (const pmie::CheckedStatement& statement : texts[t].statements) {
      if (!statement.is_rule || !statement.acts) continue;
      SeenRule rule{.name = statement.name,
                    .file = t,
                    .source = &texts[t].source,
                    .span = statement.span};
      const uint32_t root = program.statements[statement.number].root;
      add_comparisons(condition_of(program, root, texts[t].source.text), rule.comparisons);
      for (SeenComparison& one : rule.comparisons) {
        const auto& units = program.nodes[one.of.value].units;
        if (units) one.units = units_text(*units);
      }
      if (rule.comparisons.empty()) continue;
      any = true;
      rules[statement.number] = std::move(rule);
    }
  }
  std::vector<SeenRule> out;
  if (!any) return out;
  PmieWatcher watcher(program, rules);
  pmie::RuleRun run(program, input.sources, input.zone,
                    {.origin = input.start, .observer = &watcher}, [](std::string_view) {});
  watcher.look_at(run.evaluator());
  run.begin(pmie::seconds_of(input.start));
  auto done = pmie::run_until(run, pmie::seconds_of(input.end), input.stop);
  if (!done) return fail(done.error());
  for (auto& rule : rules) {
    if (rule) out.push_back(*std::move(rule));
  }
  return out;
}

std::vector<SeenRule> watch_strict(const strict::RuleSet& set, const Feeds& feeds,
                                   const strict::TaskOptions& options,
                                   const std::function<bool()>& stop) {
  std::vector<StrictWatch> watches;
  std::deque<Ast> parts;  // that roots point to
  for (const strict::SetRule& one : set.rules) {
    const strict::Clause& clause = one.rule.clauses.front();
    if (!one.rule.acts() || one.rule.is_ruleset || !clause.condition) continue;
    const SourceText& source = set.sources[one.source];
    SeenRule rule{
        .name = one.rule.name, .file = one.source, .source = &source, .span = one.rule.span};
    add_comparisons(condition_of(*clause.condition, source.text, &feeds.catalog()),
                    rule.comparisons);
    // A number with a unit is not compared with values in others.
    std::erase_if(rule.comparisons, [](const SeenComparison& of) { return !of.of.unit.empty(); });
    if (rule.comparisons.empty()) continue;
    auto watch = std::ranges::find_if(
        watches, [&](const StrictWatch& other) { return other.task.delta == one.rule.delta; });
    if (watch == watches.end()) {
      watch = watches.insert(watches.end(), StrictWatch{.task = {.delta = one.rule.delta}});
    }
    const size_t condition = watch->task.roots.size();
    const auto add = [&](const Ast& ast) {
      watch->task.roots.push_back({.source = one.source, .ast = &ast, .title = print(ast)});
    };
    add(*clause.condition);
    for (const SeenComparison& of : rule.comparisons) {
      add(parts.emplace_back(strict::part_of(*clause.condition, ExprId{{of.of.value}})));
    }
    watch->rules.push_back({std::move(rule), condition, condition + 1});
  }
  std::vector<SeenRule> out;
  for (StrictWatch& watch : watches) {
    auto task = strict::Task::open(set, watch.task, feeds, options);
    if (!task) continue;  // what is wrong has been said
    const StrictRootValues values(**task);
    while ((*task)->due() <= options.end && !stop()) {
      const auto there = (*task)->advance();
      if (!there || *there != strict::Task::Advance::evaluated) break;
      if (!(*task)->has_row()) continue;
      for (StrictWatch::Watched& rule : watch.rules) values.add_to(rule);
    }
    for (StrictWatch::Watched& rule : watch.rules) out.push_back(std::move(rule.seen));
  }
  return out;
}

void add_far_notes(std::span<const SeenRule> rules, const std::string& archive,
                   std::span<CheckedFile> files) {
  for (const SeenRule& rule : rules) {
    CheckedFile& file = files[rule.file];
    const bool is_told_of = std::ranges::any_of(file.findings, [&](const Finding& finding) {
      return finding.level == Level::warning && finding.begin >= rule.span.begin &&
             finding.begin < rule.span.end;
    });
    if (is_told_of) continue;
    std::string note = note_of(rule, archive, file.name);
    if (!note.empty()) file.notes.push_back(std::move(note));
  }
}

}  // namespace pmjit
