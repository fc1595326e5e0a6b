#include <fmt/format.h>

#include <cerrno>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include "agent/collector/logins.h"

namespace pmjit {

namespace {

using Checks = std::map<uint32_t, std::unique_ptr<SaslCheck>>;  // by client

void take_step(Checks& checks, const CheckLogin& make, LoginStep& step) {
  if (step.begins) {
    auto& check = checks[step.client] = make();
    step.reply = check->offer();
    return;
  }
  const auto found = checks.find(step.client);
  if (found == checks.end()) {
    step.reply = fail(Fault::usage, "a login that has not begun");
    return;
  }
  step.reply = found->second->take(step.said);
  const std::string& name = found->second->user();
  if (!step.reply || name.empty()) return;
  step.user = login_user(name);
  if (step.user) return;
  // As pmcd has it.
  step.reply = fail(Error(Fault::not_found, fmt::format("this machine has no user {}", name))
                        .pm_code(-ESRCH)
                        .help("users that log in are users of this machine, too"));
}

}  // namespace

struct LoginThread::Shared {
  Shared(CheckLogin of, Ended call) : check(std::move(of)), ended(std::move(call)) {}

  CheckLogin check;
  Ended ended;
  std::mutex mutex{};
  std::condition_variable came{};
  // A client alone: it is forgotten. All that SASL has of a client is freed by the thread, since
  // that waits for a step that hangs, too.
  std::deque<std::pair<uint32_t, LoginStepPtr>> queue{};
  bool runs = false, stops = false;
};

LoginThread::LoginThread(CheckLogin check, Ended ended)
    : shared_(std::make_shared<Shared>(std::move(check), std::move(ended))) {}

LoginThread::~LoginThread() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->stops = true;
  shared_->came.notify_one();
}

void LoginThread::work(const std::shared_ptr<Shared>& shared) {
  Checks checks;
  std::unique_lock lock(shared->mutex);
  for (;;) {
    shared->came.wait(lock, [&] { return shared->stops || !shared->queue.empty(); });
    if (shared->stops) return;
    const auto [client, step] = std::move(shared->queue.front());
    shared->queue.pop_front();
    lock.unlock();
    if (step) {
      take_step(checks, shared->check, *step);
    } else {
      checks.erase(client);
    }
    lock.lock();
    if (step && !shared->stops) shared->ended(step);
  }
}

void LoginThread::take(const LoginStepPtr& step) {
  const std::scoped_lock lock(shared_->mutex);
  try {
    if (!shared_->runs) std::thread([shared = shared_] { work(shared); }).detach();
  } catch (const std::system_error& none_left) {
    step->reply = fail(Fault::limit, fmt::format("no thread for logins: {}", none_left.what()));
    step->over = true;
    return;
  }
  shared_->runs = true;
  shared_->queue.emplace_back(step->client, step);
  shared_->came.notify_one();
}

void LoginThread::forget(uint32_t client) {
  const std::scoped_lock lock(shared_->mutex);
  if (!shared_->runs) return;
  shared_->queue.emplace_back(client, nullptr);
  shared_->came.notify_one();
}

}  // namespace pmjit
