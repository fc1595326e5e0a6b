#include "rules/strict/strict_replay.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "compiler/strict_rules/rule_file.h"
#include "compiler/strict_rules/tree.h"
#include "rules/compat/fetched_elements.h"
#include "runtime/base/result.h"
#include "runtime/model/hosts.h"

namespace pmjit::strict {

namespace {

// Texts that only some tasks have said; those with a time in it stay such.
constexpr size_t kWarnedMax = 1'000;

bool is_aggregate(const Expr& expr) {
  constexpr std::string_view kNames[] = {"sum", "avg", "min", "max", "count"};
  return expr.kind == ExprKind::call && std::ranges::find(kNames, expr.text) != std::end(kNames);
}

// Of what has no instances: the one that it picks with #, its first metric's.
std::optional<std::string> picked_instance(const Ast& ast, ExprId id) {
  const Expr& expr = ast.exprs[id];
  if (is_aggregate(expr)) return std::nullopt;
  if (expr.kind == ExprKind::instance) {
    return expr.spec_count == 0 ? std::optional(expr.text) : std::nullopt;
  }
  const auto args = ast.args_of(expr);
  const auto first = std::ranges::find_if(args, [&](ExprId arg) { return has_metric(ast, arg); });
  return first == args.end() ? std::nullopt : picked_instance(ast, *first);
}

}  // namespace

StrictReplay::StrictReplay(const RuleSet& set, const Feeds& feeds, const TaskOptions& options,
                           std::vector<std::string> connections)
    : set_(set), connections_(std::move(connections)), options_(options) {
  if (feeds.hosts() == nullptr) {
    hosts_ = {feeds.host()};
    return;
  }
  for (const HostsCatalog::Part& part : feeds.hosts()->hosts()) hosts_.push_back(part.name);
}

Result<std::unique_ptr<StrictReplay>> StrictReplay::open(const RuleSet& set, const Feeds& feeds,
                                                         const TaskOptions& options,
                                                         std::vector<std::string> connections) {
  std::unique_ptr<StrictReplay> out(new StrictReplay(set, feeds, options, std::move(connections)));
  std::string errors;
  for (TaskRules& rules : tasks_of(set)) {
    auto task = Task::open(set, std::move(rules), feeds, options);
    if (task) {
      out->tasks_.push_back(*std::move(task));
    } else {
      errors += task.error().text();
    }
  }
  if (!errors.empty()) return fail(Fault::format, errors);
  out->number_rules();
  return out;
}

// In the order of the file, those of one rule in the order of the hosts.
void StrictReplay::number_rules() {
  for (const auto& task : tasks_) {
    for (const TaskRule& rule : task->rules()) placed_.push_back({task.get(), &rule});
  }
  std::ranges::stable_sort(placed_, {}, [](const PlacedRule& one) { return one.rule->rule; });
  states_.resize(placed_.size());
}

std::vector<std::string> StrictReplay::notes() const {
  std::vector<std::string> out;
  for (const auto& task : tasks_) {
    out.insert(out.end(), task->notes().begin(), task->notes().end());
  }
  return out;
}

// Tasks read the same hosts, so most warnings are those of each of them, sooner or later.
std::vector<std::string> StrictReplay::take_warnings() {
  std::vector<std::string> out;
  for (size_t task = 0; task < tasks_.size(); ++task) {
    for (std::string& warning : tasks_[task]->take_warnings()) {
      std::vector<uint64_t>& times = warned_[warning];
      times.resize(tasks_.size());
      const uint64_t said = *std::ranges::max_element(times);
      const bool news = ++times[task] > said;
      if (std::ranges::all_of(times, [&](uint64_t of_task) { return of_task == times[task]; })) {
        warned_.erase(warning);
      }
      if (news) out.push_back(std::move(warning));
    }
  }
  if (warned_.size() > kWarnedMax) warned_.clear();  // rather told again than kept for ever
  return out;
}

uint64_t StrictReplay::skipped() const {
  uint64_t out = 0;
  for (const auto& task : tasks_) out = std::max(out, task->skipped());
  return out;
}

Result<void> StrictReplay::run(EventWriter& writer, const std::function<bool()>& stop) {
  begin(writer);
  while (!stop()) {
    const auto progress = advance();
    if (!progress) return fail(progress.error());
    if (*progress == Progress::ended) break;
    check(*progress != Progress::waits, "a recording is all there");
  }
  end();
  return {};
}

void StrictReplay::begin(EventWriter& writer) {
  writer_ = &writer;
  ReplaySchema schema{.rules = {}, .start = pmie::seconds_of(options_.origin)};
  for (const PlacedRule& placed : placed_) {
    const TaskRule& rule = *placed.rule;
    schema.rules.push_back(set_.rules[rule.rule].rule.name);
    if (hosts_.size() == 1) continue;
    schema.numbers.push_back(rule.rule);
    schema.hosts.push_back(rule.on_host ? hosts_[*rule.on_host] : rule.host.value_or(""));
  }
  writer.begin(schema);
}

// Where nobody knew the end, it is the time that was evaluated last.
void StrictReplay::end() {
  const Stamp end = options_.end != kStampMax ? options_.end : last_.value_or(options_.origin);
  writer_->end(pmie::seconds_of(end), states_);
}

// Tasks due together: one whose rows have not come keeps the others waiting.
Result<StrictReplay::Progress> StrictReplay::advance() {
  if (ready_.empty()) {
    if (tasks_.empty() || out_of_rows()) return Progress::ended;
    now_ = kStampMax;
    for (const auto& task : tasks_) now_ = std::min(now_, task->due());
    if (now_ > options_.end) return Progress::ended;
  }
  bool waits = false;
  for (const auto& task : tasks_) {
    if (task->due() != now_) continue;
    const auto there = task->advance();
    if (!there) return fail(there.error());
    waits = waits || !*there;
    if (*there) ready_.push_back(task.get());
  }
  if (waits) return Progress::waits;
  // Without an end only a row tells that there was such a time.
  if (options_.end == kStampMax && out_of_rows()) return Progress::ended;
  evaluate_ready();
  last_ = now_;
  return Progress::goes_on;
}

// Nobody knows the end, and every task that reads rows has had its last.
bool StrictReplay::out_of_rows() const {
  if (options_.end != kStampMax) return false;
  bool reads = false;
  for (const auto& task : tasks_) {
    if (!task->has_rows()) continue;
    if (!task->ended()) return false;
    reads = true;
  }
  return reads;
}

Stamp StrictReplay::wakes() const {
  Stamp out = kStampMax;
  for (const auto& task : tasks_) {
    if (task->due() == now_) out = std::min(out, task->wakes());
  }
  return out;
}

void StrictReplay::evaluate_ready() {
  std::vector<Evaluated> evaluated;
  for (size_t i = 0; i < placed_.size(); ++i) {
    if (std::ranges::find(ready_, placed_[i].task) == ready_.end()) continue;
    evaluated.push_back(evaluate(i, pmie::seconds_of(now_)));
  }
  ready_.clear();
  if (watcher_ != nullptr) watcher_->evaluated(evaluated, pmie::seconds_of(now_));
}

Evaluated StrictReplay::evaluate(size_t number, double now) {
  const Task& task = *placed_[number].task;
  const TaskRule& rule = *placed_[number].rule;
  const Rule& of = set_.rules[rule.rule].rule;
  const bool acts = of.is_ruleset || !of.clauses.front().verbs.empty();
  if (!acts && !task.judges(*rule.clauses.front().condition)) {
    return {.task = &task, .of = &rule, .number = static_cast<uint32_t>(number)};  // no truth
  }
  const Verdict verdict = judge(task, rule);
  const RuleStep next = step(states_[number], verdict.truth, now);
  states_[number] = next.state;
  std::vector<RuleBinding> found;
  if (verdict.clause) found = bindings(task, rule, *verdict.clause);
  if (next.transition) {
    RuleTransition event{.rule = static_cast<uint32_t>(number), .transition = *next.transition};
    if (event.transition.to == RuleTruth::yes) event.bindings = found;
    writer_->put(event);
  }
  if (verdict.clause) act(number, *verdict.clause, found, now);
  return {.task = &task,
          .of = &rule,
          .number = static_cast<uint32_t>(number),
          .truth = verdict.truth,
          .clause = verdict.clause};
}

// The first that is true acts; `unknown` where none is and one may be, `otherwise` where all are
// false (dialects.md rows 139 to 141).
StrictReplay::Verdict StrictReplay::judge(const Task& task, const TaskRule& rule) const {
  const std::vector<Clause>& clauses = set_.rules[rule.rule].rule.clauses;
  if (clauses.front().when == Clause::When::always) return {.clause = 0};
  bool may_be = false;
  for (size_t i = 0; i < clauses.size(); ++i) {
    if (clauses[i].when != Clause::When::holds) continue;
    const RuleTruth truth = task.truth(*rule.clauses[i].condition);
    if (truth == RuleTruth::yes) return {.truth = truth, .clause = i};
    may_be = may_be || truth == RuleTruth::unknown;
  }
  const auto wanted = may_be ? Clause::When::unknown : Clause::When::otherwise;
  Verdict out{.truth = may_be ? RuleTruth::unknown : RuleTruth::no};
  const auto clause = std::ranges::find(clauses, wanted, &Clause::when);
  if (clause == clauses.end()) return out;
  out.clause = static_cast<size_t>(clause - clauses.begin());
  if (!may_be) out.truth = RuleTruth::yes;
  return out;
}

// Where there is no metric, and behind `unknown` and `otherwise`, the host is all that an action is
// about.
std::vector<RuleBinding> StrictReplay::bindings(const Task& task, const TaskRule& rule,
                                                size_t number) const {
  const Clause& clause = set_.rules[rule.rule].rule.clauses[number];
  const ClauseRoots& roots = rule.clauses[number];
  std::vector<RuleBinding> out;
  if (clause.bindings.empty()) out.push_back({.host = rule.host});
  for (const BindingRoots& of : roots.bindings) {
    for (Lane& lane : task.lanes(of)) {
      if (!lane.instance) {
        const Ast& set = clause.bindings[of.of].set;
        lane.instance = picked_instance(set, set.root);
      }
      RuleBinding& to = out.emplace_back(RuleBinding{.host = of.host});
      to.instance = std::move(lane.instance);
      to.text = std::move(lane.text);
      if (of.value && !to.text) to.values.push_back(lane.value);
    }
  }
  return out;
}

// Each verb joins what stands before it.
ActionPlan StrictReplay::plan(const std::vector<Verb>& verbs, size_t clause,
                              const std::vector<RuleBinding>& found, double now) const {
  constexpr size_t kVerbsOfClause = 1000;
  ActionPlan out{.steps = {}, .nodes = {}, .when = now};
  std::optional<uint32_t> before;
  for (const Verb& verb : verbs) {
    const std::string text = text_of(verb, found);
    const uint32_t node =
        out.add_step({.id = static_cast<uint32_t>(clause * kVerbsOfClause + out.steps.size()),
                      .verb = verb.name,
                      .text = text.empty() ? std::nullopt : std::optional(text),
                      .hold_off = verb.hold_off});
    using enum ActionPlan::Kind;
    before = before ? out.join(verb.if_failed ? until_one : in_turn, *before, node) : node;
  }
  return out;
}

// What stands behind `|` is for where all before it has not succeeded.
void StrictReplay::act(size_t number, size_t clause, const std::vector<RuleBinding>& found,
                       double now) {
  const size_t rule = placed_[number].rule->rule;
  const std::vector<Verb>& verbs = set_.rules[rule].rule.clauses[clause].verbs;
  if (hand_over_) {
    if (!verbs.empty()) hand_over_(number, plan(verbs, clause, found, now));
    return;
  }
  bool done = true;
  for (size_t i = 0; i < verbs.size(); ++i) {
    const bool instead = verbs[i].if_failed;
    if (instead && (done || !perform_)) continue;
    const bool succeeded = act_once({number, clause, i}, verbs[i], found, now);
    done = instead ? succeeded : succeeded && done;
  }
}

bool StrictReplay::act_once(const Place& of, const Verb& verb,
                            const std::vector<RuleBinding>& found, double now) {
  const auto last = acted_.find(of);
  if (last != acted_.end() && now < last->second.when + verb.hold_off) return last->second.done;
  Acted& acted = acted_[of] = {.when = now, .done = false};
  RuleAction action{.rule = static_cast<uint32_t>(std::get<0>(of)),
                    .when = now,
                    .verb = verb.name,
                    .text = text_of(verb, found)};
  if (action.text.empty()) return false;  // nothing is left of it
  writer_->put(action);
  acted.done = !perform_ || perform_(action);
  return acted.done;
}

// A text with selectors comes once a binding.
std::string StrictReplay::text_of(const Verb& verb, const std::vector<RuleBinding>& found) const {
  std::string out;
  const bool cleans = safe_shell_ && verb.name == "shell";
  for (const std::string& argument : verb.texts) {
    const std::vector<TextPiece> pieces = pieces_of(argument);
    const bool selects = pieces.size() > 1;
    const size_t times = selects ? found.size() : 1;
    for (size_t k = 0; k < times; ++k) {
      for (const TextPiece& piece : pieces) {
        if (piece.selector == 0) {
          out += piece.text;
          continue;
        }
        const std::string text = selected(piece.selector, found[k]);
        out += cleans ? shell_safe(text) : text;
      }
    }
  }
  return out;
}

std::string StrictReplay::connection_of(const std::optional<std::string>& host) const {
  if (!host) return "?";
  const auto at = static_cast<size_t>(std::ranges::find(hosts_, *host) - hosts_.begin());
  return at < connections_.size() ? connections_[at] : "?";
}

std::string StrictReplay::selected(char selector, const RuleBinding& binding) const {
  switch (selector) {
    case 'h': return binding.host.value_or("?");
    case 'i': return binding.instance.value_or("<%i undefined>");
    case 'c': return connection_of(binding.host);
    default: break;
  }
  if (binding.text) return *binding.text;
  const bool known = !binding.values.empty() && !std::isnan(binding.values.front());
  return known ? fmt::format("{}", binding.values.front()) : "?";
}

}  // namespace pmjit::strict
