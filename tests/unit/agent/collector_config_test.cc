// What pmcd -v says of a configuration, and what statements of [access] then allow.
#include "agent/collector/collector_config.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "runtime/model/pm_codes.h"

namespace pmjit {
namespace {

// Names as the machine had them where the vectors were made.
AccessNames names_of_tables() {
  return {.addresses = [](const std::string& host) -> std::vector<PeerAddress> {
            const auto address = parse_peer_address(host);
            if (!address) return {};
            return {*address};
          },
          .user = [](const std::string& name) -> std::optional<uint32_t> {
            if (name == "root") return 0;
            if (name == "pcp") return 900;
            return {};
          },
          .group = [](const std::string& name) -> std::optional<uint32_t> {
            if (name == "root") return 0;
            return {};
          },
          .own_addresses = []() -> std::vector<PeerAddress> {
            return {*parse_peer_address("192.0.2.1"), *parse_peer_address("127.0.0.1"),
                    *parse_peer_address("::1")};
          }};
}

struct ConfigVector {
  std::string name, text, expected;
  std::optional<std::string> access{};
};

std::vector<ConfigVector> config_vectors() {
  std::vector<ConfigVector> out;
  std::ifstream file(PMJIT_GOLDEN "/pmcd_conf/vectors.txt");
  std::string* into = nullptr;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("=== ")) {
      out.push_back({.name = line.substr(4), .text = "", .expected = ""});
      into = &out.back().text;
    } else if (line == "--- access") {
      into = &out.back().access.emplace();
    } else if (line == "--- expect") {
      into = &out.back().expected;
    } else if (line.ends_with("<no newline>")) {
      into->append(line, 0, line.size() - std::string_view("<no newline>").size());
    } else {
      into->append(line).append("\n");
    }
  }
  return out;
}

std::string verdict(const CollectorConfig& config) {
  std::string out;
  for (const std::string& message : config.messages) out += message + "\n";
  return out + (config.good ? "exit=0\n" : "exit=1\n");
}

TEST(CollectorConfigTest, SaysWhatPmcdSays) {
  const auto vectors = config_vectors();
  EXPECT_GT(vectors.size(), 120u);
  for (const ConfigVector& one : vectors) {
    // pmcd cannot parse what its manual has: nobody's file changes its meaning where we can.
    if (one.name == "bad-access-unlimited") continue;
    ConfigTexts texts{.text = one.text};
    if (one.access) texts.access = *one.access;
    const std::string said = verdict(read_collector_config(texts, names_of_tables()));
    if (one.expected == "exit=1\n") {  // pmcd does not say why
      EXPECT_NE(said.find(": Error: empty or incomplete permissions list\n"), said.npos)
          << one.name;
    } else {
      EXPECT_EQ(said, one.expected) << one.name;
    }
  }
}

TEST(CollectorConfigTest, ReadsAgents) {
  const CollectorConfig config = read_collector_config(
      {.text = "pmcd 2 dso pmcd_init /usr/x.so\n"
               "b 251 pipe binary notready /usr/b -d \"two words\" \\#c \\\n last # no\n"
               "d 253 socket inet 2078 /usr/d -i 2078\nf 255 SOCKET unix /usr/s\n"},
      names_of_tables());
  ASSERT_EQ(config.agents.size(), 4u);
  EXPECT_EQ(config.agents[0].entry, "pmcd_init");
  EXPECT_TRUE(config.agents[1].not_ready);
  EXPECT_EQ(config.agents[1].command,
            (std::vector<std::string>{"/usr/b", "-d", "two words", "#c", "last"}));
  EXPECT_EQ(config.agents[2].port, 2078u);
  EXPECT_EQ(config.agents[3].transport, AgentTransport::local);
  EXPECT_TRUE(config.agents[3].command.empty());
  AgentLine renamed = config.agents[3];
  renamed.label = "other";
  EXPECT_TRUE(renamed.same_agent(config.agents[3]));
  EXPECT_FALSE(renamed.same_agent(config.agents[2]));
}

class AccessTest : public testing::Test {
 protected:
  void read(const std::string& statements) {
    config_ = read_collector_config({.text = "[access]\n" + statements}, names_of_tables());
    EXPECT_TRUE(config_.good) << verdict(config_);
  }
  // What may not be done, or the code.
  int admit(const std::string& address) {
    const AccessPeer peer{.addresses = {parse_peer_address(address).value_or(PeerAddress{})}};
    uint8_t denied = 0;
    const int code = config_.access.admit(peer, denied);
    return code != 0 ? code : denied;
  }
  int admit_user(std::optional<uint32_t> user, std::vector<uint32_t> groups) {
    uint8_t denied = 0;
    const int code = config_.access.admit_user(
        {.addresses = {}, .user_id = user, .group_ids = std::move(groups)}, denied);
    return code != 0 ? code : denied;
  }
  CollectorConfig config_;
};

TEST_F(AccessTest, TheMoreSpecificStatementWins) {
  read("disallow .* : all; allow 10.* : fetch; disallow 10.1.* : fetch; allow 10.1.2.3 : all;");
  EXPECT_EQ(admit("192.0.2.7"), pm_err::E_PERMISSION);
  EXPECT_EQ(admit("10.2.0.1"), kStoreOperation);
  EXPECT_EQ(admit("10.1.0.1"), pm_err::E_PERMISSION);
  EXPECT_EQ(admit("10.1.2.3"), 0);
  EXPECT_EQ(admit("::7"), 0);  // no statement is about it
  EXPECT_EQ(admit("unix:"), 0);
}

TEST_F(AccessTest, DebianAllowsStoresToLocalClients) {
  read("disallow \".*\" : store; disallow \":*\" : store; allow \"local:*\" : all;");
  EXPECT_EQ(admit("192.0.2.7"), kStoreOperation);
  EXPECT_EQ(admit("unix:"), 0);
  EXPECT_EQ(admit("192.0.2.1"), 0);
}

TEST_F(AccessTest, CountsConnectionsAndTakesRefusedOnesBack) {
  read("allow 10.* : all, maximum 2 connections;");
  const AccessPeer peer{.addresses = {*parse_peer_address("10.0.0.1")}};
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(admit("10.0.0.1"), 0);
    EXPECT_EQ(admit("10.0.0.2"), 0);
    EXPECT_EQ(admit("10.0.0.3"), pm_err::E_CONNLIMIT);
    config_.access.leave(peer);
    config_.access.leave(peer);
  }
}

TEST_F(AccessTest, UsersAndGroupsHaveToBeKnown) {
  read(
      "allow user pcp : all; allow user root : fetch; allow group * : all; disallow group root : "
      "store;");
  EXPECT_TRUE(config_.access.asks_who());
  EXPECT_EQ(admit_user({}, {}), pm_err::E_PERMISSION);
  EXPECT_EQ(admit_user(900, {900}), 0);
  EXPECT_EQ(admit_user(900, {0}), kStoreOperation);
  EXPECT_EQ(admit_user(0, {900}), 0);  // what a list does not mention may be done by who is in it
  EXPECT_EQ(admit_user(5, {5}), pm_err::E_PERMISSION);
}

TEST_F(AccessTest, Ipv6Wildcards) {
  read("disallow \"fe80:*\" : all; allow \"fe80::1:*\" : fetch;");
  EXPECT_EQ(admit("fe80::1:7"), kStoreOperation);
  EXPECT_EQ(admit("fe80::2:7"), pm_err::E_PERMISSION);
  EXPECT_EQ(admit("fe81::1"), 0);
}

}  // namespace
}  // namespace pmjit
