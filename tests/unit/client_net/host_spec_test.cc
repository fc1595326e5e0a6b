// Host specifications as PCP's library reads them, those that this client refuses, and what the
// environment says of connections.
#include "runtime/client/host_spec.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <map>

#include "runtime/client/client_settings.h"
#include "tests/unit/model/vectors.h"

namespace pmjit {
namespace {

std::string hosts_text(const HostSpec& spec) {
  if (spec.kind != HostSpec::Kind::remote) {
    return fmt::format("{} <{}>", spec.path.empty() ? "/run/pcp/pmcd.socket" : spec.path,
                       spec.kind == HostSpec::Kind::local ? "local" : "unix");
  }
  std::vector<std::string> out;
  for (const auto& address : spec.addresses) {
    out.push_back(address.name + (address.ports.empty() ? "" : ":"));
    out.back() += fmt::format("{}", fmt::join(address.ports, ","));
  }
  return fmt::format("{}", fmt::join(out, " "));
}

// Attributes in the order of their names: the library's order is that of a table.
std::string attributes_text(const HostSpec& spec) {
  std::vector<std::string> out;
  for (const auto& [attribute, value] : spec.attributes) {
    const bool bare = value.empty() && spec.text.find(fmt::format(
                                           "{}=", attribute_name(attribute))) == std::string::npos;
    out.push_back(fmt::format("{}{}{}", attribute_name(attribute), bare ? "" : "=", value));
  }
  if (spec.kind == HostSpec::Kind::local) out.emplace_back("local=local");
  if (spec.kind == HostSpec::Kind::unix_socket) out.emplace_back("unixsock=unix");
  if (spec.scheme.starts_with("pcp")) out.push_back("protocol=" + spec.scheme);
  std::ranges::sort(out);
  return fmt::format("{}", fmt::join(out, ";"));
}

std::string sorted(std::string_view attributes) {
  std::vector<std::string> out;
  while (!attributes.empty()) {
    const size_t end = attributes.find(';');
    out.emplace_back(attributes.substr(0, end));
    attributes.remove_prefix(end + 1);
  }
  std::ranges::sort(out);
  return fmt::format("{}", fmt::join(out, ";"));
}

TEST(HostSpecs, AreReadAsTheReferenceReadsThem) {
  const auto rows = read_vectors("hostspec.tsv");
  Tally tally("hostspec.tsv", rows.size());
  for (const VectorRow& row : rows) {
    const auto field = [&](size_t i) { return i < row.size() ? row[i] : std::string(); };
    const std::string wanted =
        fmt::format("{}|{}|{}|{}|{}", field(1), field(2), field(3), sorted(field(4)), field(5));
    const auto spec = parse_host_spec(row[0]);
    if (!spec) {
      const bool invalid = spec.error().code == -EINVAL;
      const std::string said = pcp_text(row[0], spec.error());
      tally.judge(fmt::format("{}|0|||{}", invalid ? "-EINVAL" : "PM_ERR_GENERIC", said), wanted,
                  row);
      EXPECT_NE(spec_error(row[0], spec.error()).help(), "");
      continue;
    }
    const size_t hosts = spec->kind == HostSpec::Kind::remote ? spec->addresses.size() : size_t{1};
    tally.judge(fmt::format("0|{}|{}|{}|", hosts, hosts_text(*spec), attributes_text(*spec)),
                wanted, row);
  }
}

// Seen of pmNewContext; the vectors do not have them.
TEST(HostSpecs, MayNameNobodyBetweenBrackets) {
  EXPECT_EQ(parse_host_spec("[]:1")->addresses.front().name, "");
  EXPECT_EQ(parse_host_spec("a@")->addresses.size(), 2u);
  EXPECT_EQ(parse_host_spec("/run/pcp/pmcd.socket")->addresses.size(), 0u);
  EXPECT_EQ(parse_host_spec("?compress")->addresses.size(), 0u);
  EXPECT_EQ(parse_host_spec("[]:").error().message, "missing port");
  for (const char* const text : {"[]", "[]:1", "/", "?compress"}) {
    EXPECT_EQ(spec_refusal(*parse_host_spec(text))->what(), "no host is named") << text;
  }
}

TEST(HostSpecs, SayWhatCannotBe) {
  const auto refusal = [](std::string_view text) {
    const auto error = spec_refusal(*parse_host_spec(text));
    return error ? error->text() : "";
  };
  EXPECT_EQ(refusal("web1"), "");
  EXPECT_EQ(refusal("unix:"), "");
  EXPECT_EQ(refusal("web1?container=x&exclusive"), "");
  for (const char* const good : {"pcps://web1", "web1?user=bob", "web1@gate",
                                 "pcps://web1?secure=relaxed", "web1?secure=perhaps"}) {
    EXPECT_EQ(refusal(good), "") << good;
  }
  EXPECT_EQ(refusal("pcps://web1?secure=perhaps"),
            "host specification pcps://web1?secure=perhaps: there is no secure=perhaps\n"
            "  help: write secure=enforce, or secure=relaxed: encrypted where the host can");
  EXPECT_NE(refusal("web1?compress").find("compressed"), std::string::npos);
  EXPECT_EQ(spec_error("host:12x", parse_host_spec("host:12x").error()).text(),
            "host specification host:12x: non-numeric port at \"x\"\n"
            "  help: write HOST, HOST:PORT, [IPV6]:PORT, unix:/PATH or local:");
}

TEST(HostSpecs, HideThePassword) {
  const auto spec = parse_host_spec("web1?pass=a%26b&user=bob&password=c/x");
  EXPECT_EQ(spec->text, "web1?pass=***&user=bob&password=***/x");
  EXPECT_EQ(*spec->attribute(HostAttribute::password), "c");
  EXPECT_EQ(spec->attribute(HostAttribute::realm), nullptr);
}

TEST(ClientSettings, ComeFromTheEnvironment) {
  std::map<std::string, std::string> environment;
  std::vector<BadSetting> warnings;
  const auto read = [&] {
    warnings.clear();
    return read_client_settings(
        [&](const char* name) {
          const auto found = environment.find(name);
          return found == environment.end() ? nullptr : found->second.c_str();
        },
        warnings);
  };
  using std::chrono::seconds;
  EXPECT_EQ(read().ports, std::vector<uint32_t>{44321});
  environment = {{"PMCD_PORT", "1, 3,,70000,2"},    {"PCP_RUN_DIR", "/run/x"},
                 {"PMCD_CONNECT_TIMEOUT", "0.5"},   {"PMCD_REQUEST_TIMEOUT", "1.9"},
                 {"PMCD_RECONNECT_TIMEOUT", "1,2"}, {"PCP_CONTAINER", "box"}};
  const ClientSettings settings = read();
  EXPECT_EQ(settings.ports, (std::vector<uint32_t>{1, 3, 2}));
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].text(),
            "ignored bad PMCD_PORT = '70000': a port is a number from 1 to 65535");
  EXPECT_EQ(settings.socket_path, "/run/x/pmcd.socket");
  EXPECT_EQ(settings.connect_timeout, std::chrono::milliseconds(500));
  EXPECT_EQ(settings.request_timeout, seconds(1)) << "PCP cuts the fraction off";
  EXPECT_EQ(settings.reconnect_delays, (std::vector{seconds(1), seconds(2)}));
  EXPECT_EQ(settings.container, "box");
  EXPECT_EQ(settings.secure, TlsWish::none);
  EXPECT_EQ(settings.proxy, std::nullopt);
  EXPECT_EQ(settings.tls_path, "/etc/pcp/tls.conf");
  environment = {{"PMCD_PORT", "1,x,2"}, {"PMCD_CONNECT_TIMEOUT", ""}};
  EXPECT_EQ(read().ports, std::vector<uint32_t>{44321}) << "as to PCP's library";
  EXPECT_EQ(read().connect_timeout, seconds(5));
  EXPECT_EQ(warnings.size(), 1u);
  environment = {{"PMCD_SOCKET", "/s"},           {"PCP_RUN_DIR", "/run/x"},
                 {"PMCD_REQUEST_TIMEOUT", "abc"}, {"PMCD_RECONNECT_TIMEOUT", "5,0"},
                 {"PCP_SECURE_SOCKETS", ""},      {"PMPROXY_HOST", "gate"}};
  EXPECT_EQ(read().socket_path, "/s");
  EXPECT_EQ(read().request_timeout, seconds(10));
  EXPECT_EQ(read().reconnect_delays.size(), 5u);
  EXPECT_EQ(read().secure, TlsWish::enforced);
  EXPECT_EQ(read().proxy, "gate");
  EXPECT_EQ(read().proxy_port, 44'322u);
  EXPECT_EQ(warnings.size(), 2u);
  environment = {{"PMCD_REQUEST_TIMEOUT", "0.9"}, {"PCP_SECURE_SOCKETS", "relaxed"}};
  EXPECT_EQ(read().request_timeout, kNoTimeLimit);
  EXPECT_EQ(read().secure, TlsWish::relaxed);
  environment = {
      {"PMPROXY_PORT", "7,8"}, {"PCP_TLSCONF_PATH", "/t"}, {"PCP_ALLOW_SERVER_SELF_CERT", ""}};
  EXPECT_EQ(read().proxy_port, 7u);
  EXPECT_EQ(read().tls_path, "/t");
  EXPECT_TRUE(read().any_issuer);
  EXPECT_FALSE(read().any_name);
}

}  // namespace
}  // namespace pmjit
