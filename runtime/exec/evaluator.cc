// One wave: the operands' observations, the tracks of every clock, the steps in order, the results.
// Then the last row of everything is carried to the next wave, and those that a history may look
// back to.

#include "runtime/exec/evaluator.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <utility>

#include "runtime/base/result.h"
#include "runtime/exec/gap_watch.h"
#include "runtime/exec/state.h"

namespace pmjit {

namespace {

bool all_discrete(const Program& program) {
  return std::ranges::all_of(program.operands, [](const ProgramOperand& operand) {
    return operand.desc.semantics == Semantics::discrete;
  });
}

// Of each slot: does a step look back from one of its rows to those before?
std::vector<bool> with_history(const Program& program) {
  std::vector<bool> out(program.slots.size());
  for (const Step& step : program.steps) {
    for (const StepInput& input : step.inputs) {
      if (input.kind == StepInput::Kind::before) out[input.slot.index] = true;
    }
  }
  return out;
}

// What knows one list of instances per row, or has a history of its own.
bool knows_one_host(const Step& step) { return step.kind != StepKind::lanes || step.picks; }

bool of_several_hosts(const Wave& wave) {
  return std::ranges::any_of(wave.operands,
                             [](const Observations& each) { return !each.segments.empty(); });
}

}  // namespace

struct Evaluator::State {
  State(std::shared_ptr<const Program> made, const Catalog& catalog, Rosters& rosters,
        const EvaluationOptions& how)
      : options(how),
        names(catalog, *made),
        exec{.program = std::move(made),
             .catalog = catalog,
             .names = names,
             .rosters = rosters,
             .step = how.step,
             .hosts = how.hosts},
        gaps(all_discrete(*exec.program)) {
    make_tracks();
    keep_orders();
    check(options.hosts.empty() || !options.reasons, "reasons of rows of many hosts");
    exec.meetings.resize(exec.program->slots.size());
    exec.last_use = last_uses(*exec.program);
    exec.looks_back = with_history(*exec.program);
    if (options.reasons) exec.reasons.resize(exec.program->slots.size());
    if (!exec.hosts.empty()) follow_hosts();
  }

  void make_tracks();
  void keep_orders();
  void follow_hosts();
  void keep_rows(SlotId slot);
  void run_step(const Step& step, const Wave& wave);
  uint32_t make_track(const Updaters& clock);
  void evaluate(Wave& wave, ResultBlock& block);
  void evaluate_constants(const Wave& wave, ResultBlock& block);
  void end_wave();
  void forget_wave(SharedTracks tracks, const GapWatch& gaps_before);
  void find_gaps(const Wave& wave, ResultBlock& block);

  EvaluationOptions options;
  MetNames names;
  ExecState exec;
  GapWatch gaps;
};

Evaluator::Evaluator(std::shared_ptr<const Program> program, const Catalog& catalog,
                     Rosters& rosters, const EvaluationOptions& options)
    : state_(std::make_unique<State>(std::move(program), catalog, rosters, options)) {}

Evaluator::~Evaluator() = default;

void Evaluator::State::make_tracks() {
  const Program& program = *exec.program;
  exec.series.resize(program.slots.size());
  exec.observed.resize(program.slots.size());
  for (const ProgramOperand& operand : program.operands) exec.observed[operand.slot.index] = true;
  exec.tracks.expect(program.operands.size());
  // Single operands first: the tracks of expressions over several are made from theirs.
  std::map<Updaters, uint32_t> made;
  const auto track_of = [&](const Updaters& clock) {
    const auto [place, is_new] = made.try_emplace(clock);
    if (is_new) place->second = make_track(clock);
    return place->second;
  };
  for (uint32_t i = 0; i < program.operands.size(); ++i) track_of({i});
  for (const Slot& slot : program.slots) {
    exec.track_of.push_back(slot.clock.empty() ? kNoIndex : track_of(slot.clock));
  }
}

void Evaluator::State::follow_hosts() {
  for (uint32_t i = 0; i < exec.program->slots.size(); ++i) {
    if (!exec.looks_back[i] || exec.track_of[i] == kNoIndex) continue;
    exec.tracks.follow_hosts(exec.track_of[i], exec.hosts.size());
  }
}

// Where instances meet by the order in which they were delivered.
void Evaluator::State::keep_orders() {
  exec.sets.resize(exec.program->slots.size());
  exec.stats.sets.resize(exec.program->slots.size());
  for (const Step& step : exec.program->steps) {
    if (step.kind != StepKind::sets) continue;
    exec.sets[step.out.index].resize(std::max<size_t>(1, exec.hosts.size()));
    for (const StepInput& input : step.inputs) {
      exec.series_of(input.slot).keeps_order = exec.slot(input.slot).has_lanes;
    }
  }
}

uint32_t Evaluator::State::make_track(const Updaters& clock) {
  const bool discrete = std::ranges::all_of(clock, [&](uint32_t operand) {
    return exec.program->operands[operand].desc.semantics == Semantics::discrete;
  });
  return exec.tracks.add(clock, discrete);
}

void Evaluator::State::run_step(const Step& step, const Wave& wave) {
  switch (step.kind) {
    case StepKind::lanes: return run_lanes(exec, step);
    case StepKind::reduce: return run_reduce(exec, step);
    case StepKind::reduce_hosts: return run_reduce_hosts(exec, step);
    case StepKind::select: return run_select(exec, step);
    case StepKind::scalar: return run_scalar(exec, step);
    case StepKind::sets: return run_sets(exec, step, wave);
    case StepKind::matching: return run_matching(exec, step);
    case StepKind::known: return run_known(exec, step);
    case StepKind::proven: return run_proven(exec, step);
    case StepKind::nobody: return run_nobody(exec, step);
    case StepKind::encode: return run_encode(exec, step);
    case StepKind::decode: return run_decode(exec, step);
    case StepKind::equals: return run_equals(exec, step);
    case StepKind::spread: return run_spread(exec, step, wave);
    case StepKind::meet: return run_meet(exec, step, wave);
  }
}

// What later waves need of this one. Of many hosts each wave has all operands of its rows.
void Evaluator::State::keep_rows(SlotId slot) {
  Series& series = exec.series_of(slot);
  if (exec.constant(slot)) return;
  if (exec.rows_of_hosts.empty()) return series.keep(exec.oldest_needed(slot), exec.rosters);
  if (!exec.looks_back[slot.index]) return;
  series.keep_of_hosts(exec.rows_of_hosts, exec.hosts.size(), exec.rosters);
}

void Evaluator::State::evaluate(Wave& wave, ResultBlock& block) {
  const Program& program = *exec.program;
  exec.rows_of_hosts = wave.hosts;
  exec.plain_rows = {};
  exec.even_rows.clear();
  exec.even_lists = {};
  exec.result_rows = {};
  exec.even.assign(program.slots.size(), ExecState::Even::unknown);
  exec.tracks.start_round(wave);
  for (uint32_t i = 0; i < program.operands.size(); ++i) {
    take_observations(exec, program.operands[i], wave.operands[i]);
  }
  for (const Step& step : program.steps) run_step(step, wave);
  for (uint32_t i = 0; i < exec.series.size(); ++i) keep_rows(SlotId{{i}});
  find_reasons(exec, wave);
  assemble(exec, wave, options, block);
  if (options.gaps) find_gaps(wave, block);
}

void Evaluator::State::end_wave() {
  for (Series& series : exec.series) series.end_round();
  for (SlotReasons& reasons : exec.reasons) reasons.end_round();
  exec.tracks.end_round();
}

// As if it had not been: the next wave has it all again.
void Evaluator::State::forget_wave(SharedTracks tracks, const GapWatch& gaps_before) {
  for (Series& series : exec.series) series.forget_round();
  for (SlotReasons& reasons : exec.reasons) reasons.forget_round();
  exec.tracks = std::move(tracks);
  gaps = gaps_before;
}

// Of the groups that are in the window, as results are.
void Evaluator::State::find_gaps(const Wave& wave, ResultBlock& block) {
  for (const Group& group : wave.groups) {
    const bool follows = gaps.follows_gap(group);
    if (group.t >= options.from && group.t <= options.to) block.after_gap.push_back(follows);
  }
}

void Evaluator::State::evaluate_constants(const Wave& wave, ResultBlock& block) {
  for (const Step& step : exec.program->steps) {
    run_step(step, wave);
    exec.series_of(step.out).keep_last(exec.rosters);
    exec.series_of(step.out).end_round();
  }
  find_reasons(exec, wave);
  assemble(exec, wave, options, block);
  if (options.gaps) find_gaps(wave, block);
}

std::vector<WantedMetric> wanted_by(const Program& program) {
  std::vector<WantedMetric> out;
  for (const ProgramOperand& operand : program.operands) {
    out.emplace_back(operand.desc.pmid, operand.between,
                     operand.desc.semantics == Semantics::discrete);
  }
  return out;
}

std::optional<Error> refuses_hosts(const Program& program) {
  const auto what_is = [](const Step& step) {
    return Error(Fault::unsupported,
                 fmt::format("{}: not evaluated over several hosts at once yet", step.text));
  };
  const auto found = std::ranges::find_if(program.steps, knows_one_host);
  if (found != program.steps.end()) return what_is(*found);
  for (const Step& step : program.steps) {
    bool singular = false, lanes = false;
    for (const StepInput& input : step.inputs) {
      if (!input.slot.known() || program.slots[input.slot].clock.empty()) continue;
      (program.slots[input.slot].has_lanes ? lanes : singular) = true;
    }
    if (singular && lanes) return what_is(step);
  }
  return std::nullopt;
}

std::optional<Error> refuses_rows_of_hosts(const Program& program) {
  const auto found = std::ranges::find_if(program.steps, [](const Step& step) {
    return step.kind == StepKind::meet || step.kind == StepKind::reduce_hosts;
  });
  if (found == program.steps.end()) return std::nullopt;
  return Error(Fault::unsupported,
               fmt::format("{}: not evaluated over many hosts at once yet", found->text));
}

void Evaluator::step(Wave& wave, ResultBlock& results) {
  State& s = *state_;
  results.clear();
  check(wave.operands.size() == s.exec.program->operands.size(), "a wave has every operand");
  if (wave.operands.empty()) return s.evaluate_constants(wave, results);
  check(wave.hosts.size() <= s.exec.hosts.size() && (wave.hosts.empty() || wave.last),
        "a wave of the hosts that are evaluated");
  const bool of_one = wave.last && !of_several_hosts(wave);
  check(of_one || !refuses_hosts(*s.exec.program), "a program for several hosts");
  const Stopwatch watch(s.options.clock, s.exec.stats.eval_s);
  if (wave.last) {
    s.evaluate(wave, results);
    s.end_wave();
  } else {
    SharedTracks tracks = s.exec.tracks;
    const GapWatch gaps = s.gaps;
    s.evaluate(wave, results);
    s.forget_wave(std::move(tracks), gaps);
  }
  s.exec.stats.groups += results.times.size();
}

// There it is in the processor's caches, and of the thread that filled it.
void Evaluator::give_back(Wave& wave, ResultBlock& results) {
  State& s = *state_;
  if (wave.operands.empty()) return;
  take_back_results(s.exec, results);
  for (uint32_t i = 0; i < wave.operands.size(); ++i) {
    give_back_observations(s.exec, s.exec.program->operands[i], wave.operands[i]);
  }
}

void Evaluator::keep_rosters() const {
  for (const Series& series : state_->exec.series) series.keep_rosters(state_->exec.rosters);
}

const EvaluationStats& Evaluator::stats() const { return state_->exec.stats; }
const Catalog& Evaluator::names() const { return state_->names; }
bool Evaluator::is_guest(InDomId domain, int32_t instance) const {
  return state_->names.is_guest(domain, instance);
}

}  // namespace pmjit
