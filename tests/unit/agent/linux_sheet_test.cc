// Files of /proc as sheets, and places in them.
#include "agent/linux/linux_sheet.h"

#include <gtest/gtest.h>

#include "agent/linux/linux_machine.h"

namespace pmjit {
namespace {

LinuxSheet sheet_of(LinuxSourceId id, std::string text) {
  return LinuxSheet(source_of(id), std::move(text));
}

std::optional<uint64_t> whole(const LinuxSheet& sheet, std::string_view place,
                              std::string_view instance = "") {
  return whole_at(sheet, parse_place(place).front(), instance);
}

TEST(LinuxSheet, FindsRowsByTheirFirstWord) {
  const auto sheet = sheet_of(LinuxSourceId::stat, "cpu  10 20 30\ncpu0 4 5\n\nintr 7 0 0");
  EXPECT_EQ(whole(sheet, "cpu.1"), 10u);
  EXPECT_EQ(whole(sheet, "@.2", "cpu0"), 5u);
  EXPECT_EQ(whole(sheet, "intr.1"), 7u);
  EXPECT_EQ(whole(sheet, "cpu.4"), std::nullopt);   // an old kernel has fewer
  EXPECT_EQ(whole(sheet, "cpu1.1"), std::nullopt);  // no such row
}

TEST(LinuxSheet, ComputesPlaces) {
  const auto sheet = sheet_of(LinuxSourceId::meminfo, "MemTotal: 100 kB\nMemFree:  30 kB\n");
  EXPECT_EQ(whole(sheet, "MemTotal.1-MemFree.1"), 70u);
  EXPECT_EQ(whole(sheet, "MemFree.1-MemTotal.1"), 0u);  // never below
  EXPECT_EQ(whole(sheet, "MemTotal.1*1024+MemFree.1/3"), 102'410u);
  EXPECT_EQ(whole(sheet, "MemTotal.1-MemShared.1"), std::nullopt);
  EXPECT_EQ(whole(sheet, "MemTotal.2"), std::nullopt);  // "kB" is no number
}

TEST(LinuxSheet, ReadsFilesOfOneRow) {
  const auto load = sheet_of(LinuxSourceId::loadavg, "0.25 1.50 2.00 3/456 789\n");
  const auto places = parse_place(".1;.2;.3");
  ASSERT_EQ(places.size(), 3u);
  EXPECT_EQ(number_at(load, places[1], ""), 1.5);
  EXPECT_EQ(whole(load, ".4"), 3u);
  EXPECT_EQ(whole(load, ".5"), 456u);
  EXPECT_EQ(whole(load, ".6"), 789u);
  EXPECT_EQ(whole(sheet_of(LinuxSourceId::loadavg, ""), ".1"), std::nullopt);
}

TEST(LinuxSheet, SplitsAtTheSeparatorsOfTheFile) {
  const auto net = sheet_of(LinuxSourceId::net_dev,
                            "Inter-| Receive\n face |bytes\n    lo:1 2 3\n  eth0: 4 5 6\n");
  EXPECT_EQ(net.rows(), (std::vector<std::string_view>{"lo", "eth0"}));
  EXPECT_EQ(whole(net, "@.1", "lo"), 1u);
  EXPECT_EQ(whole(net, "@.1+@.3", "eth0"), 10u);
  const auto disks = sheet_of(LinuxSourceId::diskstats, " 8 0 sda 11 12\n 8 1 sda1 13 14\n 8\n");
  EXPECT_EQ(disks.rows(), (std::vector<std::string_view>{"sda", "sda1"}));
  EXPECT_EQ(whole(disks, "@.2", "sda"), 12u);
  const auto pressure =
      sheet_of(LinuxSourceId::pressure_cpu, "some avg10=1.25 avg60=0.50 avg300=0.00 total=99\n");
  EXPECT_EQ(number_at(pressure, parse_place("some.2")[0], ""), 1.25);
  EXPECT_EQ(whole(pressure, "some.8"), 99u);
}

TEST(LinuxSheet, PairsNamesWithNumbers) {
  const auto snmp = sheet_of(LinuxSourceId::snmp,
                             "Ip: Forwarding InReceives\nIp: 1 22\nTcp: MaxConn InSegs\nTcp: -1 5\n"
                             "Udp: InDatagrams\n");
  EXPECT_EQ(whole(snmp, "Ip.InReceives"), 22u);
  EXPECT_EQ(whole(snmp, "Tcp.MaxConn"), UINT64_MAX);
  EXPECT_EQ(whole(snmp, "Tcp.NoSuch"), std::nullopt);
  EXPECT_EQ(whole(snmp, "Udp.InDatagrams"), std::nullopt);  // its numbers are missing
}

TEST(LinuxSheet, ReadsBlocks) {
  const auto cpus = sheet_of(LinuxSourceId::cpuinfo,
                             "processor\t: 0\ncpu MHz\t\t: 2500.5\nmodel name\t: A B\n\n"
                             "processor\t: 1\ncpu MHz\t\t: 100\ncache size\t: 512 KB\n");
  EXPECT_EQ(cpus.rows(), (std::vector<std::string_view>{"cpu0", "cpu1"}));
  EXPECT_EQ(number_at(cpus, parse_place("@.cpu MHz")[0], "cpu0"), 2500.5);
  EXPECT_EQ(text_at(cpus, parse_place("@.model name")[0], "cpu0"), "A B");
  EXPECT_EQ(text_at(cpus, parse_place("@.model name")[0], "cpu1"), std::nullopt);
  EXPECT_EQ(whole(cpus, "@.cache size", "cpu1"), 512u);
}

TEST(LinuxMachine, TellsDisksFromPartitions) {
  for (const char* disk : {"sda", "vda", "nvme0n1", "mmcblk0", "nbd3", "rbd12", "xvdb"}) {
    EXPECT_TRUE(is_whole_disk(disk)) << disk;
    EXPECT_FALSE(is_partition(disk)) << disk;
  }
  for (const char* part : {"sda1", "vda12", "nvme0n1p2", "mmcblk0p1", "nbd3p1"}) {
    EXPECT_FALSE(is_whole_disk(part)) << part;
    EXPECT_TRUE(is_partition(part)) << part;
  }
  for (const char* other : {"loop0", "ram1", "zram0", "sr0", "dm-3", "md127"}) {
    EXPECT_FALSE(is_whole_disk(other) || is_partition(other)) << other;
  }
}

}  // namespace
}  // namespace pmjit
