// Hosts of a configuration: lists, files, templates, labels, names that come twice.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/unit/daemon_config/memory_files.h"

namespace pmjit {
namespace {

ConfigRead read_with(const std::string& text, std::map<std::string, std::string> files) {
  files.emplace("pmjit.toml", text);
  return read_config({.path = "pmjit.toml"}, MemoryFiles(std::move(files)));
}

std::string hosts_text(const ConfigRead& read) {
  std::string out;
  for (const ConfigHost& host : read.config.hosts) {
    out += fmt::format("{} {}", host.name, host.spec);
    for (const auto& [label, value] : host.labels) out += fmt::format(" {}={}", label, value);
    out += '\n';
  }
  return out;
}

TEST(ConfigHosts, OfListsAndFiles) {
  const ConfigRead read = read_with(
      "[[hosts]]\ngroup='web'\nnames=['w[1-2]','x']\nspec='%n.%{site}:44321'\n"
      "labels={site='fra',role='web'}\n"
      "[[hosts]]\nfile='hosts'\ngroup='db'\ninterval_min='1s'\n",
      {{"hosts", "d1 10.0.0.7 role=primary\nd[2-3] group=other # comment\n"}});
  EXPECT_EQ(problem_lines(read.problems), "");
  EXPECT_EQ(hosts_text(read),
            "w1 w1.fra:44321 group=web host=w1 role=web site=fra\n"
            "w2 w2.fra:44321 group=web host=w2 role=web site=fra\n"
            "x x.fra:44321 group=web host=x role=web site=fra\n"
            "d1 10.0.0.7 group=db host=d1 role=primary\n"
            "d2 d2 group=other host=d2\n"
            "d3 d3 group=other host=d3\n");
  EXPECT_EQ(read.config.hosts[0].interval_min, Milliseconds(100));
  EXPECT_EQ(read.config.hosts[3].interval_min, Milliseconds(1000));
  EXPECT_EQ(read.config.hosts[3].block, 1u);
}

TEST(ConfigHosts, HaveTheirNameAsLabel) {
  const ConfigRead read = read_with(
      "[alerts]\nlabel_host='instance'\n[[hosts]]\nnames=['a','b']\n"
      "[[rules]]\nfiles=['r']\nhosts=['instance=~\"b|c\"']\n",
      {{"r", ""}});
  EXPECT_EQ(problem_lines(read.problems), "");
  EXPECT_EQ(hosts_text(read), "a a instance=a\nb b instance=b\n");
  EXPECT_EQ(read.config.rules[0].host_ids, std::vector<uint32_t>{1});
}

TEST(ConfigHosts, TwiceFromAFileIsAWarning) {
  const ConfigRead read = read_with("[[hosts]]\nnames=['a']\n[[hosts]]\nfile='h*'\n",
                                    {{"h1", "b x1\n a x2\n"}, {"h2", "b x3\nc\n"}});
  EXPECT_EQ(
      problem_lines(read.problems),
      "C07 h1:2:2 host a is named twice; the first one counts | pmjit.toml:2:8 names it, too\n"
      "C07 h2:1:1 host b is named twice; the first one counts | h1:1:1 names it, too\n");
  EXPECT_FALSE(read.problems.has_errors());
  EXPECT_EQ(hosts_text(read), "a a host=a\nb x1 host=b\nc c host=c\n");
}

TEST(ConfigHosts, LinesThatAreWrong) {
  const ConfigRead read = read_with("[[hosts]]\nfile='h'\n", {{"h", "a b c\nd[2-1]\ne\nf :x\n"}});
  EXPECT_EQ(
      problem_lines(read.problems),
      "C06 h:1:5 \"c\" is not a label | write NAME [SPEC] [label=value …]\n"
      "C06 h:2:3 2 is greater than 1 | write [1-2]\n"
      "C13 h:4:1 host specification :x: unexpected terminal character at \":x\" | write HOST, "
      "HOST:PORT, [IPV6]:PORT, unix:/PATH or local:\n");
  EXPECT_EQ(hosts_text(read), "e e host=e\n");
}

TEST(ConfigHosts, AFileThatIsNotThere) {
  EXPECT_EQ(problem_lines(read_with("[[hosts]]\nfile='h'\n", {}).problems),
            "C06 pmjit.toml:2:6 file h: no such file | is the name right, and may this user read "
            "it?\n");
}

TEST(ConfigHosts, AtMostSoMany) {
  const ConfigRead read = read_with("[[hosts]]\nnames=['a[1-60000]','b[1-60000]']\n", {});
  EXPECT_EQ(problem_lines(read.problems), "C04 pmjit.toml:2:21 more than 100000 hosts\n");
  EXPECT_EQ(read.config.hosts.size(), 100'000u);
}

TEST(ConfigHosts, RulesWithoutASelectorAreOfAll) {
  const ConfigRead read =
      read_with("[[hosts]]\nnames=['a','b']\n[[rules]]\nfiles=['r']\n", {{"r", ""}});
  EXPECT_EQ(read.config.rules[0].host_ids, (std::vector<uint32_t>{0, 1}));
}

TEST(ConfigHosts, SeveralMatchersMustAllMatch) {
  const ConfigRead read = read_with(
      "[[hosts]]\nnames=['a','b']\nlabels={x='1'}\n[[hosts]]\nnames=['c']\n"
      "[[rules]]\nfiles=['r']\nhosts=['x=\"1\"','host!=\"a\"']\n",
      {{"r", ""}});
  EXPECT_EQ(read.config.rules[0].host_ids, std::vector<uint32_t>{1});
}

}  // namespace
}  // namespace pmjit
