#include "rules/state/state_writer.h"

#include <iterator>
#include <set>
#include <tuple>
#include <utility>

namespace pmjit {

namespace {

constexpr auto kBetweenCompactions = std::chrono::hours(1);

template <class T>
void move_behind(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::move_iterator(from.begin()), std::move_iterator(from.end()));
}

// Of rows with one key the last is kept.
template <class T, class KeyOf>
void replace_by_later(std::vector<T>& rows, std::vector<T>& later, KeyOf key_of) {
  if (!rows.empty() && !later.empty()) {
    std::set<decltype(key_of(later.front()))> newer;
    for (const T& row : later) newer.insert(key_of(row));
    std::erase_if(rows, [&](const T& row) { return newer.contains(key_of(row)); });
  }
  move_behind(rows, later);
}

constexpr auto kItself = [](const auto& key) { return std::tie(key); };
constexpr auto kKeyOf = [](const auto& row) { return std::tie(row.key); };
constexpr auto kMessageOf = [](const auto& row) { return std::tie(row.sink, row.dedup); };
// An end is told although the alert has begun anew, and under labels that it has no more.
auto told_as(const StoredAlert& alert) {
  return std::tuple<const AlertKey&, const AlertLabels&, bool>(alert.key, alert.labels,
                                                               alert.ended.has_value());
}

}  // namespace

// What is gone and then there again, or the other way round, is as the later batch has it.
void StateBatch::append(StateBatch&& later) {
  for (const StoredAlert& alert : later.alerts) gone.erase(alert.key);
  std::erase_if(alerts, [&](const StoredAlert& alert) {
    return !alert.ended && later.gone.contains(alert.key);
  });
  replace_by_later(alerts, later.alerts, told_as);
  replace_by_later(kept, later.kept, kKeyOf);
  gone.merge(later.gone);
  replace_by_later(acknowledged, later.acknowledged, kItself);
  replace_by_later(holds, later.holds, kKeyOf);
  replace_by_later(holds_gone, later.holds_gone, kItself);
  replace_by_later(outcomes, later.outcomes, kMessageOf);
  move_behind(history, later.history);
  move_behind(messages, later.messages);
}

void StateBatch::drop_finished_messages() {
  using Message = decltype(kMessageOf(messages.front()));
  std::set<Message> finished;
  for (const OutboxOutcome& outcome : outcomes) {
    if (outcome.state != OutboxOutcome::State::waiting) finished.insert(kMessageOf(outcome));
  }
  std::set<std::tuple<std::string, std::string>> dropped;
  std::erase_if(messages, [&](const OutboxMessage& message) {
    const bool is_finished = finished.contains(kMessageOf(message));
    if (is_finished) dropped.emplace(message.sink, message.dedup);
    return is_finished;
  });
  std::erase_if(outcomes, [&](const OutboxOutcome& outcome) {
    return dropped.contains({outcome.sink, outcome.dedup});
  });
}

StateWriter::StateWriter(StateStore& store, const Clock& clock, Hooks hooks, Patience patience)
    : store_(store),
      clock_(clock),
      hooks_(std::move(hooks)),
      patience_(patience),
      compacts_(clock.now()),
      thread_([this] { run(); }) {}

void StateWriter::post(StateBatch batch) {
  const std::scoped_lock lock(mutex_);
  if (next_.size() + held_ > kStateEventsMost) batch.history.clear();
  next_.append(std::move(batch));
  ++posted_;
  changed_.notify_all();
}

bool StateWriter::commit_now(StateBatch batch) {
  std::unique_lock lock(mutex_);
  next_.append(std::move(batch));
  const uint64_t mine = ++posted_;
  changed_.notify_all();
  changed_.wait(lock, [&] { return settled_ >= mine; });
  return written_ >= mine;
}

size_t StateWriter::waiting() const {
  const std::scoped_lock lock(mutex_);
  return next_.size() + held_;
}

void StateWriter::stop() {
  {
    const std::scoped_lock lock(mutex_);
    stops_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

void StateWriter::run() {
  for (;;) {
    uint64_t taken = 0;
    bool last = false;
    {
      std::unique_lock lock(mutex_);
      const bool any_left = untold_.size() + told_.size() > 0;
      changed_.wait_for(lock, any_left ? patience_.again : kBetweenCompactions,
                        [&] { return stops_ || posted_ != settled_; });
      untold_.append(std::exchange(next_, {}));
      taken = posted_;
      last = stops_;
    }
    commit();
    {
      const std::scoped_lock lock(mutex_);
      settled_ = taken;
      if (!failing_since_) written_ = taken;
      held_ = untold_.size() + told_.size();
      changed_.notify_all();
    }
    compact_if_due();
    if (last) return;
  }
}

// What was told already goes first, for it is older.
void StateWriter::commit() {
  if (!write(told_)) return tell_anyway();
  if (!write(untold_)) return tell_anyway();
  failing_since_.reset();
  if (hooks_.committed && untold_.size() > 0) hooks_.committed(untold_);
  told_ = {};
  untold_ = {};
}

bool StateWriter::write(StateBatch& batch) {
  if (batch.size() == 0) return true;
  const Instant began = clock_.now();
  if (const auto done = store_.commit(batch); !done) {
    if (!failing_since_) failing_since_ = began;
    if (hooks_.failed) hooks_.failed(done.error());
    return false;
  }
  if (hooks_.timed) hooks_.timed(clock_.now() - began);
  if (&batch == &told_) told_ = {};
  return true;
}

void StateWriter::tell_anyway() {
  if (clock_.now() - *failing_since_ < patience_.told_anyway) return;
  if (hooks_.committed && untold_.size() > 0) hooks_.committed(untold_);
  told_.append(std::exchange(untold_, {}));
  if (told_.size() > kStateEventsMost) told_.drop_finished_messages();
}

void StateWriter::compact_if_due() {
  if (failing_since_ || clock_.now() < compacts_) return;
  compacts_ = clock_.now() + kBetweenCompactions;
  if (const auto done = store_.compact(); !done && hooks_.failed) hooks_.failed(done.error());
}

}  // namespace pmjit
