// PMJIT__SECTION__KEY and --set.
#include <gtest/gtest.h>

#include "tests/unit/daemon_config/memory_files.h"

namespace pmjit {
namespace {

using namespace std::chrono_literals;

ConfigRead read_with(const std::string& text, std::vector<std::string> environment,
                     std::vector<std::string> set = {}) {
  return read_config({.path = "pmjit.toml", .environment = environment, .set = set},
                     MemoryFiles({{"pmjit.toml", text}, {"f", ""}}));
}

std::string problems_with(std::vector<std::string> environment, std::vector<std::string> set = {}) {
  return problem_lines(read_with("", std::move(environment), std::move(set)).problems);
}

TEST(ConfigOverride, EachKindOfScalar) {
  const ConfigRead read = read_with(
      "[http]\nlisten='127.0.0.1:1'\n",
      {"PMJIT__HTTP__LISTEN=127.0.0.1:2", "PMJIT__DAEMON__THREADS=7", "PMJIT__HTTP__INSECURE=true",
       "PMJIT__FETCH__CONNECT_TIMEOUT=3s", "PMJIT__LOG__LEVEL=debug",
       "PMJIT__ALERTS__HOST_DOWN__FOR=1m", "PMJIT__DAEMON__STATE=/a=b", "OTHER=x", "PMJIT_X=y"});
  EXPECT_EQ(problem_lines(read.problems), "");
  EXPECT_EQ(read.config.http.listen, std::vector<std::string>{"127.0.0.1:2"});
  EXPECT_EQ(read.config.daemon.threads, 7);
  EXPECT_TRUE(read.config.http.insecure);
  EXPECT_EQ(read.config.fetch.connect_timeout, 3s);
  EXPECT_EQ(read.config.log.level, LogLevel::debug);
  EXPECT_EQ(read.config.host_down.hold_for, 1min);
  EXPECT_EQ(read.config.daemon.state, "/a=b");
}

TEST(ConfigOverride, SetGoesBeforeTheEnvironment) {
  const ConfigRead read =
      read_with("[fetch]\nbackoff='1s'\n", {"PMJIT__FETCH__BACKOFF=2s", "PMJIT__FETCH__TIMEOUT=4s"},
                {"fetch.backoff=3s", "alerts.host_down.severity=info"});
  EXPECT_EQ(problem_lines(read.problems), "");
  EXPECT_EQ(read.config.fetch.backoff, 3s);
  EXPECT_EQ(read.config.fetch.timeout, 4s);
  EXPECT_EQ(read.config.host_down.severity, HostDownSeverity::info);
}

TEST(ConfigOverride, AnOverriddenMistakeIsNone) {
  EXPECT_EQ(problem_lines(read_with("[fetch]\nbackoff=1\n", {"PMJIT__FETCH__BACKOFF=2s"}).problems),
            "");
}

TEST(ConfigOverride, PathsAreAsTheyAre) {
  const ConfigRead read = read_config({.path = "etc/pmjit.toml",
                                       .environment = {"PMJIT__DAEMON__STATE=here"},
                                       .set = {"daemon.run=r"}},
                                      MemoryFiles({{"etc/pmjit.toml", std::string()}}));
  EXPECT_EQ(read.config.daemon.state, "here");
  EXPECT_EQ(read.config.daemon.run, "r");
}

TEST(ConfigOverride, UnknownNames) {
  EXPECT_EQ(problems_with({"PMJIT__HTP__LISTEN=x"}),
            "C16 environment:1:1 there is no table [htp] | there is [http]\n");
  EXPECT_EQ(problems_with({"PMJIT__HTTP__LISTN=x"}),
            "C16 environment:1:1 [http] has no key `listn` | [http] has `listen`\n");
  EXPECT_EQ(problems_with({"PMJIT__FETCH__LISTEN=x"}),
            "C16 environment:1:1 [fetch] has no key `listen` | `listen` is a key of [http]\n");
  EXPECT_EQ(problems_with({"PMJIT__QQQ=x"}),
            "C16 environment:1:1 the main file has no key `qqq`\n");
  EXPECT_EQ(problems_with({}, {"fetch.timout=3s"}),
            "C16 --set:1:1 [fetch] has no key `timout` | [fetch] has `timeout`\n");
  EXPECT_EQ(problems_with({}, {"fetch.timeout"}),
            "C16 --set:1:1 a --set without = | write --set SECTION.KEY=VALUE\n");
}

TEST(ConfigOverride, NotInLists) {
  EXPECT_EQ(problems_with({"PMJIT__HOSTS__NAMES=a"}),
            "C16 environment:1:1 [[hosts]] may occur several times | set it in a file\n");
  EXPECT_EQ(problems_with({"PMJIT__SINK__URL=a"}),
            "C16 environment:1:1 [[sink]] may occur several times | set it in a file\n");
  EXPECT_EQ(problems_with({"PMJIT__DERIVED__FILES=a"}),
            "C16 environment:1:23 `files` is a list of paths | set it in a file\n");
  EXPECT_EQ(problems_with({"PMJIT__INCLUDE=a"}),
            "C16 environment:1:16 `include` is a list of texts | set it in a file\n");
}

TEST(ConfigOverride, WrongValues) {
  EXPECT_EQ(problems_with({"PMJIT__DAEMON__THREADS=many"}),
            "C16 environment:1:24 `threads` is \"many\", not an integer\n");
  EXPECT_EQ(problems_with({"PMJIT__HTTP__INSECURE=1"}),
            "C16 environment:1:23 `insecure` is \"1\", not true or false\n");
  EXPECT_EQ(problems_with({"PMJIT__DAEMON__THREADS=1000"}),
            "C04 environment:1:24 `threads` is 1000, not 1 to 256\n");
  EXPECT_EQ(problems_with({}, {"fetch.timeout=3"}),
            "C02 --set:1:15 `timeout` is \"3\", not a duration like \"10s\" | write whole numbers "
            "with units: ms s m min h d w, as in \"1h30m\"\n");
}

TEST(ConfigOverride, NotSupportedYet) {
  EXPECT_EQ(problems_with({"PMJIT__SHARD__OF=3"}),
            "C18 environment:1:1 [shard] is not supported yet\n");
  EXPECT_EQ(problems_with({"PMJIT__DAEMON__USER=pcp"}),
            "C18 environment:1:1 `user` of [daemon] is not supported yet\n");
}

TEST(ConfigOverride, IsShownAsItWasWritten) {
  EXPECT_EQ(read_with("", {"PMJIT__LOG__LEVEL=loud"}).problems.text(),
            "error[C04]: `level` is \"loud\", not one of error, warn, info, debug\n"
            "  --> environment:1:19\n"
            "   |\n"
            " 1 | PMJIT__LOG__LEVEL=loud\n"
            "   |                   ^^^^\n");
}

}  // namespace
}  // namespace pmjit
