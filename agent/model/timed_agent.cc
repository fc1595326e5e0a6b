#include "agent/model/timed_agent.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

struct TimedAgent::Call {
  std::function<void(Agent&)> run;
  bool done = false, given_up = false;
};

struct TimedAgent::Shared {
  explicit Shared(std::shared_ptr<Agent> with) : agent(std::move(with)) {}

  void work();
  void note(std::string line);

  const std::shared_ptr<Agent> agent;  // called by the thread alone, once there is one
  mutable std::mutex mutex;            // of everything below
  std::condition_variable queued, returned;
  std::deque<std::shared_ptr<Call>> queue;
  std::function<void()> when_fetched;
  bool has_thread = false, ended = false;
  uint32_t changes = 0;
  std::vector<std::string> notes;
  // Written as the rest is; each fetch of anybody reads them, without the lock.
  std::atomic<bool> late = false, has_notes = false;
};

void TimedAgent::Shared::note(std::string line) {
  notes.push_back(std::move(line));
  has_notes = true;
}

// The thread, until the end.
void TimedAgent::Shared::work() {
  std::unique_lock lock(mutex);
  while (true) {
    queued.wait(lock, [this] { return ended || !queue.empty(); });
    if (ended) return;
    const std::shared_ptr<Call> call = std::move(queue.front());
    queue.pop_front();
    if (call->given_up) {
      // Nothing hangs, for this thread is here: it was late itself.
      if (late.exchange(false)) note("answers again");
      continue;
    }
    lock.unlock();
    call->run(*agent);
    call->run = nullptr;  // what it holds is not kept longer
    const uint32_t found = agent->take_changes();
    std::vector<std::string> said = agent->take_notes();
    lock.lock();
    call->done = true;
    changes |= found;
    for (std::string& line : said) note(std::move(line));
    if (late.exchange(false)) note("answers again");
    returned.notify_all();
    if (when_fetched) when_fetched();
  }
}

TimedAgent::TimedAgent(std::shared_ptr<Agent> agent, std::chrono::milliseconds patience)
    : agent_(std::move(agent)), shared_(std::make_shared<Shared>(agent_)), patience_(patience) {}

TimedAgent::~TimedAgent() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->ended = true;
  shared_->when_fetched = nullptr;
  shared_->queued.notify_all();
}

bool TimedAgent::ready() const { return !shared_->late; }

void TimedAgent::when_fetched(std::function<void()> call) {
  const std::scoped_lock lock(shared_->mutex);
  shared_->when_fetched = std::move(call);
}

std::shared_ptr<TimedAgent::Call> TimedAgent::begin(std::function<void(Agent&)> run) {
  Shared& shared = *shared_;
  const std::scoped_lock lock(shared.mutex);
  if (shared.late) return nullptr;
  if (!shared.has_thread) {
    try {
      std::thread([self = shared_] { self->work(); }).detach();
    } catch (const std::system_error&) {  // the system has none left; the next call tries again
      return nullptr;
    }
    shared.has_thread = true;
  }
  auto call = std::make_shared<Call>(Call{.run = std::move(run)});
  shared.queue.push_back(call);
  shared.queued.notify_one();
  return call;
}

int TimedAgent::wait_for(Call* call) {
  if (call == nullptr) return pm_err::E_AGAIN;
  std::unique_lock lock(shared_->mutex);
  if (shared_->returned.wait_for(lock, patience_, [&] { return call->done; })) return 0;
  lock.unlock();
  return end_late(*call);
}

// 0: it has come after all.
int TimedAgent::end_late(Call& call) {
  const std::scoped_lock lock(shared_->mutex);
  if (call.done) return 0;
  call.given_up = true;
  if (shared_->late.exchange(true)) return pm_err::E_TIMEOUT;
  shared_->note(fmt::format("has not answered for {} ms: its metrics have no values until it does",
                            patience_.count()));
  return pm_err::E_TIMEOUT;
}

OrPmError<std::vector<AgentInstance>> TimedAgent::instances(InDomId indom,
                                                            const AgentAsker& asker) {
  const auto found = begun_instances_.find(asker.client);
  const bool was_begun = found != begun_instances_.end() && found->second.indom == indom;
  const BegunInstances asked = was_begun ? std::move(found->second) : begun(indom, asker);
  if (found != begun_instances_.end()) begun_instances_.erase(found);
  const int code = was_begun ? end_late(*asked.call) : wait_for(asked.call.get());
  if (code != 0) return pm_fail(code);
  return std::move(*asked.answer);
}

TimedAgent::BegunInstances TimedAgent::begun(InDomId indom, const AgentAsker& asker) {
  BegunInstances out{.indom = indom,
                     .answer = std::make_shared<OrPmError<std::vector<AgentInstance>>>(),
                     .call = nullptr};
  out.call = begin([indom, asker, answer = out.answer](Agent& agent) {
    *answer = agent.instances(indom, asker);
  });
  return out;
}

bool TimedAgent::begin_instances(InDomId indom, const AgentAsker& asker) {
  BegunInstances asked = begun(indom, asker);
  if (!asked.call) return false;
  begun_instances_.insert_or_assign(asker.client, std::move(asked));
  return true;
}

std::vector<std::vector<AgentLabel>> TimedAgent::instance_labels(
    InDomId indom, std::span<const AgentInstance> instances) {
  const auto answer = std::make_shared<std::vector<std::vector<AgentLabel>>>();
  const std::vector<AgentInstance> asked(instances.begin(), instances.end());
  const int code = run([=](Agent& agent) { *answer = agent.instance_labels(indom, asked); });
  if (code != 0) return std::vector<std::vector<AgentLabel>>(asked.size());
  return std::move(*answer);
}

TimedAgent::BegunFetch TimedAgent::begun(std::span<const uint32_t> which, const AgentAsker& asker) {
  BegunFetch out{.which = {which.begin(), which.end()},
                 .columns = std::make_shared<std::vector<AgentValues>>(which.size()),
                 .call = nullptr};
  for (size_t i = 0; i < which.size(); ++i) (*out.columns)[i].start(metrics()[which[i]].desc);
  out.call = begin([asked = out.which, asker, columns = out.columns](Agent& agent) {
    std::vector<AgentValues*> filled;
    for (AgentValues& column : *columns) filled.push_back(&column);
    agent.fetch(asked, asker, filled);
  });
  return out;
}

bool TimedAgent::begin_fetch(std::span<const uint32_t> which, const AgentAsker& asker) {
  BegunFetch fetch = begun(which, asker);
  if (!fetch.call) return false;
  begun_.insert_or_assign(asker.client, std::move(fetch));
  return true;
}

bool TimedAgent::fetches(const AgentAsker& asker) const {
  const auto fetch = begun_.find(asker.client);
  const auto instances = begun_instances_.find(asker.client);
  const std::scoped_lock lock(shared_->mutex);
  return (fetch != begun_.end() && !fetch->second.call->done) ||
         (instances != begun_instances_.end() && !instances->second.call->done);
}

void TimedAgent::fetch(std::span<const uint32_t> which, const AgentAsker& asker,
                       std::span<AgentValues* const> out) {
  const auto found = begun_.find(asker.client);
  const bool was_begun = found != begun_.end() && std::ranges::equal(found->second.which, which);
  const BegunFetch fetch = was_begun ? std::move(found->second) : begun(which, asker);
  if (found != begun_.end()) begun_.erase(found);
  const int code = was_begun ? end_late(*fetch.call) : wait_for(fetch.call.get());
  for (size_t i = 0; i < out.size(); ++i) {
    if (code != 0) {
      out[i]->fail(code);
    } else {
      std::swap(*out[i], (*fetch.columns)[i]);
    }
  }
}

// The texts of items live as long as the client's request, which a late call may outlive.
int TimedAgent::store(uint32_t which, std::span<const StoredItem> items, const AgentAsker& asker) {
  if (!agent_->takes_stores()) return store_refusal();
  struct OwnedStore {
    std::vector<StoredItem> items;
    std::vector<std::string> texts;
    int code = 0;
  };
  const auto owned = std::make_shared<OwnedStore>();
  owned->items.assign(items.begin(), items.end());
  for (const StoredItem& item : items) owned->texts.emplace_back(item.text);
  for (size_t i = 0; i < items.size(); ++i) owned->items[i].text = owned->texts[i];
  const int late =
      run([=](Agent& agent) { owned->code = agent.store(which, owned->items, asker); });
  return late != 0 ? late : owned->code;
}

uint32_t TimedAgent::take_changes() {
  const std::scoped_lock lock(shared_->mutex);
  return std::exchange(shared_->changes, 0);
}

std::vector<std::string> TimedAgent::take_notes() {
  if (!shared_->has_notes) return {};
  const std::scoped_lock lock(shared_->mutex);
  shared_->has_notes = false;
  return std::exchange(shared_->notes, {});
}

}  // namespace pmjit
