#include "agent/model/timed_agent.h"

#include <fmt/format.h>

#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

struct TimedAgent::Shared {
  explicit Shared(std::shared_ptr<Agent> with) : agent(std::move(with)) {}

  void work();

  const std::shared_ptr<Agent> agent;  // called by the thread alone, once there is one
  mutable std::mutex mutex;            // of everything below
  std::condition_variable called, returned;
  std::function<void(Agent&)> call;  // for the thread to take
  bool has_thread = false, busy = false, late = false, ended = false;
  uint32_t changes = 0;
  std::vector<std::string> notes;
};

// The thread, until the end.
void TimedAgent::Shared::work() {
  std::unique_lock lock(mutex);
  while (true) {
    called.wait(lock, [this] { return ended || call; });
    if (ended) return;
    auto now = std::exchange(call, nullptr);
    lock.unlock();
    now(*agent);
    now = nullptr;  // what it holds is not kept until the next call
    const uint32_t found = agent->take_changes();
    std::vector<std::string> said = agent->take_notes();
    lock.lock();
    busy = false;
    changes |= found;
    for (std::string& note : said) notes.push_back(std::move(note));
    if (std::exchange(late, false)) notes.emplace_back("answers again");
    returned.notify_all();
  }
}

TimedAgent::TimedAgent(std::shared_ptr<Agent> agent, std::chrono::milliseconds patience)
    : agent_(std::move(agent)), shared_(std::make_shared<Shared>(agent_)), patience_(patience) {}

TimedAgent::~TimedAgent() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->ended = true;
  shared_->called.notify_all();
}

bool TimedAgent::ready() const {
  const std::scoped_lock lock(shared_->mutex);
  return !shared_->late;
}

int TimedAgent::run(std::function<void(Agent&)> call) {
  Shared& shared = *shared_;
  std::unique_lock lock(shared.mutex);
  if (shared.busy) return pm_err::E_AGAIN;
  if (!shared.has_thread) {
    try {
      std::thread([self = shared_] { self->work(); }).detach();
    } catch (const std::system_error&) {  // the system has none left; the next call tries again
      return pm_err::E_AGAIN;
    }
    shared.has_thread = true;
  }
  shared.busy = true;
  shared.call = std::move(call);
  shared.called.notify_one();
  if (shared.returned.wait_for(lock, patience_, [&] { return !shared.busy; })) return 0;
  shared.late = true;
  shared.notes.push_back(fmt::format(
      "has not answered for {} ms: its metrics have no values until it does", patience_.count()));
  return pm_err::E_TIMEOUT;
}

OrPmError<std::vector<AgentInstance>> TimedAgent::instances(InDomId indom,
                                                            const AgentAsker& asker) {
  using Answer = OrPmError<std::vector<AgentInstance>>;
  const auto answer = std::make_shared<Answer>();
  const int code = run([=](Agent& agent) { *answer = agent.instances(indom, asker); });
  if (code != 0) return pm_fail(code);
  return std::move(*answer);
}

std::vector<std::vector<AgentLabel>> TimedAgent::instance_labels(
    InDomId indom, std::span<const AgentInstance> instances) {
  const auto answer = std::make_shared<std::vector<std::vector<AgentLabel>>>();
  const std::vector<AgentInstance> asked(instances.begin(), instances.end());
  const int code = run([=](Agent& agent) { *answer = agent.instance_labels(indom, asked); });
  if (code != 0) return std::vector<std::vector<AgentLabel>>(asked.size());
  return std::move(*answer);
}

void TimedAgent::fetch(std::span<const uint32_t> which, const AgentAsker& asker,
                       std::span<AgentValues* const> out) {
  if (!columns_) columns_ = std::make_shared<std::vector<AgentValues>>();
  if (columns_->size() < out.size()) columns_->resize(out.size());
  for (size_t i = 0; i < out.size(); ++i) (*columns_)[i].start(out[i]->desc());
  const std::vector<uint32_t> asked(which.begin(), which.end());
  const int code = run([asked, asker, columns = columns_](Agent& agent) {
    std::vector<AgentValues*> filled;
    for (size_t i = 0; i < asked.size(); ++i) filled.push_back(&(*columns)[i]);
    agent.fetch(asked, asker, filled);
  });
  for (size_t i = 0; i < out.size(); ++i) {
    if (code != 0) {
      out[i]->fail(code);
    } else {
      std::swap(*out[i], (*columns_)[i]);
    }
  }
  if (code != 0) columns_ = nullptr;  // they are the late call's
}

// The texts of items live as long as the client's request, which a late call may outlive.
int TimedAgent::store(uint32_t which, std::span<const StoredItem> items, const AgentAsker& asker) {
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
  const std::scoped_lock lock(shared_->mutex);
  return std::exchange(shared_->notes, {});
}

}  // namespace pmjit
