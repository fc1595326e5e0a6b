// Logins: clients that prove by SASL who they are, step by step. A step may ask a file, the system
// or a daemon, so nothing here waits for it: it is over later. Source: spec wire-protocol.md §3.5.
//
//   const auto step = std::make_shared<LoginStep>(LoginStep{.client = 7, .begins = true});
//   logins.take(step);                       // step->over, then or later
//   send(step->reply);                       // the methods; then what to say to each answer
//   if (step->user) …                        // it has proven who it is; nothing more is said
//   logins.forget(7);                        // its login has ended, one way or the other
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/client/net/sasl_login.h"

namespace pmjit {

// Who has logged in.
struct LoginUser {
  std::string name;
  uint32_t user_id = 0, group_id = 0;
  std::vector<uint32_t> group_ids{};  // all of them
};
// As the system knows that name; may block. None: it does not.
[[nodiscard]] std::optional<LoginUser> login_user(const std::string& name);

struct LoginStep {
  uint32_t client = 0;  // number of its connection
  bool begins = false;  // the methods are wanted; else `said` is to be answered
  std::string said{};
  // Once it is over:
  Result<std::string> reply{std::string()};
  std::optional<LoginUser> user{};
  bool over = false;
};
using LoginStepPtr = std::shared_ptr<LoginStep>;

class Logins {
 public:
  virtual ~Logins() = default;
  virtual void take(const LoginStepPtr& step) = 0;
  virtual void forget(uint32_t client) = 0;
};

using CheckLogin = std::function<std::unique_ptr<SaslCheck>()>;

// A thread that takes one step after the other, from the first one on. It may hang, and does not
// hold up the end of the program.
class LoginThread final : public Logins {
 public:
  // By that thread, for each step that has ended: who owns the steps sets `over` then.
  using Ended = std::function<void(LoginStepPtr step)>;

  LoginThread(CheckLogin check, Ended ended);
  ~LoginThread() override;
  LoginThread(const LoginThread&) = delete;
  LoginThread& operator=(const LoginThread&) = delete;

  void take(const LoginStepPtr& step) override;
  void forget(uint32_t client) override;

 private:
  struct Shared;
  static void work(const std::shared_ptr<Shared>& shared);

  std::shared_ptr<Shared> shared_;
};

}  // namespace pmjit
