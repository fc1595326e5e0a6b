// What a configuration says as values: defaults, every kind of value, files that include others,
// and the examples of spec alerting.md §2.5.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "rules/daemon_config/config_keys.h"
#include "rules/daemon_config/config_values.h"
#include "runtime/base/file.h"
#include "tests/unit/daemon_config/memory_files.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;
using Files = std::map<std::string, std::string>;

ConfigRead read_files(const Files& files) {
  return read_config({.path = "etc/pmjit.toml"}, MemoryFiles(files));
}

TEST(ConfigRead, Defaults) {
  const ConfigRead read = read_text("");
  EXPECT_EQ(problem_lines(read.problems), "");
  const DaemonConfig& config = read.config;
  EXPECT_EQ(config.daemon.state, "/var/lib/pmjit");
  EXPECT_EQ(config.daemon.run, "/run/pmjit");
  EXPECT_EQ(config.daemon.threads, std::nullopt);
  EXPECT_EQ(config.log.file, "-");
  EXPECT_EQ(config.log.level, LogLevel::info);
  EXPECT_EQ(config.fetch.timeout, std::nullopt);
  EXPECT_EQ(config.fetch.backoff_max, 60s);
  EXPECT_EQ(config.fetch.connections, 4096);
  EXPECT_EQ(config.alerts.stale, 5min);
  EXPECT_EQ(config.alerts.keep, 0s);
  EXPECT_EQ(config.alerts.label_instance, "instname");
  EXPECT_EQ(config.alerts.max, 100'000);
  EXPECT_EQ(config.host_down.hold_for, 30s);
  EXPECT_EQ(config.host_down.severity, HostDownSeverity::critical);
  EXPECT_EQ(config.actions.queue, 1000);
  EXPECT_EQ(config.actions.shell, ShellAction::safe);
  EXPECT_EQ(config.http.listen, std::vector<std::string>{"127.0.0.1:9145"});
  EXPECT_TRUE(config.hosts.empty());
}

// Words of a range are in the order of their enumeration, and defaults are in their own range.
TEST(ConfigRead, EveryDefaultIsAValue) {
  size_t count = 0;
  for (const ConfigKey& key : config_keys()) {
    if (key.is_later || key.is_required()) {
      EXPECT_EQ(default_value(key).has_value(), false) << key.name;
    } else if (!key.default_text.empty()) {
      EXPECT_TRUE(default_value(key).has_value()) << key.name;
      ++count;
    }
  }
  EXPECT_GT(count, 30u);
}

TEST(ConfigRead, WordsBecomeEnumerations) {
  const auto level = [](const char* word) {
    return read_text(std::string("[log]\nlevel='") + word + "'\n").config.log.level;
  };
  EXPECT_EQ(level("error"), LogLevel::error);
  EXPECT_EQ(level("warn"), LogLevel::warn);
  EXPECT_EQ(level("info"), LogLevel::info);
  EXPECT_EQ(level("debug"), LogLevel::debug);
  const auto down = [](const char* word) {
    return read_text(std::string("[alerts.host_down]\nseverity='") + word + "'\n")
        .config.host_down.severity;
  };
  EXPECT_EQ(down("info"), HostDownSeverity::info);
  EXPECT_EQ(down("warning"), HostDownSeverity::warning);
  EXPECT_EQ(down("none"), HostDownSeverity::none);
  const auto shell = [](const char* word) {
    return read_text(std::string("[actions]\nshell='") + word + "'\n").config.actions.shell;
  };
  EXPECT_EQ(shell("as-is"), ShellAction::as_is);
  EXPECT_EQ(shell("off"), ShellAction::off);
  EXPECT_EQ(read_text("[log]\nformat='json'\n").config.log.format, LogFormat::json);
  EXPECT_EQ(read_text("[actions]\nprint='stdout'\n").config.actions.print,
            PrintAction::standard_output);
}

TEST(ConfigRead, Values) {
  const ConfigRead read = read_text(
      "[daemon]\nstate = 'state'\nthreads = 3\nzone = 'UTC'\n"
      "[fetch]\ntimeout = '800ms'\n"
      "[alerts]\nlabels = { team = 'ops' }\nseverity_label = { critical = 'page' }\n"
      "host_down = { for = '1m', severity = 'none' }\n"
      "[http]\nlisten = ''\nallowed_hosts = ['a', 'b']\n");
  EXPECT_EQ(problem_lines(read.problems), "");
  const DaemonConfig& config = read.config;
  EXPECT_EQ(config.daemon.state, "state");
  EXPECT_EQ(config.daemon.threads, 3);
  EXPECT_EQ(config.fetch.timeout, 800ms);
  EXPECT_EQ(config.alerts.labels, (AlertLabels{{"team", "ops"}}));
  EXPECT_EQ(config.alerts.severity_label, (AlertLabels{{"critical", "page"}}));
  EXPECT_EQ(config.host_down.hold_for, 1min);
  EXPECT_EQ(config.host_down.severity, HostDownSeverity::none);
  EXPECT_TRUE(config.http.listen.empty());
  EXPECT_EQ(config.http.allowed_hosts, (std::vector<std::string>{"a", "b"}));
}

TEST(ConfigRead, Sinks) {
  const ConfigRead read = read_files(
      {{"etc/pmjit.toml",
        "[[sink]]\nname='am'\ntype='alertmanager'\nurls=['http://a:9093','https://b/x']\n"
        "resend='30s'\nunknown_label=true\ntoken_file='token'\n"
        "[[sink]]\nname='web'\ntype='webhook'\nurl='http://[::1]:80/hook'\nsend_resolved=false\n"
        "[[sink]]\nname='run'\ntype='exec'\nargv=['/bin/echo','x']\nenv={A='b'}\n"
        "[[sink]]\nname='log'\ntype='file'\npath='alerts.json'\n"
        "[[route]]\nmatch=['severity=\"critical\"']\nsinks=['web','run']\ncontinue=true\n"
        "[[route]]\nsinks=['am']\n"},
       {"etc/token", "secret\n"}});
  EXPECT_EQ(problem_lines(read.problems), "");
  const auto& sinks = read.config.sinks;
  ASSERT_EQ(sinks.size(), 4u);
  EXPECT_EQ(sinks[0].alertmanager.urls, (std::vector<std::string>{"http://a:9093", "https://b/x"}));
  EXPECT_EQ(sinks[0].alertmanager.resend, 30s);
  EXPECT_TRUE(sinks[0].alertmanager.unknown_label);
  EXPECT_EQ(sinks[0].token_file, "etc/token");
  EXPECT_EQ(sinks[0].give_up, 24h);
  EXPECT_EQ(sinks[1].type, SinkType::webhook);
  EXPECT_EQ(sinks[1].webhook.url, "http://[::1]:80/hook");
  EXPECT_FALSE(sinks[1].send_resolved);
  EXPECT_EQ(sinks[2].type, SinkType::exec);
  EXPECT_EQ(sinks[2].exec.argv, (std::vector<std::string>{"/bin/echo", "x"}));
  EXPECT_EQ(sinks[2].exec.env, (AlertLabels{{"A", "b"}}));
  EXPECT_EQ(sinks[3].type, SinkType::file);
  EXPECT_EQ(sinks[3].file.path, "etc/alerts.json");
  ASSERT_EQ(read.config.routes.size(), 2u);
  EXPECT_TRUE(read.config.routes[0].goes_on);
  EXPECT_EQ(read.config.routes[0].match[0].text(), "severity=\"critical\"");
  EXPECT_FALSE(read.config.routes[1].goes_on);
}

TEST(ConfigRead, SecretsOfTheServiceManager) {
  const ConfigRead read = read_config(
      {.path = "pmjit.toml", .environment = {"CREDENTIALS_DIRECTORY=/run/cred"}},
      MemoryFiles({{"pmjit.toml", "[http]\ntoken_file='cred:token'\n"}, {"/run/cred/token", "x"}}));
  EXPECT_EQ(problem_lines(read.problems), "");
  EXPECT_EQ(read.config.http.token_file, "/run/cred/token");
}

TEST(ConfigRead, IncludedFilesInTheirOrder) {
  const ConfigRead read =
      read_files({{"etc/pmjit.toml",
                   "include = ['conf.d/*.toml', "
                   "'/more.toml']\n[[hosts]]\nnames=['m']\n[fetch]\nbackoff='2s'\n"},
                  {"etc/conf.d/b.toml", "[[hosts]]\nnames=['b']\n[fetch]\nconnections=7\n"},
                  {"etc/conf.d/a.toml",
                   "[[hosts]]\nnames=['a']\n[[rules]]\nfiles=['x.pmie','*.rules']\n[alerts]"
                   "\nlabels={t='u'}\n"},
                  {"etc/conf.d/x.pmie", ""},
                  {"etc/conf.d/z.rules", ""},
                  {"etc/conf.d/y.rules", ""},
                  {"/more.toml", "[[hosts]]\nnames=['c']\n"}});
  EXPECT_EQ(problem_lines(read.problems), "");
  std::string names;
  for (const ConfigHost& host : read.config.hosts) names += host.name;
  EXPECT_EQ(names, "mabc");
  EXPECT_EQ(read.config.fetch.backoff, 2s);
  EXPECT_EQ(read.config.fetch.connections, 7);
  EXPECT_EQ(
      read.config.rules[0].files,
      (std::vector<std::string>{"etc/conf.d/x.pmie", "etc/conf.d/y.rules", "etc/conf.d/z.rules"}));
}

TEST(ConfigRead, SetTwiceNamesBothPlaces) {
  const ConfigRead read =
      read_files({{"etc/pmjit.toml",
                   "include = ['a.toml']\n[fetch]\nbackoff = '2s'\n[alerts.labels]\nt='u'\n"},
                  {"etc/a.toml", "[alerts]\nlabels = { t = 'v' }\n[fetch]\nbackoff = '2s'\n"}});
  EXPECT_EQ(problem_lines(read.problems),
            "C05 etc/a.toml:2:12 `alerts.labels.t` is set twice | etc/pmjit.toml:5:1 sets it, too\n"
            "C05 etc/a.toml:4:1 `fetch.backoff` is set twice | etc/pmjit.toml:3:1 sets it, too\n");
}

TEST(ConfigRead, OnlyTheMainFileIncludes) {
  const ConfigRead read = read_files(
      {{"etc/pmjit.toml", "include = ['a.toml']\n"}, {"etc/a.toml", "include = ['b.toml']\n"}});
  EXPECT_EQ(problem_lines(read.problems),
            "C03 etc/a.toml:1:1 unknown key `include` | only the main file includes others\n");
}

TEST(ConfigRead, AListInOneFileATableInAnother) {
  const ConfigRead read =
      read_files({{"etc/pmjit.toml", "include = ['a.toml']\n[[hosts]]\nnames=['a']\n"},
                  {"etc/a.toml", "[hosts]\nnames=['b']\n"}});
  EXPECT_EQ(problem_lines(read.problems),
            "C02 etc/a.toml:1:2 `hosts` is a table, not a list of tables | write [[hosts]]\n");
}

TEST(ConfigRead, NoFile) {
  EXPECT_EQ(problem_lines(read_config({.path = "x.toml"}, MemoryFiles()).problems),
            "C06 x.toml:1:1 file x.toml: no such file | is the name right, and may this user read "
            "it?\n");
}

TEST(ConfigRead, KeysOfTooManyParts) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  EXPECT_TRUE(problems_of(key + " = 1\n").starts_with("C01 pmjit.toml:1:200 a key of more than"));
  EXPECT_TRUE(problems_of("[" + key + "]\n").starts_with("C01 "));
  EXPECT_TRUE(problems_of("[[hosts]]\nnames = ['" + key + "']\n# " + key + "\n").empty());
}

// Columns are code points, places bytes.
TEST(ConfigRead, PlacesBehindOtherLetters) {
  EXPECT_EQ(problems_of("[alerts]\nlabels = { 'é' = 'ü', b = 1 }\n"),
            "C04 pmjit.toml:2:12 \"é\" is not a label name\n"
            "C02 pmjit.toml:2:27 `b` is an integer, not a text | write \"1\"\n");
}

TEST(SystemConfigFiles, AreThoseOfTheSystem) {
  const std::string folder = testing::TempDir() + "pmjit_config." + std::to_string(getpid());
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder + "/conf.d");
  const auto write = [&](const std::string& name, std::string_view text) {
    ASSERT_EQ(write_whole_file(folder + "/" + name, text), 0);
  };
  write("pmjit.toml", "include = ['conf.d/*.toml']\n[http]\ntoken_file = 'token'\n");
  write("conf.d/b.toml", "[[hosts]]\nfile = '../hosts'\n");
  write("conf.d/a.toml", "[[hosts]]\nnames = ['a']\n");
  write("hosts", "h1\n");
  write("token", "secret");
  const SystemConfigFiles files;
  const ConfigRead read = read_config({.path = folder + "/pmjit.toml"}, files);
  EXPECT_EQ(problem_lines(read.problems), "");
  ASSERT_EQ(read.config.hosts.size(), 2u);
  EXPECT_EQ(read.config.hosts[0].name, "a");
  EXPECT_EQ(read.config.hosts[1].name, "h1");
  EXPECT_TRUE(files.can_read(folder + "/token"));
  EXPECT_FALSE(files.can_read(folder + "/tokens"));
  EXPECT_FALSE(files.read(folder + "/hosts", 2));
  EXPECT_TRUE(files.matching(folder + "/*.rules").empty());
  std::filesystem::remove_all(folder);
}

constexpr const char* kOneMachine = R"(include = ["conf.d/*.toml"]
[daemon]
user = "pcp"
[[hosts]]
names = ["localhost"]
spec  = "unix:///run/pcp/pmcd.socket"
[[rules]]
files    = ["/usr/share/pmjit/catalogue/*.pmie"]
interval = "1 min"
set      = { cpu_busy = "95" }
[rules.alert."*"]
severity = "warning"
for      = "2m"
[[sink]]
name = "am"
type = "alertmanager"
urls = ["http://127.0.0.1:9093"]
[[sink]]
name = "mail"
type = "smtp"
url  = "smtp://127.0.0.1:25"
from = "pmjit@web1.example.org"
to   = ["ops@example.org"]
[[route]]
match = ['severity="critical"']
sinks = ["mail"]
continue = true
[[route]]
sinks = ["am"]
[http]
listen = "127.0.0.1:9145"
)";

TEST(ConfigExamples, OneMachine) {
  const ConfigRead read = read_files({{"etc/pmjit.toml", kOneMachine},
                                      {"etc/conf.d/own.toml", "[log]\nlevel = 'debug'\n"},
                                      {"/usr/share/pmjit/catalogue/cpu.pmie", ""}});
  EXPECT_EQ(problem_lines(read.problems),
            "C18 etc/pmjit.toml:3:1 `user` of [daemon] is not supported yet\n"
            "C18 etc/pmjit.toml:20:8 type \"smtp\" is not supported yet | types are alertmanager, "
            "webhook, exec, file\n"
            "C11 etc/pmjit.toml:26:10 there is no sink `mail` | sinks are am\n");
  ASSERT_EQ(read.config.hosts.size(), 1u);
  EXPECT_EQ(read.config.hosts[0].spec, "unix:///run/pcp/pmcd.socket");
  ASSERT_EQ(read.config.rules.size(), 1u);
  const RulesBlock& rules = read.config.rules[0];
  EXPECT_EQ(rules.files, std::vector<std::string>{"/usr/share/pmjit/catalogue/cpu.pmie"});
  EXPECT_EQ(rules.interval, 1min);
  EXPECT_EQ(rules.set, (AlertLabels{{"cpu_busy", "95"}}));
  EXPECT_EQ(rules.alert_of("cpu.busy")->severity, AlertSeverity::warning);
  EXPECT_EQ(rules.alert_of("cpu.busy")->hold_for, 2min);
  EXPECT_EQ(rules.host_ids, std::vector<uint32_t>{0});
  EXPECT_EQ(read.config.log.level, LogLevel::debug);
}

constexpr const char* kFleet = R"([fetch]
timeout = "800ms"
[[hosts]]
group  = "web"
names  = ["web[001-600]"]
spec   = "pcps://%n.fra1.example.org"
labels = { site = "fra1" }
[[hosts]]
group = "db"
file  = "/etc/pmjit/hosts.d/*.hosts"        # db1 pcp://10.0.0.7 role=primary
[[rules]]
files = ["rules/web.pmie"]
hosts = ['group="web"']
interval = "1s"
[[inhibit]]
source = ['alertname="disk.failed"']
target = ['alertname=~"disk\\..*"']
equal  = ["host", "instname"]
[[maintenance]]
match = ['group="web"']
days  = ["Tue"]
from  = "02:00"
until = "04:00"
)";

TEST(ConfigExamples, Fleet) {
  Files files{{"etc/pmjit.toml", kFleet},
              {"etc/rules/web.pmie", ""},
              {"/etc/pmjit/hosts.d/a.hosts", "db1 pcp://10.0.0.7 role=primary\n"}};
  EXPECT_EQ(problem_lines(read_files(files).problems),
            "C18 etc/pmjit.toml:15:3 [inhibit] is not supported yet\n"
            "C18 etc/pmjit.toml:19:3 [maintenance] is not supported yet\n");
  // Without what is not built yet.
  std::string text = kFleet;
  text.resize(text.find("[[inhibit]]"));
  files["etc/pmjit.toml"] = text;
  const ConfigRead read = read_files(files);
  EXPECT_EQ(problem_lines(read.problems), "");
  ASSERT_EQ(read.config.hosts.size(), 601u);
  EXPECT_EQ(read.config.hosts[599].spec, "pcps://web600.fra1.example.org");
  EXPECT_EQ(read.config.hosts[600].name, "db1");
  EXPECT_EQ(read.config.hosts[600].spec, "pcp://10.0.0.7");
  EXPECT_EQ(read.config.hosts[600].labels,
            (AlertLabels{{"group", "db"}, {"host", "db1"}, {"role", "primary"}}));
  EXPECT_EQ(read.config.rules[0].host_ids.size(), 600u);
  EXPECT_EQ(read.config.watched, std::vector<std::string>{"/etc/pmjit/hosts.d/*.hosts"});
}

}  // namespace
}  // namespace pmjit
