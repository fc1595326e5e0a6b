// One round: the sampler's groups, the operands' observations, the tracks of every clock, the steps
// in order, the results. Then the last row of everything is carried to the next round.

#include "runtime/exec/evaluation.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "runtime/base/check.h"
#include "runtime/exec/gap_watch.h"
#include "runtime/exec/operands.h"
#include "runtime/exec/reasons.h"
#include "runtime/exec/results.h"
#include "runtime/exec/split.h"
#include "runtime/exec/state.h"

namespace pmjit {

namespace {

bool all_discrete(const Program& program) {
  return std::ranges::all_of(program.operands, [](const ProgramOperand& operand) {
    return operand.desc.semantics == Semantics::discrete;
  });
}

}  // namespace

struct Evaluation::State {
  State(std::shared_ptr<const Program> made, const Recording& source, Rosters& rosters,
        const EvaluationOptions& how)
      : options(how),
        names(source.catalog(), *made),
        exec{.program = std::move(made),
             .source = source,
             .names = names,
             .rosters = rosters,
             .step = how.step},
        split(*exec.program, rosters, how.step != 0),
        gaps(all_discrete(*exec.program)) {
    make_tracks();
    keep_orders();
    exec.meetings.resize(exec.program->slots.size());
    exec.last_use = last_uses(*exec.program);
    if (options.reasons) exec.reasons.resize(exec.program->slots.size());
  }

  void make_tracks();
  void keep_orders();
  void run_step(const Step& step);
  uint32_t track_for(const Clock& clock);
  Result<void> open();
  void start_tracks();
  void run_round(ResultBlock& block);
  void find_gaps(ResultBlock& block);
  void give_back_round(ResultBlock& block);
  void evaluate_constants(Stamp when, ResultBlock& block);
  void forget_rosters();

  EvaluationOptions options;
  MetNames names;
  ExecState exec;
  std::unique_ptr<Sampler> sampler;  // none: not opened yet, or no operand to read
  Round round;
  SplitWatch split;
  GapWatch gaps;
  std::optional<Error> failure;  // after the groups before it
  bool ended = false;
  std::vector<std::string> warnings;
};

Evaluation::Evaluation(std::shared_ptr<const Program> program, const Recording& source,
                       Rosters& rosters, const EvaluationOptions& options)
    : state_(std::make_unique<State>(std::move(program), source, rosters, options)) {}

Evaluation::~Evaluation() = default;

void Evaluation::State::make_tracks() {
  const Program& program = *exec.program;
  exec.series.resize(program.slots.size());
  // Single operands first: the tracks of expressions over several are made from theirs.
  for (uint32_t i = 0; i < program.operands.size(); ++i) track_for({i});
  for (const Slot& slot : program.slots) {
    exec.track_of.push_back(slot.clock.empty() ? kNoIndex : track_for(slot.clock));
  }
}

// Where instances meet by the order in which they were delivered.
void Evaluation::State::keep_orders() {
  exec.sets.resize(exec.program->slots.size());
  for (const Step& step : exec.program->steps) {
    if (step.kind != StepKind::sets) continue;
    for (const StepInput& input : step.inputs) {
      exec.series_of(input.slot).keeps_order = exec.slot(input.slot).has_lanes;
    }
  }
}

uint32_t Evaluation::State::track_for(const Clock& clock) {
  for (uint32_t i = 0; i < exec.tracks.size(); ++i) {
    if (exec.tracks[i].clock() == clock) return i;
  }
  const bool discrete = std::ranges::all_of(clock, [&](uint32_t operand) {
    return exec.program->operands[operand].desc.semantics == Semantics::discrete;
  });
  exec.tracks.emplace_back(clock, discrete);
  return static_cast<uint32_t>(exec.tracks.size() - 1);
}

Result<void> Evaluation::State::open() {
  FetchPlan plan{.rows_max = options.block_rows};
  std::vector<bool> discrete;
  for (const ProgramOperand& operand : exec.program->operands) {
    plan.metrics.emplace_back(operand.desc.pmid, operand.between);
    discrete.push_back(operand.desc.semantics == Semantics::discrete);
  }
  auto cursor = exec.source.open(plan, exec.rosters);
  if (!cursor) return fail(cursor.error());
  sampler = std::make_unique<Sampler>(std::move(*cursor), std::move(discrete), options.step == 0);
  return {};
}

void Evaluation::State::start_tracks() {
  const auto operands = static_cast<uint32_t>(exec.program->operands.size());
  for (uint32_t i = 0; i < operands; ++i) exec.tracks[i].start_round(round, round.operands[i]);
  for (size_t i = operands; i < exec.tracks.size(); ++i) {
    std::vector<const Track*> parts;
    for (uint32_t operand : exec.tracks[i].clock()) parts.push_back(&exec.tracks[operand]);
    exec.tracks[i].start_round(round, parts);
  }
}

void Evaluation::State::run_step(const Step& step) {
  switch (step.kind) {
    case StepKind::lanes: return run_lanes(exec, step);
    case StepKind::reduce: return run_reduce(exec, step);
    case StepKind::select: return run_select(exec, step);
    case StepKind::scalar: return run_scalar(exec, step);
    case StepKind::sets: return run_sets(exec, step, round);
    case StepKind::matching: return run_matching(exec, step);
    case StepKind::known: return run_known(exec, step);
    case StepKind::proven: return run_proven(exec, step);
    case StepKind::nobody: return run_nobody(exec, step);
    case StepKind::encode: return run_encode(exec, step);
    case StepKind::decode: return run_decode(exec, step);
    case StepKind::equals: return run_equals(exec, step);
    case StepKind::spread: return run_spread(exec, step, round);
    case StepKind::meet: return run_meet(exec, step, round);
  }
}

void Evaluation::State::run_round(ResultBlock& block) {
  const Program& program = *exec.program;
  start_tracks();
  for (uint32_t i = 0; i < program.operands.size(); ++i) {
    take_observations(exec, program.operands[i], round.operands[i]);
  }
  for (const Step& step : program.steps) run_step(step);
  for (uint32_t i = 0; i < exec.series.size(); ++i) {
    if (!exec.constant(SlotId{{i}})) exec.series[i].keep_last(exec.rosters);
  }
  find_reasons(exec, round);
  assemble(exec, round, options, block);
  if (options.gaps) find_gaps(block);
  for (Series& series : exec.series) series.end_round();
  for (SlotReasons& reasons : exec.reasons) reasons.end_round();
  for (Track& track : exec.tracks) track.end_round();
}

// Of the groups that are in the window, as results are.
void Evaluation::State::find_gaps(ResultBlock& block) {
  for (const Group& group : round.groups) {
    const bool follows = gaps.follows_gap(group);
    if (group.t >= options.from && group.t <= options.to) block.after_gap.push_back(follows);
  }
}

// All memory of the last round goes back the way it came, to where records are decoded: there it
// is in the processor's caches, and of the thread that filled it.
void Evaluation::State::give_back_round(ResultBlock& block) {
  if (round.operands.empty()) return;
  take_back_results(exec, block);
  for (uint32_t i = 0; i < round.operands.size(); ++i) {
    give_back_observations(exec, exec.program->operands[i], round.operands[i]);
  }
}

void Evaluation::State::evaluate_constants(Stamp when, ResultBlock& block) {
  round.groups = {Group{.t = when}};
  for (const Step& step : exec.program->steps) {
    run_step(step);
    exec.series_of(step.out).keep_last(exec.rosters);
    exec.series_of(step.out).end_round();
  }
  find_reasons(exec, round);
  assemble(exec, round, options, block);
  if (options.gaps) find_gaps(block);
}

// Between rounds: nothing of the last one is needed but what is kept here.
void Evaluation::State::forget_rosters() {
  if (options.keeps_rosters || !exec.rosters.crowded()) return;
  for (const Series& series : exec.series) series.keep_rosters(exec.rosters);
  split.keep_rosters();
  if (sampler) sampler->keep_rosters(exec.rosters);
  exec.rosters.forget_others();
}

Result<bool> Evaluation::next(ResultBlock& block) {
  State& s = *state_;
  s.give_back_round(block);
  s.forget_rosters();
  block.clear();
  if (s.failure) return fail(*s.failure);
  if (s.ended) return false;
  if (s.options.before_block) s.options.before_block();
  if (s.exec.program->operands.empty()) {
    s.ended = true;
    // There is one evaluation, at the start of the window.
    s.evaluate_constants(std::max(s.options.from, s.exec.source.start()), block);
    return true;
  }
  if (!s.sampler) {
    if (auto opened = s.open(); !opened) return fail(opened.error());
  }
  while (true) {
    auto more = s.sampler->next(s.round);
    s.warnings = s.sampler->warnings();
    EvaluationStats& stats = s.exec.stats;
    stats.bytes = s.sampler->bytes();
    stats.records = s.sampler->records();
    stats.values_decoded = s.sampler->values();
    stats.source_s = s.sampler->source_s();
    if (!more) return fail(more.error());
    if (!*more) {
      s.ended = true;
      return false;
    }
    // The first group beyond the window ends the evaluation, wherever blocks end, be it one that
    // cannot be evaluated.
    const auto all = static_cast<std::ptrdiff_t>(s.round.groups.size());
    const auto beyond =
        std::ranges::find_if(s.round.groups,
                             [&](const Group& group) { return group.t > s.options.to; }) -
        s.round.groups.begin();
    s.failure = s.split.cut(s.round);
    s.ended = beyond < all && beyond <= static_cast<std::ptrdiff_t>(s.round.groups.size());
    if (s.ended) s.failure.reset();
    const auto begin = std::chrono::steady_clock::now();
    s.run_round(block);
    stats.eval_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    stats.groups += block.times.size();
    if (!block.times.empty()) return true;
    if (s.failure) return fail(*s.failure);
    if (s.ended) return false;
    s.give_back_round(block);
    block.clear();
  }
}

void Evaluation::push(Stamp when, std::span<Column> observed, ResultBlock& block) {
  State& s = *state_;
  s.give_back_round(block);
  block.clear();
  if (observed.empty()) return s.evaluate_constants(when, block);
  s.round.groups = {Group{.t = when}};
  s.round.operands.resize(observed.size());
  for (size_t i = 0; i < observed.size(); ++i) {
    std::swap(s.round.operands[i].column, observed[i]);
    s.round.operands[i].limits = {AgeLimit{}};
  }
  s.run_round(block);
}

const EvaluationStats& Evaluation::stats() const { return state_->exec.stats; }
uint64_t Evaluation::lanes_of(const ResultBlock& block) const {
  uint64_t lanes = 0;
  for (const Column& column : block.columns) {
    for (const Row& row : column.rows) {
      if (row.status == kKnown) lanes += state_->exec.rosters.size(row.roster_id);
    }
  }
  return lanes;
}
const Catalog& Evaluation::names() const { return state_->names; }
void Evaluation::forget_rosters() { state_->forget_rosters(); }
bool Evaluation::is_guest(InDomId domain, int32_t instance) const {
  return state_->names.is_guest(domain, instance);
}
double Evaluation::done() const { return state_->sampler ? state_->sampler->done() : 0; }
const std::vector<std::string>& Evaluation::warnings() const { return state_->warnings; }

}  // namespace pmjit
