// What is wrong with addresses to listen on, each with what to type instead.
#include "agent/collector/listen_address.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <vector>

namespace pmjit {
namespace {

struct WrongAddresses {
  std::vector<std::string> addresses;
  std::string what, help;  // parts of the message
};

class WrongAddressTest : public testing::TestWithParam<WrongAddresses> {};

TEST_P(WrongAddressTest, SaysWhatAndWhatToType) {
  const auto checked = check_listen_addresses(GetParam().addresses);
  ASSERT_FALSE(checked);
  EXPECT_NE(checked.error().text().find(GetParam().what), std::string::npos)
      << checked.error().text();
  EXPECT_NE(checked.error().help().find(GetParam().help), std::string::npos)
      << checked.error().text();
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongAddressTest,
    testing::Values(
        WrongAddresses{{""}, "option --address: the address is empty", "leave --address out"},
        WrongAddresses{{"localhost"}, "address localhost: no address in numbers", "127.0.0.1"},
        WrongAddresses{{"127.0.0.1:44321"}, "no address in numbers", "--port"},
        WrongAddresses{{"[::1]"}, "no address in numbers", "::1"},
        WrongAddresses{{"127.0.0.1,::1"}, "no address in numbers", "once for each"},
        WrongAddresses{{"127.0.0.1", "127.0.0.1"}, "127.0.0.1: the address is given twice", "once"},
        WrongAddresses{{"::1", "127.0.0.1", "0:0::1"}, "the same address as ::1", "once"},
        WrongAddresses{
            {"0.0.0.0", "127.0.0.1"}, "127.0.0.1: 0.0.0.0 has it already", "--address 127.0.0.1"},
        WrongAddresses{
            {"::1", "::"}, "::1: :: has it already: that is all of IPv6", "--address ::1"},
        WrongAddresses{{"fe80::1"}, "of one network interface", "--address fe80::1%eth0"},
        WrongAddresses{{"fe80::1%no-such"}, "no network interface \"no-such\"", "ip -6 address"},
        WrongAddresses{{"::ffff:10.1.2.3"}, "an address of IPv4", "--address 10.1.2.3"},
        WrongAddresses{{"224.0.0.1"}, "of a group", "ip address"},
        WrongAddresses{{"ff02::1%lo"}, "of a group", "ip address"},
        WrongAddresses{{"255.255.255.255"}, "of a group", "ip address"}));

TEST(ListenAddress, TakesWhatCanBeListenedOnTogether) {
  const std::vector<std::vector<std::string>> good{{},
                                                   {"127.0.0.1", "127.0.0.2", "::1"},
                                                   {"0.0.0.0", "::"},
                                                   {"0.0.0.0", "::1"},
                                                   {"fe80::1%lo"},
                                                   {"fe80::1%1"}};
  for (const auto& addresses : good) {
    const auto checked = check_listen_addresses(addresses);
    EXPECT_TRUE(checked) << checked.error().text();
  }
}

TEST(ListenAddress, SuggestsAPortThatExists) {
  EXPECT_NE(listen_error(EADDRINUSE, "::1", 65535).help().find("--port 65534"), std::string::npos);
  EXPECT_NE(listen_error(EADDRINUSE, "::1", 44321).help().find("--port 44322"), std::string::npos);
}

TEST(ListenAddress, NamesNoPortThatIsNotKnown) {
  for (const int code : {EADDRINUSE, EADDRNOTAVAIL, EINVAL}) {
    EXPECT_EQ(listen_error(code, "::1", 0).text().find("port 0"), std::string::npos);
  }
}

TEST(ListenAddress, SaysWhyALogCannotBeOpened) {
  EXPECT_EQ(log_file_error(ENOENT, "no/log").text(),
            "file no/log: cannot write the log: No such file or directory\n"
            "  help: make its folder first, or choose another file with --log");
  EXPECT_NE(log_file_error(EISDIR, "logs").help().find("--log logs/collect.log"),
            std::string::npos);
}

}  // namespace
}  // namespace pmjit
