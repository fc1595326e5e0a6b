#include "rules/strict/task.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <utility>

#include "compiler/strict_rules/tree.h"
#include "rules/strict/clock_feed.h"
#include "runtime/base/result.h"

namespace pmjit::strict {

namespace {

constexpr double kNanosASecond = 1e9;

template <class T>
double at(const Column& column, uint64_t i) {
  T value;
  std::memcpy(&value, column.values.data() + i * sizeof value, sizeof value);
  return static_cast<double>(value);
}

double number_at(const Column& column, uint64_t i) {
  switch (column.elem) {
    case Elem::i32: return at<int32_t>(column, i);
    case Elem::u32: return at<uint32_t>(column, i);
    case Elem::i64: return at<int64_t>(column, i);
    case Elem::u64: return at<uint64_t>(column, i);
    case Elem::f32: return at<float>(column, i);
    case Elem::f64: return at<double>(column, i);
    case Elem::truth: return at<uint8_t>(column, i);
    default: return std::numeric_limits<double>::quiet_NaN();
  }
}

std::string text_at(const Column& column, uint64_t i) {
  uint32_t index = 0;
  std::memcpy(&index, column.values.data() + i * sizeof index, sizeof index);
  return std::string(column.dictionary[index]);
}

bool holds(const Column& column, uint64_t i) {
  return column.is_valid(i) && column.values.data()[i] != std::byte{0};
}

}  // namespace

namespace {

// Is every mistake a metric that is not there?
bool only_lacks_metrics(const CompiledTask& task) {
  bool any = false;
  for (const Compilation::Report& report : task.made.reports) {
    for (const Diag& diag : report.diags.all()) {
      if (diag.severity != Severity::error) continue;
      any = true;
      if (diag.code != DiagCode::S_NoSuchMetric && diag.code != DiagCode::S_Unusable) return false;
    }
  }
  return any;
}

// Of a file with many tasks one report says it all.
void add_report(Compilation::Report report, std::vector<Compilation::Report>& to) {
  const auto same = std::ranges::find(
      to, report.source.name, [](const auto& one) -> const auto& { return one.source.name; });
  if (same == to.end()) return to.push_back(std::move(report));
  for (const Diag& diag : report.diags.all()) same->diags.append(diag);
}

// What is no mistake, and yet good to know where nobody asks for it as data.
void add_warnings(const std::vector<Compilation::Report>& reports,
                  std::vector<std::string>& notes) {
  for (const Compilation::Report& report : reports) {
    for (const Diag& diag : report.diags.all()) {
      if (diag.severity != Severity::warning) continue;
      const LineColumn at = line_column(report.source, diag.span.begin);
      std::string& note =
          notes.emplace_back(fmt::format("{}:{}: {}", report.source.name, at.line, diag.message));
      for (const std::string& help : diag.helps) note += "\n  help: " + help;
    }
  }
}

Result<Nanos> step_of(const TaskRules& rules) {
  const auto step = static_cast<Nanos>(std::llround(rules.delta * kNanosASecond));
  if (step > 0) return step;
  return fail(
      Error(Fault::usage, fmt::format("an interval of {} seconds is too short", rules.delta))
          .help("delta is at least a nanosecond"));
}

}  // namespace

Result<std::unique_ptr<Task>> Task::open(const RuleSet& set, TaskRules rules, const Feeds& feeds,
                                         const TaskOptions& options) {
  auto compiled = compile(set, rules, feeds, options);
  if (!compiled) return fail(compiled.error());
  return over(set, rules, *std::move(compiled), feeds, options);
}

Result<std::shared_ptr<const CompiledTask>> Task::compile(const RuleSet& set,
                                                          const TaskRules& rules,
                                                          const Feeds& feeds,
                                                          const TaskOptions& options) {
  const auto step = step_of(rules);
  if (!step) return fail(step.error());
  auto out = std::make_shared<CompiledTask>();
  if (rules.roots.empty()) {  // actions by themselves
    out->rules = rules.rules;
    for (TaskRule& rule : out->rules) rule.host = feeds.host();
    return out;
  }
  CompileOptions how = options.compile;
  how.on_grid = true;
  if (options.expect) how.expected = options.expect(*step);
  *out = compile_task(set, rules, feeds, options.definition_files, how);
  if (options.wrong != nullptr) {
    for (Compilation::Report& report : out->wrong) add_report(std::move(report), *options.wrong);
    out->wrong.clear();
  } else {
    add_warnings(out->wrong, out->notes);
  }
  if (out->errors.empty()) return out;
  return fail(only_lacks_metrics(*out) ? Fault::not_found : Fault::format, out->errors);
}

Result<std::unique_ptr<Task>> Task::over(const RuleSet& set, const TaskRules& rules,
                                         std::shared_ptr<const CompiledTask> compiled,
                                         const Feeds& feeds, const TaskOptions& options) {
  const auto step = step_of(rules);
  if (!step) return fail(step.error());
  std::unique_ptr<Task> out(new Task(options.origin, *step));
  out->compiled_ = std::move(compiled);
  out->program_ = out->compiled_->made.program;
  if (rules.roots.empty()) {
    out->ended_ = true;
    return out;
  }
  const RowsGrid grid{.feeds = feeds,
                      .origin = options.origin,
                      .end = options.end,
                      .step = *step,
                      .zone = options.zone};
  CompileOptions how = options.compile;
  how.on_grid = true;
  if (auto settled = out->settle(set, rules, grid, how); !settled) return fail(settled.error());
  out->row_catalogs_ = feeds.row_catalogs();
  out->may_begin_later_ = feeds.recorded() == nullptr;
  std::vector<uint32_t> judged;
  for (uint32_t root = 0; root < out->program_->roots.size(); ++root) {
    if (out->judges(root)) judged.push_back(root);
  }
  out->truths_.judge(std::move(judged));
  out->times_ =
      TaskRows::open(out->program_, grid,
                     {.block_rows = options.block_rows ? options.block_rows(*out->program_) : 0,
                      .reasons = options.compile.reasons,
                      .executor = options.executor});
  return out;
}

Result<void> Task::settle(const RuleSet& set, const TaskRules& rules, const RowsGrid& grid,
                          const CompileOptions& how) {
  settled_.resize(program_->roots.size());
  std::vector<ParsedRoot> constants;
  std::vector<size_t> roots;  // of the program
  for (size_t i = 0; i < rules.roots.size(); ++i) {
    const Ast& ast = *rules.roots[i].ast;
    const auto root = placed(i).of_host[0];
    if (varies(ast, ast.root) || !root || !judges(*root)) continue;
    constants.push_back(rules.roots[i]);
    roots.push_back(*root);
  }
  if (roots.empty()) return {};
  const Compilation made = compile_parsed(set.sources, constants, {}, grid.feeds.catalog(), how);
  check(made.ok(), "what was compiled among others is by itself, too");
  const auto once = TaskRows::in_one_go(made.program, grid, {});
  ResultBlock block;
  const auto next = once->next(block);
  if (!next) return fail(next.error());
  if (*next != Feed::Next::wave) return {};  // live, of a time to come: with the rows then
  BlockTruths truths;
  truths.take(block, once->rosters());
  for (size_t i = 0; i < roots.size(); ++i) settled_[roots[i]] = truths.at(i, 0);
  return {};
}

// At a time without a record of any metric nothing is known, and there is no row.
Result<Task::Advance> Task::advance() {
  const bool had_row = std::exchange(has_row_, false);
  while (!ended_ && row_ == block_.times.size()) {
    const auto next = times_->next(block_);
    if (!next) return fail(next.error());
    row_ = 0;
    ended_ = *next == Feed::Next::end;
    if (*next == Feed::Next::wave) {
      truths_.take(block_, times_->rosters());
      truths_.find_awake();
    } else {
      block_.clear();
    }
    if (*next == Feed::Next::nothing_yet) return Advance::waits;
  }
  if (std::exchange(may_begin_later_, false) && row_ < block_.times.size() &&
      block_.times[row_] > due_) {
    due_ = block_.times[row_];
    return Advance::begins_later;
  }
  const Stamp due = due_;
  due_ = stamp_from_nanos(nanos(due) + step_);
  now_ = due;
  if (row_ < block_.times.size() && block_.times[row_] == due) {
    has_row_ = true;
    ++row_;
  }
  follows_ = had_row && has_row_;
  return Advance::evaluated;
}

Result<Feed::Next> Task::next_wave() {
  row_ = 0;
  has_row_ = false;
  const auto next = times_->next(block_);
  if (next && *next == Feed::Next::wave) {
    truths_.take(block_, times_->rosters());
  } else {
    block_.clear();
  }
  ended_ = next && *next == Feed::Next::end;
  return next;
}

std::optional<HostId> Task::next_row() {
  has_row_ = row_ < block_.times.size();
  if (!has_row_) return std::nullopt;
  now_ = block_.times[row_];
  return block_.hosts[row_++];
}

const Catalog& Task::names() const {
  if (block_.hosts.empty()) return times_->names();
  return *row_catalogs_[block_.hosts[row_ - 1].index];
}

bool Task::judges(size_t root) const {
  const ResultInfo& info = program_->roots[root].info;
  return info.elem == Elem::truth && info.domain == kNullId;
}

RuleTruth Task::truth(size_t root) const {
  if (settled_[root]) return *settled_[root];
  return has_row_ ? truths_.at(root, row_ - 1) : RuleTruth::unknown;
}

std::optional<std::span<const uint32_t>> Task::awake() const {
  if (!follows_) return std::nullopt;
  return truths_.awake(row_ - 1);
}

std::optional<uint64_t> Task::place(size_t root, int32_t instance) const {
  const Column& column = block_.columns[root];
  const Row& row = column.rows[row_ - 1];
  const auto instances = times_->rosters().instances(row.roster_id);
  uint64_t lane = 0;
  if (program_->roots[root].info.domain != kNullId) {
    const auto found = std::ranges::lower_bound(instances, instance);
    lane = static_cast<uint64_t>(found - instances.begin());
    if (found != instances.end() && *found != instance) lane = instances.size();
  }
  if (row.status != kKnown || lane >= instances.size() || !column.is_valid(row.offset + lane)) {
    return std::nullopt;
  }
  return row.offset + lane;
}

std::vector<Lane> Task::lanes(const BindingRoots& roots) const {
  std::vector<Lane> out;
  find_lanes(roots, out);
  return out;
}

void Task::find_lanes(const BindingRoots& roots, std::vector<Lane>& out) const {
  out.clear();
  if (!has_row_) return;
  const Column& column = block_.columns[roots.set];
  const ResultInfo& info = program_->roots[roots.set].info;
  const Row& row = column.rows[row_ - 1];
  if (row.status != kKnown || info.elem != Elem::truth) return;
  const auto instances = times_->rosters().instances(row.roster_id);
  for (size_t i = 0; i < instances.size(); ++i) {
    if (!holds(column, row.offset + i)) continue;
    if (roots.first_only && !out.empty()) break;
    Lane& lane = out.emplace_back();
    if (info.domain != kNullId) {
      lane.instance = names().held_name(info.domain, instances[i], row.stamp);
    }
    lane.value = std::numeric_limits<double>::quiet_NaN();
    const auto at = roots.value ? place(*roots.value, instances[i]) : std::nullopt;
    if (!at) continue;
    const Column& values = block_.columns[*roots.value];
    if (values.elem == Elem::text) lane.text = text_at(values, *at);
    if (values.elem != Elem::text) lane.value = number_at(values, *at);
  }
}

RootValues Task::values(size_t root) const {
  const Column& column = block_.columns[root];
  const ResultInfo& info = program_->roots[root].info;
  const Row& row = column.rows[row_ - 1];
  RootValues out{.status = row.status};
  if (row.status != kKnown) return out;
  const auto instances = times_->rosters().instances(row.roster_id);
  for (size_t i = 0; i < instances.size(); ++i) {
    const uint64_t at = row.offset + i;
    LaneValue& lane = out.lanes.emplace_back();
    if (info.domain != kNullId) {
      lane.instance = names().held_name(info.domain, instances[i], row.stamp);
    }
    if (!column.is_valid(at)) {
      const bool asked = root < block_.reasons.size() && block_.reasons[root].contains(at);
      lane.reason = asked ? block_.reasons[root].at(at) : int32_t{kNoValue};
    } else if (column.elem == Elem::text) {
      lane.text = text_at(column, at);
    } else {
      lane.number = number_at(column, at);
    }
  }
  return out;
}

}  // namespace pmjit::strict
