// Async<T>: a coroutine that waits for sockets and timers without a thread of its own. Later<T>:
// one thing that arrives once, by a callback.
//
//   Async<Result<Answer>> ask(Transport& transport) {
//     Later<Result<size_t>> got;
//     transport.read(room, deadline, got.callback());
//     const auto bytes = co_await got;               // goes on inside of the callback
//     …
//     co_return answer;
//   }
//   Async<Result<Answer>> answer = ask(transport);
//   answer.start();                                  // runs until it has to wait
//   while (!answer.done()) network.run_some(until);
//   use(answer.take());
//
// Whoever holds an Async owns its frame: destroying it ends what it waits for, and a callback that
// comes later finds nobody. Everything runs on the thread of its Network. Arguments are kept by
// the frame if they are values; what references name must outlive it.
#pragma once

#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <utility>

#include "runtime/base/result.h"

namespace pmjit {

template <class T>
class [[nodiscard]] Async {
 public:
  struct promise_type {
    std::optional<T> value;
    std::coroutine_handle<> waiting;  // who awaits it

    Async get_return_object() {
      return Async(std::coroutine_handle<promise_type>::from_promise(*this));
    }
    std::suspend_always initial_suspend() noexcept { return {}; }
    struct Final {
      bool await_ready() noexcept { return false; }
      std::coroutine_handle<> await_suspend(std::coroutine_handle<promise_type> self) noexcept {
        const auto next = self.promise().waiting;
        return next ? next : std::noop_coroutine();
      }
      void await_resume() noexcept {}
    };
    Final final_suspend() noexcept { return {}; }
    void return_value(T result) { value.emplace(std::move(result)); }
    void unhandled_exception() { std::terminate(); }  // only memory can fail here
  };

  Async(Async&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
  Async& operator=(Async&& other) noexcept {
    if (this != &other) {
      if (handle_) handle_.destroy();
      handle_ = std::exchange(other.handle_, nullptr);
    }
    return *this;
  }
  ~Async() {
    if (handle_) handle_.destroy();
  }

  // Of one that nobody awaits.
  void start() { handle_.resume(); }
  [[nodiscard]] bool done() const { return handle_.done(); }
  [[nodiscard]] T take() {
    check(done() && handle_.promise().value.has_value(), "an answer that has not come");
    return *std::move(handle_.promise().value);
  }

  // co_await: starts it, and goes on when it has ended.
  [[nodiscard]] bool await_ready() const { return false; }
  std::coroutine_handle<> await_suspend(std::coroutine_handle<> waiting) {
    handle_.promise().waiting = waiting;
    return handle_;
  }
  T await_resume() { return take(); }

 private:
  explicit Async(std::coroutine_handle<promise_type> handle) : handle_(handle) {}

  std::coroutine_handle<promise_type> handle_;
};

template <class T>
class Later {
 public:
  Later() : state_(std::make_shared<State>()) {}
  Later(const Later&) = delete;
  Later& operator=(const Later&) = delete;
  ~Later() { state_->waiting = nullptr; }

  // To be called once; it may be called before anybody waits, or after everybody has gone.
  [[nodiscard]] std::move_only_function<void(T)> callback() {
    return [state = state_](T value) {
      state->value.emplace(std::move(value));
      if (const auto waiting = std::exchange(state->waiting, nullptr)) waiting.resume();
    };
  }

  [[nodiscard]] bool await_ready() const { return state_->value.has_value(); }
  void await_suspend(std::coroutine_handle<> waiting) { state_->waiting = waiting; }
  T await_resume() { return *std::move(state_->value); }

 private:
  struct State {
    std::optional<T> value;
    std::coroutine_handle<> waiting;
  };
  std::shared_ptr<State> state_;
};

}  // namespace pmjit
