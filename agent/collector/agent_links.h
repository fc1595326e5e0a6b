// AgentLinks: the processes and channels of agents that pmcd.conf names: they are started, spoken
// to, ended and started again. remote_agent.h decides what is said. Nothing here waits.
// Source: spec collector-and-agents.md §1.5, §1.13, §1.14.
//
//   AgentLinks links(io, core, {}, {.answered = …, .log = …});
//   links.configure(config.agents);       // starts them; those that stay the same and live go on
//   links.restart_dead();
//   links.stop();                         // closes all, waits 150 ms, kills who is left
//
// An agent that has ended is started again: at once the first time, then after 1, 2, 4 … 60 s. One
// that has lived for a minute begins anew. One that does not end when its channel is closed is
// killed after a second.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "agent/collector/agent_burials.h"
#include "agent/collector/collector_config.h"
#include "agent/collector/collector_core.h"
#include "agent/collector/collector_server.h"

namespace boost::asio {
class io_context;
}

namespace pmjit {

struct AgentSettings {
  RemoteAgent::Patience patience{};
  bool restarts = true;  // PMCD_RESTART_AGENTS
  DsoHost dso_host{};
};

class AgentLinks {
 public:
  struct Hooks {
    std::function<void(std::span<const uint32_t> clients)>
        answered;  // what they asked for is there
    CollectorLog log;
  };
  AgentLinks(boost::asio::io_context& io, CollectorCore& core, AgentSettings settings, Hooks hooks);
  ~AgentLinks();

  void configure(const std::vector<AgentLine>& lines);
  // Their names: the labels of pmcd.conf.
  [[nodiscard]] std::vector<std::string> restart_dead();
  void stop();
  void be_patient(std::chrono::milliseconds answer);
  // The table of agents, as pmcd has it in its log.
  [[nodiscard]] std::string table_text() const;

 private:
  struct Link;
  using LinkPtr = std::shared_ptr<Link>;

  [[nodiscard]] bool can_run(const AgentLine& line) const;
  void start(const LinkPtr& link);
  void retire(const LinkPtr& link);
  void start_pipe(const LinkPtr& link);
  void start_socket(const LinkPtr& link);
  void connect(const LinkPtr& link, int tries_left);
  void opened(const LinkPtr& link, std::shared_ptr<std::byte> memory);
  void read_pipe(const LinkPtr& link);
  void read_socket(const LinkPtr& link);
  void write(const LinkPtr& link);
  void look_at(const LinkPtr& link);
  void arm(const LinkPtr& link);
  void clean_up(const LinkPtr& link);
  void bury(const LinkPtr& link, const std::string& first_line);
  void restart_later(const LinkPtr& link);
  void could_not_start(const LinkPtr& link, const std::string& why);
  void tell_facts(Link& link);
  [[nodiscard]] static std::string table_row(Link& link);

  boost::asio::io_context& io_;
  CollectorCore& core_;
  AgentSettings settings_;
  Hooks hooks_;
  std::vector<LinkPtr> links_;  // as configured
  AgentBurials burials_;
  bool stopping_ = false;
  bool is_configured_ = false;  // once at least: agents that come later are new to clients
};

}  // namespace pmjit
