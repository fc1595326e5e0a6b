#include "agent/linux/mount_rooms.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace pmjit {

struct MountRooms::Shared {
  // So many mounts may hang before others have to wait for one of them.
  static constexpr size_t kThreadsMax = 8;

  explicit Shared(Ask with) : ask(std::move(with)) {}

  void work();
  // True: somebody takes what is queued.
  bool has_worker(const std::shared_ptr<Shared>& self);

  const Ask ask;
  std::mutex mutex;  // of everything below
  std::condition_variable queued, answered;
  std::deque<std::string> queue;
  std::set<std::string> running, hanging;  // directories; those that hang were reported
  std::map<std::string, std::optional<struct statfs>> answers;  // to the call that waits
  uint64_t call = 0;
  size_t threads = 0, idle = 0;
  bool ended = false;
  std::vector<std::string> notes;
};

// A thread, until the end.
void MountRooms::Shared::work() {
  std::unique_lock lock(mutex);
  while (true) {
    ++idle;
    queued.wait(lock, [this] { return ended || !queue.empty(); });
    --idle;
    if (ended) return;
    const std::string directory = std::move(queue.front());
    queue.pop_front();
    running.insert(directory);
    const uint64_t of_call = call;
    lock.unlock();
    const auto room = ask(directory);
    lock.lock();
    running.erase(directory);
    if (hanging.erase(directory) != 0) {
      notes.push_back(fmt::format("the file system at {} answers again", directory));
    }
    if (of_call == call) answers.emplace(directory, room);
    answered.notify_all();
  }
}

bool MountRooms::Shared::has_worker(const std::shared_ptr<Shared>& self) {
  if (idle != 0) return true;
  if (threads == kThreadsMax) return false;
  try {
    std::thread([self] { self->work(); }).detach();
  } catch (const std::system_error&) {  // the system has none left
    return false;
  }
  ++threads;
  return true;
}

MountRooms::MountRooms(Ask ask, std::chrono::milliseconds patience)
    : shared_(std::make_shared<Shared>(std::move(ask))), patience_(patience) {}

MountRooms::~MountRooms() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->ended = true;
  shared_->queued.notify_all();
}

std::vector<MountRooms::Answer> MountRooms::ask(std::span<const std::string> directories) {
  Shared& shared = *shared_;
  std::unique_lock lock(shared.mutex);
  ++shared.call;
  shared.answers.clear();
  std::set<std::string> wanted(directories.begin(), directories.end());
  std::erase_if(wanted, [&](const std::string& one) { return shared.running.contains(one); });
  if (!wanted.empty() && shared.has_worker(shared_)) {
    shared.queue.assign(wanted.begin(), wanted.end());
    shared.queued.notify_one();
    shared.answered.wait_for(lock, patience_,
                             [&] { return shared.answers.size() == wanted.size(); });
    shared.queue.clear();  // what nobody has come to is asked for again the next time
  }
  for (const std::string& directory : shared.running) {
    if (!shared.hanging.insert(directory).second) continue;
    shared.notes.push_back(fmt::format(
        "the file system at {} does not answer: it has no values until it does", directory));
  }
  std::vector<Answer> out;
  for (const std::string& directory : directories) {
    const auto found = shared.answers.find(directory);
    const bool late = found == shared.answers.end();
    out.push_back({.room = late ? std::nullopt : found->second, .late = late});
  }
  return out;
}

std::vector<std::string> MountRooms::take_notes() {
  const std::scoped_lock lock(shared_->mutex);
  return std::exchange(shared_->notes, {});
}

std::optional<struct statfs> statfs_of(const std::string& directory) {
  struct statfs room{};
  if (statfs(directory.c_str(), &room) != 0) return std::nullopt;
  return room;
}

}  // namespace pmjit
