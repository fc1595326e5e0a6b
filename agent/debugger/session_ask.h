// DebugSession::ask(), for the parts of DebugSession that ask.
#pragma once

#include <fmt/format.h>

#include "agent/debugger/debug_session.h"

namespace pmjit {

template <class Message>
const Message* DebugSession::ask(std::string_view function, const wire::PduBody& request) {
  const auto begun = clock_.now();
  std::fflush(stdout);
  answer_.reset();
  if (agent_->send(request)) answer_ = agent_->receive();
  waited_ += clock_.now() - begun;
  if (!answer_) {
    fmt::print("Error: __pmGetPDU() failed: PDU empty, PMDA may have died\n");
    return nullptr;
  }
  if (const auto* const error = std::get_if<wire::ErrorMessage>(&*answer_)) {
    tell_failure(function, error->code);
    return nullptr;
  }
  const auto* const message = std::get_if<Message>(&*answer_);
  if (message == nullptr) fmt::print("Error: the agent has sent another PDU than wanted\n");
  return message;
}

}  // namespace pmjit
