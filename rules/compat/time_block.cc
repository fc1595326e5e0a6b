#include "rules/compat/time_block.h"

#include <algorithm>
#include <numeric>
#include <thread>

#include "rules/compat/evaluator.h"
#include "rules/compat/fetcher.h"
#include "runtime/base/file.h"
#include "runtime/sched/ordered_work.h"

namespace pmjit::pmie {

namespace {

// Sets of more elements are decided by extremes (core_proofs.h), mostly without a look at each.
constexpr size_t kSpanMax = 32;

// What it costs to take a piece is little beside so many.
constexpr size_t kPiecesAtOnce = 8;

bool is_constant(const PmieNode& node) { return node.op == PmieOp::constant; }

Guard check_fetch(size_t span, bool has_rows) {
  if (has_rows) return Guard::held;
  if (span == 0) return Guard::empty;
  return span > kSpanMax ? Guard::many : Guard::changes;
}

// Of a fold over hosts: are there fewer elements than hosts?
bool reads_on(const NodeState& of) { return static_cast<int64_t>(of.span()) < of.shape.hosts; }

// The code of truth of its first element.
double first_of(const Samples& of) {
  return of.valid() > 0 && of.span() > 0 ? *of.sample(0) : kUnknown;
}

}  // namespace

TimeBlock::TimeBlock(const RuleProgram& program, const Sharing& sharing,
                     std::span<const uint32_t> roots, const Threads& threads)
    : program_(program),
      sharing_(sharing),
      threads_(threads),
      roots_(roots.begin(), roots.end()),
      range_{program.nodes[roots.front()].first, roots.back() + 1},
      place_(range_.end - range_.begin, kNone),
      guards_(place_.size(), Guard::held),
      constants_(place_.size()) {
  const std::vector<bool> may = find_columns(program, sharing, range_);
  for (const uint32_t root : roots) {
    for (uint32_t i = program.nodes[root].first; i <= root; ++i) {
      if (!may[i - range_.begin] || is_constant(program.nodes[i])) continue;
      if (program.nodes[i].op == PmieOp::fetch) fetches_.push_back(i);
      nodes_.push_back(i);
    }
  }
}

bool TimeBlock::has_operand(uint32_t operand) const {
  if (operand == kNone) return true;
  const uint32_t index = sharing_.nodes[operand];
  return has(index) || is_constant(program_.nodes[index]);
}

bool TimeBlock::begin(PmieEvaluator& at, Fetcher& fetcher, size_t times,
                      const std::function<bool()>& stop) {
  for (const uint32_t node : columns_) place_[node - range_.begin] = kNone;
  columns_.clear();
  lists_ = false;
  times_ = times;
  at_ = 0;
  // What was put off is made now: threads only look.
  for (const uint32_t index : nodes_) static_cast<void>(at.state(index));
  std::vector<std::unique_ptr<FetchedTimes>> fetched(fetches_.size());
  share(fetched.size(), elements_before_,
        [&](OrderedWork&, size_t i) { fetched[i] = find_fetched(at, fetcher, fetches_[i]); });
  size_t elements = 0;
  for (auto next = fetched.begin(); const uint32_t index : nodes_) {
    const bool is_fetch = program_.nodes[index].op == PmieOp::fetch;
    auto* const found = is_fetch ? &*next++ : nullptr;
    const bool has_rows = found != nullptr && *found != nullptr;
    guard_of(index) =
        is_fetch ? check_fetch(at.state(index).span(), has_rows) : check_column(at, index);
    if (guard_of(index) != Guard::held) continue;
    NodeColumn& column = add_column(at, index);
    if (is_fetch) column.fetched = std::move(*found);
    elements += column.span * times_;
  }
  const auto caller = std::this_thread::get_id();
  share(columns_.size(), elements, [&](OrderedWork& work, size_t place) {
    if (std::this_thread::get_id() == caller && stop()) throw ReadingStopped();
    const PmieNode& node = program_.nodes[columns_[place]];
    for (const uint32_t operand : {node.left, node.op == PmieOp::rule ? kNone : node.right}) {
      if (operand == kNone || !has(sharing_.nodes[operand])) continue;
      work.wait_for(kept_place(sharing_.nodes[operand]));
    }
    compute(at, fetcher.wraps(), columns_[place]);
  });
  elements_before_ = elements;
  elements_done_ += elements;
  return !columns_.empty();
}

// Pieces of work of a block of so many elements.
void TimeBlock::share(size_t pieces, size_t elements,
                      const std::function<void(OrderedWork&, size_t)>& piece) const {
  InlineExecutor alone;
  Executor& executor = threads_.executor != nullptr ? *threads_.executor : alone;
  const bool pays = elements_done_ >= threads_.from.elements;
  const size_t threads =
      pays ? std::min<size_t>(elements / threads_.from.a_thread, executor.threads()) : 1;
  OrderedWork work(
      executor,
      {.pieces = pieces, .at_once = kPiecesAtOnce, .threads = static_cast<unsigned>(threads)},
      [&](size_t i) { piece(work, i); });
  work.run();
}

std::unique_ptr<FetchedTimes> TimeBlock::find_fetched(PmieEvaluator& at, const Fetcher& fetcher,
                                                      uint32_t index) const {
  const PmieNode& node = program_.nodes[index];
  FetchState& state = at.fetched(node.fetch);
  const size_t span = at.state(index).span();
  if (span == 0 || span > kSpanMax || span != count_elements(state)) return nullptr;
  auto found = fetcher.times_of(program_.fetches[node.fetch], state, times_);
  return found ? std::make_unique<FetchedTimes>(*std::move(found)) : nullptr;
}

Guard TimeBlock::check_column(PmieEvaluator& at, uint32_t index) {
  const PmieNode& node = program_.nodes[index];
  if (!has_operand(node.left)) return guard_of(sharing_.nodes[node.left]);
  const bool is_rule = node.op == PmieOp::rule;
  if (!is_rule && !has_operand(node.right)) return guard_of(sharing_.nodes[node.right]);
  if (at.state(index).span() == 0) return Guard::empty;
  if (node.dim == Dim::host && reads_on(at.state(node.left))) return Guard::hosts;
  for (const uint32_t operand : {node.left, node.right}) {
    if (operand != kNone && is_constant(program_.nodes[operand])) {
      constant(sharing_.nodes[operand]) = &at.state(operand);
    }
  }
  return Guard::held;
}

void TimeBlock::list_visits(bool changes) {
  lists_ = std::ranges::any_of(roots_, [this](uint32_t root) { return has(root); });
  if (!lists_) return;
  untrue_.assign(times_, {});
  evenly_ = {};
  found_.clear();
  for (uint32_t place = 0; place < roots_.size(); ++place) {
    if (has(roots_[place])) {
      find_visits(place, changes);
    } else {
      for (uint32_t t = 0; t < times_; ++t) found_.push_back({t, {place, true, true}});
    }
  }
  from_.assign(times_ + 2, 0);  // of each time two places on, until it is filled
  for (const auto& [t, visit] : found_) ++from_[t + 2];
  std::partial_sum(from_.begin(), from_.end(), from_.begin());
  visits_.resize(found_.size());
  for (const auto& [t, visit] : found_) visits_[from_[t + 1]++] = visit;
}

// Of a statement that is a column.
void TimeBlock::find_visits(uint32_t place, bool changes) {
  const PmieNode& node = program_.nodes[roots_[place]];
  const bool is_rule = node.op == PmieOp::rule;
  if (!is_rule && (!changes || node.sem != Sem::truth)) return;
  const double* const codes = codes_of(is_rule ? node.left : roots_[place]);
  const bool acts = is_rule && std::find(codes, codes + times_, kTrue) != codes + times_;
  const bool is_even =
      std::count(codes, codes + times_, codes[0]) == static_cast<ptrdiff_t>(times_);
  if (is_even && !acts) {
    if (is_rule) ++(codes[0] == kUnknown ? evenly_.unknown : evenly_.no);
    if (changes) found_.push_back({0, {place, false, true}});
    return;
  }
  for (uint32_t t = 0; t < times_; ++t) {
    const bool is_true = is_rule && codes[t] == kTrue;
    const bool changed = changes && (t == 0 || codes[t] != codes[t - 1]);
    if (is_rule && !is_true) ++(codes[t] == kUnknown ? untrue_[t].unknown : untrue_[t].no);
    if (is_true || changed) found_.push_back({t, {place, is_true, changed}});
  }
}

// Of each time: the code of truth of a column's first element.
const double* TimeBlock::codes_of(uint32_t operand) {
  const uint32_t index = sharing_.nodes[operand];
  if (has(index) && column(index).all_valid && column(index).span == 1) {
    return column(index).now(0);
  }
  codes_.resize(times_);
  for (size_t t = 0; t < times_; ++t) codes_[t] = first_of(samples(index, t));
  return codes_.data();
}

// What stood in the ring before the first time.
TimeBlock::NodeColumn& TimeBlock::add_column(const PmieEvaluator& at, uint32_t index) {
  if (kept_.size() == columns_.size()) kept_.emplace_back();
  NodeColumn& out = kept_[columns_.size()];
  place_[index - range_.begin] = static_cast<uint32_t>(columns_.size());
  columns_.push_back(index);
  const NodeState& state = at.state(index);
  out.fetched.reset();
  out.span = state.span();
  out.held = state.held;
  out.newest = state.newest;
  out.valid_before = state.valid;
  return out;
}

// All that is read meanwhile is of columns before it, or changed by nobody.
void TimeBlock::compute(const PmieEvaluator& at, bool wraps, uint32_t index) {
  NodeColumn& out = column(index);
  const NodeState& state = at.state(index);
  const auto held = static_cast<size_t>(out.held);
  out.numbers.resize((held + times_) * out.span);
  out.stamps.resize(held + times_);
  for (size_t k = 0; k < held; ++k) {
    const size_t slot = state.slot(static_cast<int32_t>(held - 1 - k));
    std::copy_n(state.numbers.data() + slot * out.span, out.span,
                out.numbers.data() + k * out.span);
    out.stamps[k] = state.stamps[slot];
  }
  if (out.fetched != nullptr) return read(wraps, out);
  out.all_valid = evaluate_at_once(index, out);
  if (!out.all_valid) evaluate_each(at, index, out);
}

void TimeBlock::read(bool wraps, NodeColumn& out) const {
  std::vector<uint8_t> known(times_);
  out.all_valid = out.fetched->read(wraps, out.now(0), out.stamps.data() + out.held, known.data());
  if (out.all_valid) return;
  out.valid.resize(times_);
  int64_t valid = out.valid_before;
  for (size_t t = 0; t < times_; ++t) out.valid[t] = valid = known[t] != 0 ? valid + 1 : 0;
}

Samples TimeBlock::samples(uint32_t operand, size_t t) const {
  const uint32_t index = sharing_.nodes[operand];
  if (!has(index)) return Samples(constant(index));
  const NodeColumn& of = column(index);
  return {of.now(t),      of.stamps.data() + of.held + t, of.span, of.valid_at(t), of.held,
          of.newest_at(t)};
}

// Where all operands have values at all times, and the same number of elements or one: as if all
// times were elements.
bool TimeBlock::evaluate_at_once(uint32_t index, NodeColumn& out) const {
  const PmieNode& node = program_.nodes[index];
  const OpKind kind = kind_of(node.op);
  if (node.op == PmieOp::rule) return copy_at_once(node.left, out);
  const bool is_pair = node.right != kNone && (kind == OpKind::arithmetic ||
                                               kind == OpKind::relation || kind == OpKind::logic);
  if (!is_pair || out.span == 0) return false;
  Pairing pairing{.left_is_set = true, .right_is_set = true, .span = times_ * out.span};
  const double* from[2];
  const double* stamps[2] = {};
  for (const bool is_right : {false, true}) {
    const uint32_t operand = sharing_.nodes[is_right ? node.right : node.left];
    if (!has(operand)) {
      const NodeState& one = constant(operand);
      if (one.span() != 1 || (is_right ? node.right_is_set : node.left_is_set)) return false;
      (is_right ? pairing.right_is_set : pairing.left_is_set) = false;
      from[is_right] = one.sample(0);
      continue;
    }
    const NodeColumn& of = column(operand);
    const bool is_set = is_right ? node.right_is_set : node.left_is_set;
    if (!of.all_valid || of.span != out.span || (!is_set && out.span != 1)) return false;
    from[is_right] = of.now(0);
    stamps[is_right] = of.stamps.data() + of.held;
  }
  if (stamps[0] == nullptr && stamps[1] == nullptr) return false;
  if (kind == OpKind::logic) {
    connect_known(node.op, pairing, from[0], from[1], out.now(0));
  } else {
    pair_known_numbers(node.op, pairing, from[0], from[1], out.now(0));
  }
  double* const to = out.stamps.data() + out.held;
  // A constant's stamp is 0.
  const double* const one = stamps[0] != nullptr ? stamps[0] : stamps[1];
  const double* const other = stamps[1] != nullptr ? stamps[1] : stamps[0];
  for (size_t t = 0; t < times_; ++t) to[t] = std::max(one[t], other[t]);
  return true;
}

// A rule of a condition of one element.
bool TimeBlock::copy_at_once(uint32_t condition, NodeColumn& out) const {
  const uint32_t index = sharing_.nodes[condition];
  if (!has(index) || out.span != 1) return false;
  const NodeColumn& of = column(index);
  if (!of.all_valid || of.span != 1) return false;
  std::copy_n(of.now(0), times_, out.now(0));
  std::fill_n(out.stamps.data() + out.held, times_, out.stamps.front());
  return true;
}

void TimeBlock::evaluate_each(const PmieEvaluator& at, uint32_t index, NodeColumn& out) const {
  const PmieNode& node = program_.nodes[index];
  const PmieShape of = at.state(node.left).shape;
  AboutElements about{.names_match = {}, .counts = at.counts(index)};
  if (node.op == PmieOp::match_inst || node.op == PmieOp::nomatch_inst) {
    for (size_t i = 0; i < out.span; ++i) {
      about.names_match.push_back(at.name_matches(node, i) ? 1 : 0);
    }
  }
  int64_t valid = out.valid_before;
  out.valid.resize(times_);
  bool all_valid = true;
  for (size_t t = 0; t < times_; ++t) {
    // What is not written is what stood there.
    double* const now = out.now(t);
    std::copy_n(now - static_cast<size_t>(out.held) * out.span, out.span, now);
    out.stamps[static_cast<size_t>(out.held) + t] = out.stamps[t];
    const NewSample sample{
        .now = now, .stamp = &out.stamps[static_cast<size_t>(out.held) + t], .span = out.span};
    const bool known = evaluate_one(node, of, about, t, sample);
    valid = known ? valid + 1 : 0;
    out.valid[t] = valid;
    all_valid = all_valid && known;
  }
  out.all_valid = all_valid;
}

bool TimeBlock::evaluate_one(const PmieNode& node, const PmieShape& of, const AboutElements& about,
                             size_t t, NewSample out) const {
  const Samples left = samples(node.left, t);
  switch (node.op) {
    case PmieOp::delay: return delayed(node.delay, left, out);
    case PmieOp::rate:
    case PmieOp::rising:
    case PmieOp::falling: return change(node.op, left, out);
    case PmieOp::match_inst:
    case PmieOp::nomatch_inst:
      return match(left, of.insts, [&](size_t i) { return about.names_match[i] != 0; }, out);
    case PmieOp::rule: return copied(left, out);
    default: break;
  }
  switch (kind_of(node.op)) {
    case OpKind::aggregate:
    case OpKind::quantifier:
      if (node.dim == Dim::host) {
        return over_hosts(node, static_cast<size_t>(std::max(of.hosts, 0)), left, out);
      }
      if (node.dim == Dim::inst && of.hosts > 1) {
        return over_insts_of_hosts(node, about.counts, left, out);
      }
      return (node.dim == Dim::inst ? over_insts : over_samples)(node, of, left, out);
    case OpKind::logic:
      return connect(node, left, samples(node.right == kNone ? node.left : node.right, t), out);
    default: break;
  }
  return node.right == kNone ? signed_numbers(node.op, left, out)
                             : pair_numbers(node, left, samples(node.right, t), out);
}

void TimeBlock::settle(uint32_t node, NodeState& state) const {
  const NodeColumn& of = column(node);
  state.newest = of.newest_at(at_);
  state.valid = of.valid_at(at_);
  for (int32_t k = 0; k < of.held; ++k) {
    const size_t slot = state.slot(k);
    std::copy_n(of.now(at_) - static_cast<size_t>(k) * of.span, of.span,
                state.numbers.data() + slot * of.span);
    state.stamps[slot] = of.stamps[static_cast<size_t>(of.held - k) + at_];
  }
}

std::optional<bool> TimeBlock::holds(uint32_t node) const {
  return truth_of(first_of(samples(node, at_)));
}

}  // namespace pmjit::pmie
