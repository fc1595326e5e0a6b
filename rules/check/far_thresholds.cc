#include "rules/check/far_thresholds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <optional>

#include "compiler/diag/line_starts.h"
#include "compiler/strict_rules/tree.h"
#include "rules/compat/run.h"
#include "rules/strict/task.h"
#include "runtime/base/blanks.h"

namespace pmjit {

namespace {

// By what factor a threshold is above all values. A sum over CPUs or disks is as much as there are
// of them, so only what may be a percentage is doubted.
constexpr double kFar = 10, kPercentLeast = 50, kPercent = 100;
// From what number on a share that is below it may be meant as a percentage: idle < 10.
constexpr double kLowPercentLeast = 5;
// What a share of one CPU or disk may be at most, with what clocks are wrong by.
constexpr double kWhole = 1.05;
constexpr size_t kEvaluationsLeast = 3;

bool is_above(const Condition& of) {
  return of.relation == ConditionRelation::greater ||
         of.relation == ConditionRelation::greater_equal;
}

bool is_below(const Condition& of) {
  return of.relation == ConditionRelation::less || of.relation == ConditionRelation::less_equal;
}

// Of the rates of time those that are of one thing which is busy or not; of others several may wait
// at a time.
bool is_of_one_thing(const Condition& of) {
  constexpr std::string_view kNames[] = {".cpu.", ".avactive", "pressure.", "utime", "stime"};
  const auto is_in = [&](std::string_view name) { return of.written.contains(name); };
  return of.is_share && std::ranges::any_of(kNames, is_in);
}

// The same of each CPU or disk for itself: none is above 1.
bool is_of_each(const Condition& of) {
  constexpr std::string_view kNames[] = {".percpu.", "disk.dev.avactive", "pressure."};
  const auto is_in = [&](std::string_view name) { return of.written.contains(name); };
  return is_of_one_thing(of) && !of.written.contains("sum") && !of.written.contains('+') &&
         std::ranges::any_of(kNames, is_in);
}

// filesys.used / filesys.capacity
bool is_of_whole(std::string_view part, std::string_view whole) {
  constexpr std::string_view kWholes[] = {".capacity", ".maxfiles", ".total", ".length"};
  const size_t leaf = whole.rfind('.');
  const bool is_whole =
      leaf != whole.npos && std::ranges::find(kWholes, whole.substr(leaf)) != std::end(kWholes);
  return is_whole && part.starts_with(whole.substr(0, leaf + 1));
}

// Is it a part of the memory, the CPUs or another whole? Of other quotients nobody knows whether
// they may be above 1. What is multiplied is a percentage as a rule.
bool is_part(const Condition& of) {
  const size_t over = of.written.find('/');
  if (over == of.written.npos || of.written.contains('*')) return false;
  const std::string_view whole = without_blanks(std::string_view(of.written).substr(over + 1));
  return ((whole == "mem.physmem" || whole == "hinv.physmem") && of.written.starts_with("mem.")) ||
         (whole == "hinv.ncpu" && of.written.starts_with("kernel.all.cpu.")) ||
         is_of_whole(of.written, whole);
}

// filesys.full
bool is_percentage(const Condition& of) {
  constexpr std::string_view kCalculates = "+-*/ ";
  const std::string_view name = of.written;
  return name.find_first_of(kCalculates) == name.npos &&
         (name.ends_with(".full") || name.contains("percent") || name.contains("pct"));
}

// May a value never reach the threshold? Rules for what is rare have one that is far, too. A macro
// has been thought about.
bool may_be_far(const Condition& of) {
  if (!is_above(of)) return false;
  return (of.number >= kPercentLeast && (is_of_one_thing(of) || is_part(of))) ||
         (of.number > kWhole && is_of_each(of));
}

// kernel.all.cpu.idle < 10
bool may_be_always_below(const Condition& of) {
  return is_below(of) && of.number >= kLowPercentLeast && is_of_one_thing(of);
}

// Is each part of a whole below the threshold?
bool is_above_whole(const Condition& of) { return is_below(of) && of.number > 1 && is_part(of); }

bool is_share_of_percentage(const Condition& of) {
  return (is_above(of) || is_below(of)) && of.number > 0 && of.number < 1 && is_percentage(of);
}

bool may_be_mistaken(const Condition& of) {
  return !of.number_text.starts_with('$') &&
         (may_be_far(of) || is_above_whole(of) || may_be_always_below(of) ||
          is_share_of_percentage(of));
}

// Those that have to be true for a rule to be true.
void add_comparisons(const Condition& of, std::vector<SeenComparison>& to) {
  if (of.kind == Condition::Kind::negation) return;
  if (of.kind == Condition::Kind::comparison && may_be_mistaken(of)) to.push_back({.of = of});
  for (const Condition& part : of.parts) add_comparisons(part, to);
}

// `always`: what the rule is, else it is never true.
bool is_mistaken(const SeenComparison& one, bool always) {
  if (one.values.least > one.values.greatest) return false;  // none was seen
  if (is_share_of_percentage(one.of)) return one.values.greatest > 1;
  if (is_below(one.of)) {
    // Of many CPUs several may be idle.
    const double most = is_part(one.of) ? 1 : one.of.number / 2;
    return always && one.values.greatest <= most;
  }
  if (always) return false;
  return one.of.number > kFar * one.values.greatest ||
         (is_of_each(one.of) && one.values.greatest <= kWhole);
}

std::string values_text(const SeenComparison& one) {
  const auto [least, greatest] = std::pair(one.values.least, one.values.greatest);
  const std::string units = one.units.empty() ? "" : " " + one.units;
  if (least == greatest) return fmt::format("{} was {:.4g}{}", one.of.written, least, units);
  return fmt::format("{} was {:.4g} to {:.4g}{}", one.of.written, least, greatest, units);
}

// Would a rule with this threshold be true at some time, and false at another?
bool can_change(const SeenComparison& one, double threshold) {
  return one.values.least < threshold && threshold < one.values.greatest;
}

// What a percentage that was written is in the units of the values, or the other way round.
std::string proposal_of(const SeenComparison& one, bool percentage) {
  const double number = one.of.number;
  if (number > kPercent) return "";
  const double percent = percentage ? kPercent * number : number;
  const double better = percentage ? percent : percent / kPercent;
  if (can_change(one, better)) return fmt::format("; did you mean {:.4g}?", better);
  if (!percentage && percent == kPercent) return "";  // 1: hardly anything is above it
  return fmt::format("; {:.4g} % is {:.4g}, and no value crosses that, either", percent, better);
}

std::string help_of(const SeenComparison& one) {
  const bool percentage = is_percentage(one.of);
  const bool idle = one.of.written.contains("idle");
  const std::string_view kind =
      percentage ? "this is a percentage: 100 is all of it"
      : is_of_one_thing(one.of) && idle
          ? "this rate is a share of time: 1 is one CPU that is always idle"
      : is_of_one_thing(one.of) ? "this rate is a share of time: 1 is one CPU or device that is "
                                  "always busy"
                                : "this is a part of a whole: 1 is all of it";
  return fmt::format("{}{}", kind, proposal_of(one, percentage));
}

// Without its place. None: nothing is mistaken.
std::optional<CheckNote> note_of(const SeenRule& rule, const std::string& archive) {
  const bool changes = rule.yes > 0 && rule.no > 0, always = rule.yes > 0;
  const size_t evaluations = rule.yes + rule.no;
  if (changes || evaluations < kEvaluationsLeast) return std::nullopt;
  const auto found = std::ranges::find_if(
      rule.comparisons, [&](const auto& one) { return is_mistaken(one, always); });
  if (found == rule.comparisons.end()) return std::nullopt;
  return CheckNote{.message = fmt::format("{} is {} true at {} evaluations over {}", rule.name,
                                          always ? "always" : "never", evaluations, archive),
                   .details = {fmt::format("{}, and the threshold is {}", values_text(*found),
                                           found->of.number_text)},
                   .help = help_of(*found)};
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
      SeenRule rule{
          .name = statement.name, .file = t, .source = &texts[t].source, .span = statement.span};
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
  const ReplayShare share(input.start, input.end);
  const auto stop = [&] {
    if (run.due()) input.progress(share.of(*run.due()));
    return false;
  };
  auto done = pmie::run_until(run, pmie::seconds_of(input.end), stop);
  if (!done) return fail(done.error());
  for (auto& rule : rules) {
    if (rule) out.push_back(*std::move(rule));
  }
  return out;
}

std::vector<SeenRule> watch_strict(const strict::RuleSet& set, const Feeds& feeds,
                                   const strict::TaskOptions& options,
                                   const std::function<void(double)>& progress) {
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
  const ReplayShare share(options.origin, options.end);
  for (StrictWatch& watch : watches) {
    const auto index = static_cast<double>(&watch - watches.data());
    auto task = strict::Task::open(set, watch.task, feeds, options);
    if (!task) continue;  // what is wrong has been said
    const StrictRootValues values(**task);
    while ((*task)->due() <= options.end) {
      const double done = share.of(pmie::seconds_of((*task)->due()));
      progress((index + done) / static_cast<double>(watches.size()));
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
  for (size_t i = 0; i < files.size(); ++i) {
    CheckedFile& file = files[i];
    const WarningsByPlace warnings(file);
    std::optional<LineStarts> starts;
    for (const SeenRule& rule : rules) {
      if (rule.file != i || !warnings.in(rule.span).empty()) continue;
      if (!starts) starts.emplace(rule.source->text);
      auto note = note_of(rule, archive);
      if (!note) continue;
      note->at = line_column(*rule.source, *starts, rule.span.begin);
      file.notes.push_back(*std::move(note));
    }
  }
}

}  // namespace pmjit
