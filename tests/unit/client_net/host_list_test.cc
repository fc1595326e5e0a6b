// Lists of hosts in one text, lines of hosts' files, and templates of specifications.
#include "runtime/client/host_list.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace pmjit {
namespace {

std::string names_text(std::string_view list) {
  const auto names = expand_hosts(list);
  return names ? fmt::format("{}", fmt::join(*names, " "))
               : fmt::format("{}+{}: {}", names.error().offset, names.error().length,
                             names.error().what);
}

TEST(HostList, Expands) {
  EXPECT_EQ(names_text("web1"), "web1");
  EXPECT_EQ(names_text("web[1-3]"), "web1 web2 web3");
  EXPECT_EQ(names_text("web[08-11]"), "web08 web09 web10 web11");
  EXPECT_EQ(names_text("web[8-11]"), "web8 web9 web10 web11");
  EXPECT_EQ(names_text("db[a,b].fra"), "dba.fra dbb.fra");
  EXPECT_EQ(names_text("n[1-2,7,x]"), "n1 n2 n7 nx");
  EXPECT_EQ(names_text("r[1-2]n[1,2]"), "r1n1 r1n2 r2n1 r2n2");
  EXPECT_EQ(names_text("[eu-west,us-east]-1"), "eu-west-1 us-east-1");
  EXPECT_EQ(names_text("[0-0]"), "0");
  EXPECT_EQ(names_text("web-1.example.org:44321"), "web-1.example.org:44321");
}

TEST(HostList, LeavesAddressesAlone) {
  EXPECT_EQ(names_text("[fe80::1]:44321"), "[fe80::1]:44321");
  EXPECT_EQ(names_text("pcp://[::1]"), "pcp://[::1]");
}

TEST(HostList, CountsToTheLimit) {
  EXPECT_EQ(expand_hosts("h[1-100000]")->size(), 100'000u);
  EXPECT_EQ(expand_hosts("h[1-100][1-1000]")->size(), 100'000u);
  EXPECT_EQ(expand_hosts("h[001-600]")->at(599), "h600");
}

TEST(HostList, RefusesWithAPlace) {
  EXPECT_EQ(names_text(""), "0+0: an empty name");
  EXPECT_EQ(names_text("web 1"), "3+1: a blank within a name");
  EXPECT_EQ(names_text("web[1-3"), "3+1: [ without ]");
  EXPECT_EQ(names_text("web1-3]"), "6+1: ] without [");
  EXPECT_EQ(names_text("web[]"), "4+0: nothing between the signs");
  EXPECT_EQ(names_text("web[1,,2]"), "6+0: nothing between the signs");
  EXPECT_EQ(names_text("web[9-1]"), "4+3: 9 is greater than 1");
  EXPECT_EQ(names_text("web[01-100]"), "4+6: 01 and 100 differ in length");
  EXPECT_EQ(names_text("web[a-c]"), "4+3: only numbers count");
  EXPECT_EQ(names_text("web[1[2]]"), "5+1: \"[\" within brackets");
  EXPECT_EQ(names_text("h[0-100000]"), "0+11: more than 100000 hosts");
  EXPECT_EQ(names_text("h[1-1000][1-101]"), "0+16: more than 100000 hosts");
  EXPECT_EQ(names_text("h[1-99999999999999999999]"), "0+25: more than 100000 hosts");
}

std::string file_text(std::string_view text) {
  const HostFile file = read_host_lines(text);
  std::string out;
  for (const ListedHost& host : file.hosts) {
    out += host.name + (host.spec.empty() ? "" : " " + host.spec);
    for (const auto& [name, value] : host.labels) out += fmt::format(" {}={}", name, value);
    out += '\n';
  }
  for (const HostListProblem& problem : file.problems) {
    out += fmt::format("{}: {}\n", problem.offset, problem.what);
  }
  return out;
}

TEST(HostLines, AreRead) {
  EXPECT_EQ(file_text("# ours\n"
                      "db1 pcp://10.0.0.7 role=primary\n"
                      "\n"
                      "  db2   role=replica zone=  # the other\n"
                      "web[1-2] %n.fra:44321\r\n"
                      "x unix:/run/pcp/pmcd.socket\n"
                      "y host?container=a=b"),
            "db1 pcp://10.0.0.7 role=primary\n"
            "db2 role=replica zone=\n"
            "web1 %n.fra:44321\n"
            "web2 %n.fra:44321\n"
            "x unix:/run/pcp/pmcd.socket\n"
            "y host?container=a=b\n");
  EXPECT_EQ(file_text(""), "");
}

TEST(HostLines, SayWhatIsWrong) {
  EXPECT_EQ(file_text("a b c\nd e f=1 f=2\ng[\nh\n"),
            "h\n"
            "4: \"c\" is not a label\n"
            "14: f is given twice\n"
            "19: [ without ]\n");
  EXPECT_EQ(read_host_lines("a[1-60000]\nb[1-60000]\nc").problems[0].offset, 11u);
  EXPECT_EQ(read_host_lines("a[1-60000]\nb[1-60000]\nc").hosts.size(), 60'000u);
}

TEST(HostSpecTemplate, IsFilled) {
  const ListedLabels labels{{"site", "fra1"}};
  EXPECT_EQ(*fill_host_spec("pcps://%n.%{site}.org:44321", "web1", labels),
            "pcps://web1.fra1.org:44321");
  EXPECT_EQ(*fill_host_spec("%n?password=a%25b%", "web1", labels), "web1?password=a%25b%");
  EXPECT_EQ(fill_host_spec("%{team}", "web1", labels).error().what, "web1 has no label team");
  EXPECT_EQ(fill_host_spec("%{team", "web1", labels).error().what, "%{ without }");
}

}  // namespace
}  // namespace pmjit
