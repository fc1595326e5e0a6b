// AgentBurials: processes of agents that are not wanted any more. Each is looked after until it has
// ended, or it would stay as a zombie: the log says how it has ended, and one that does not end is
// killed. Nothing here waits but end_all().
//
//   AgentBurials burials(io, log);
//   burials.bury(process, "Cleanup …", [](int status) { … });
//   burials.end_all(others);              // waits 150 ms, kills who is left
#pragma once

#include <sys/types.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "agent/collector/collector_server.h"

namespace boost::asio {
class io_context;
}

namespace pmjit {

class AgentBurials {
 public:
  // `status`: its exit or its signal, as pmcd.agent.status has them.
  using Ended = std::function<void(int status)>;

  AgentBurials(boost::asio::io_context& io, CollectorLog log);
  ~AgentBurials();

  // Its channel is closed. `line` comes into the log with how it has ended, or after a moment
  // without; empty: nothing does.
  void bury(pid_t process, const std::string& line, Ended ended);
  // With `others`, which have no line, all end now: those that do not are killed, and left to the
  // system then.
  void end_all(std::vector<pid_t> others);

 private:
  struct Burial;
  void look_after(const std::shared_ptr<Burial>& burial);

  boost::asio::io_context& io_;
  CollectorLog log_;
  std::set<std::shared_ptr<Burial>> burials_;
};

}  // namespace pmjit
