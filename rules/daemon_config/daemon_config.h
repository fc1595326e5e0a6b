// DaemonConfig: what CONFIG.toml says, as values. A struct a table; keys.def says which key becomes
// which member, and what it is where nobody says. Source: spec alerting.md §2.
//
//   ConfigRead read = read_config({.path = "pmjit.toml", .environment = environment}, files);
//   if (read.problems.has_errors()) return complain(read.problems.text());
//   for (const ConfigHost& host : read.config.hosts) …
//
// Paths are joined with the folder of the file that has them. A secret is the path of its file.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/alerts/alert_labels.h"
#include "rules/alerts/elements.h"
#include "rules/alerts/matcher.h"
#include "rules/daemon_config/config_problems.h"

namespace pmjit {

using Milliseconds = std::chrono::milliseconds;

struct MainSection {
  std::vector<std::string> include{};
  bool operator==(const MainSection&) const = default;
};

struct DaemonSection {
  std::string state{}, run{};
  std::string zone{};                // empty: the local one
  std::optional<int64_t> threads{};  // none: as many as there are processors
  bool operator==(const DaemonSection&) const = default;
};

enum class LogLevel : uint8_t { error, warn, info, debug };
enum class LogFormat : uint8_t { logfmt, json };

struct LogSection {
  std::string file{};  // "-": standard error
  LogLevel level = LogLevel::info;
  LogFormat format = LogFormat::logfmt;
  bool operator==(const LogSection&) const = default;
};

struct FetchSection {
  std::optional<Milliseconds> timeout{};  // none: the smaller of 5 s and 0.8 × interval
  Milliseconds connect_timeout{}, backoff{}, backoff_max{};
  int64_t connections = 0;
  bool operator==(const FetchSection&) const = default;
};

struct DerivedSection {
  std::vector<std::string> files{};
  bool operator==(const DerivedSection&) const = default;
};

struct AlertsSection {
  Milliseconds stale{}, keep{};
  AlertLabels severity_label{};  // what labels say for info, warning, critical
  AlertLabels labels{};
  std::string label_host{}, label_instance{};
  int64_t max = 0;
  bool operator==(const AlertsSection&) const = default;
};

enum class HostDownSeverity : uint8_t { info, warning, critical, none };

struct HostDownSection {
  Milliseconds hold_for{};
  HostDownSeverity severity = HostDownSeverity::critical;
  bool operator==(const HostDownSection&) const = default;
};

struct HostsBlock {
  std::string group{};
  std::vector<std::string> names{};  // lists: web[01-40]
  std::string file{};                // may be a glob
  std::string spec{};                // template
  AlertLabels labels{};
  Milliseconds interval_min{};
};

// Who hears of an alert: none: routes decide; an empty list: nobody.
using NotifySinks = std::optional<std::vector<std::string>>;

// What is not set is what the rule says, else [alerts].
struct RuleAlertBlock {
  std::string glob{};
  std::optional<AlertSeverity> severity{};
  std::optional<Milliseconds> hold_for{}, keep{}, stale{};
  std::optional<AlertSeverity> unknown{};
  AlertLabels labels{}, annotations{};
  NotifySinks notify{};
  ConfigPlace place{};  // of `glob`
};

struct RulesBlock {
  std::vector<std::string> files{};  // globs are replaced by what they match
  std::vector<Matcher> hosts{};
  AlertLabels set{};  // macros
  Milliseconds interval{};
  AlertLabels labels{}, annotations{};
  std::vector<std::string> enable{}, disable{};  // globs of rule names
  std::vector<RuleAlertBlock> alerts{};          // in the order of the file

  std::vector<uint32_t> host_ids{};  // of DaemonConfig::hosts: those that the matchers choose
  ConfigPlace place{};               // of `files`
  // "set.limit", "disable.GLOB", "interval", "annotations.summary" and
  // "alert.GLOB.annotations.summary": where it was set
  std::map<std::string, ConfigPlace> places{};

  // Else that of `files`.
  [[nodiscard]] ConfigPlace place_of(const std::string& key) const;
  // `enable` names it, or is empty, and `disable` does not name it.
  [[nodiscard]] bool has_rule(const std::string& name) const;
  // All of `alerts` whose globs match, put together; later ones win. None: no glob matches. A glob
  // that matches a ruleset is for all its rules.
  [[nodiscard]] std::optional<RuleAlertBlock> alert_of(const std::string& name) const;
};

// What the alert of a rule of a ruleset is called: RULE#1, RULE#2 … `rule` counts from 0.
[[nodiscard]] std::string name_in_ruleset(const std::string& ruleset, size_t rule);

enum class PrintAction : uint8_t { log, standard_output };
enum class ShellAction : uint8_t { safe, as_is, off };

struct ActionsSection {
  int64_t concurrency = 0, queue = 0;
  Milliseconds timeout{};
  PrintAction print = PrintAction::log;
  ShellAction shell = ShellAction::safe;
  bool operator==(const ActionsSection&) const = default;
};

struct AlertmanagerSink {
  std::vector<std::string> urls{};
  Milliseconds resend{};
  bool unknown_label = false;
};
struct WebhookSink {
  std::string url{};
};
struct ExecSink {
  std::vector<std::string> argv{};
  AlertLabels env{};
};
struct FileSink {
  std::string path{};
};

enum class SinkType : uint8_t { alertmanager, webhook, exec, file };

struct SinkBlock {
  std::string name{};
  SinkType type = SinkType::alertmanager;
  bool send_resolved = true;
  Milliseconds timeout{}, retry_min{}, retry_max{}, give_up{};
  std::string token_file{}, user{}, password_file{};
  // The one of `type` is filled.
  AlertmanagerSink alertmanager{};
  WebhookSink webhook{};
  ExecSink exec{};
  FileSink file{};
};

struct RouteBlock {
  std::vector<Matcher> match{};
  std::vector<std::string> sinks{};
  bool goes_on = false;  // `continue`
};

struct HttpSection {
  std::vector<std::string> listen{};  // HOST:PORT; none: no listener
  std::string socket{};               // empty: pmjit.sock in [daemon] run
  std::string token_file{}, read_token_file{};
  std::vector<std::string> allowed_hosts{};
  std::string external_url{};
  bool insecure = false;
  bool operator==(const HttpSection&) const = default;
};

// A host that is watched.
struct ConfigHost {
  std::string name, spec;
  AlertLabels labels{};  // with `group`, and its name as [alerts] label_host
  Milliseconds interval_min{};
  uint32_t block = 0;  // of DaemonConfig::host_blocks
};

struct DaemonConfig {
  MainSection main{};
  DaemonSection daemon{};
  LogSection log{};
  FetchSection fetch{};
  DerivedSection derived{};
  AlertsSection alerts{};
  HostDownSection host_down{};
  ActionsSection actions{};
  HttpSection http{};
  std::vector<HostsBlock> host_blocks{};
  std::vector<ConfigHost> hosts{};
  std::vector<RulesBlock> rules{};
  std::vector<SinkBlock> sinks{};
  std::vector<RouteBlock> routes{};
  std::map<std::string, ConfigPlace> places{};  // where "section.key" was set
  std::vector<std::string> watched{};           // hosts files, as written and joined: may be globs
};

}  // namespace pmjit
