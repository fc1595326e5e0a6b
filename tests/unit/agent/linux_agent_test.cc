// The agent `linux` over a folder that stands for "/".
#include "agent/linux/linux_agent.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/ipc.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/vfs.h>
#include <unistd.h>
#include <utmp.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>

#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"

namespace pmjit {
namespace {

class LinuxAgentTest : public testing::Test {
 protected:
  LinuxAgentTest()
      : root_(testing::TempDir() + "linux_agent_" + std::to_string(getpid()) +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::filesystem::remove_all(root_);
    std::filesystem::create_directories(root_);
  }
  ~LinuxAgentTest() override { std::filesystem::remove_all(root_); }

  void write(const std::string& path, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text;
  }

  // "0=5 1=6" of instances and values; "=5" of a singular metric; "-12350" of an error.
  std::string value_of(std::string_view name) {
    if (!agent_) agent_.emplace(root_);
    const auto metrics = agent_->metrics();
    const auto found = std::ranges::find(metrics, name, &AgentMetric::name);
    EXPECT_NE(found, metrics.end()) << name;
    if (found == metrics.end()) return "no such metric";
    AgentValues column;
    column.start(found->desc);
    const uint32_t which[] = {static_cast<uint32_t>(found - metrics.begin())};
    AgentValues* const out[] = {&column};
    agent_->fetch(which, {}, out);
    FetchedSet set;
    column.give(set, [](int32_t) { return true; });
    if (set.count < 0) return fmt::format("{}", set.count);
    std::string text;
    for (const Value& value : set.values) {
      if (value.instance != kSingular) text += fmt::format("{}", value.instance);
      text += "=" + printed(set.format, found->desc.pm_type, value) + " ";
    }
    if (!text.empty()) text.pop_back();
    return text;
  }

  static std::string printed(ValueFormat format, int type, const Value& value) {
    const auto atom = load_atom(format, type, value).value();
    switch (type) {
      case pm_type::string: return std::string(atom.text());
      case pm_type::f32: return fmt::format("{}", atom.f32);
      case pm_type::f64: return fmt::format("{}", atom.f64);
      case pm_type::u32: return fmt::format("{}", atom.u32);
      case pm_type::i32: return fmt::format("{}", atom.i32);
      default: return fmt::format("{}", atom.u64);
    }
  }

  std::string root_;
  std::optional<LinuxAgent> agent_;
};

TEST_F(LinuxAgentTest, CountsProcessorTimeInMilliseconds) {
  write("/proc/stat",
        "cpu  30 4 5 6 7 8 9 10 11 1\ncpu0 10 1 2 3 4 5 6 7 2 0\ncpu1 20 3 3 3 3 3 3 3 9 1\n"
        "ctxt 77\nbtime 1700000000\n");
  EXPECT_EQ(value_of("kernel.all.cpu.user"), "=300");
  EXPECT_EQ(value_of("kernel.all.cpu.intr"), "=170");
  EXPECT_EQ(value_of("kernel.all.cpu.vuser"), "=190");
  EXPECT_EQ(value_of("kernel.percpu.cpu.user"), "0=100 1=200");
  EXPECT_EQ(value_of("kernel.all.pswitch"), "=77");
  EXPECT_EQ(value_of("kernel.all.sysfork"), "");  // no such line
  EXPECT_EQ(value_of("hinv.ncpu"), "=2");
  EXPECT_EQ(value_of("kernel.all.load"), "-12350");  // no such file: PM_ERR_APPVERSION
}

TEST_F(LinuxAgentTest, KeepsTheNumberOfAnInstance) {
  const std::string disk = " 10 0 8 4 20 0 16 6 0 10 30\n";
  write("/proc/diskstats", " 8 0 sda" + disk + " 8 1 sda1" + disk + " 7 0 loop0" + disk);
  EXPECT_EQ(value_of("disk.dev.total"), "0=30");
  EXPECT_EQ(value_of("disk.dev.read_bytes"), "0=4");
  EXPECT_EQ(value_of("disk.partitions.read"), "0=10");
  write("/proc/diskstats", " 8 16 sdb" + disk + " 8 0 sda" + disk);
  EXPECT_EQ(value_of("disk.dev.write"), "1=20 0=20");
  EXPECT_EQ(value_of("disk.all.write"), "=40");
  EXPECT_EQ(value_of("hinv.ndisk"), "=2");
  write("/proc/diskstats", " 8 16 sdb" + disk);
  EXPECT_EQ(value_of("disk.dev.write"), "1=20");
}

TEST_F(LinuxAgentTest, ReadsAFileOnceAndOnlyWhenAskedFor) {
  write("/proc/meminfo", "MemTotal: 2048 kB\nMemFree: 1000 kB\n");
  write("/proc/uptime", "12.5 3.25\n");
  LinuxAgent agent(root_);
  std::vector<uint32_t> which;
  for (uint32_t i = 0; i < agent.metrics().size(); ++i) {
    if (agent.metrics()[i].name.starts_with("mem.util.")) which.push_back(i);
  }
  std::vector<AgentValues> columns(which.size());
  std::vector<AgentValues*> out;
  for (size_t i = 0; i < which.size(); ++i) {
    columns[i].start(agent.metrics()[which[i]].desc);
    out.push_back(&columns[i]);
  }
  agent.fetch(which, {}, out);
  EXPECT_GT(which.size(), 40u);
  EXPECT_EQ(agent.files_read(), 1u);
}

TEST_F(LinuxAgentTest, ComputesMemoryAndUptime) {
  write("/proc/meminfo", "MemTotal: 2048 kB\nMemFree: 1000 kB\nSwapTotal: 10 kB\nSwapFree: 4 kB\n");
  write("/proc/uptime", "12.5 3.25\n");
  EXPECT_EQ(value_of("mem.util.used"), "=1048");
  EXPECT_EQ(value_of("hinv.physmem"), "=2");
  EXPECT_EQ(value_of("swap.used"), "=6144");
  EXPECT_EQ(value_of("mem.util.shared"), "");
  EXPECT_EQ(value_of("kernel.all.uptime"), "=12.5");
  EXPECT_EQ(value_of("kernel.all.idletime"), "=3.25");
}

TEST_F(LinuxAgentTest, LooksAtInterfaces) {
  write("/proc/net/dev",
        "a\nb\n lo: 1 2 0 0 0 0 0 0 3 4 0 0 0 0 0 0\n eth0:5 6 0 0 0 0 0 0 7 8 0 0 0 0 0 0\n");
  for (const auto& [name, flags, speed, state] : std::vector<std::array<const char*, 4>>{
           {"lo", "0x9", "", "unknown"}, {"eth0", "0x1002", "1000", "down"}}) {
    const std::string folder = std::string("/sys/class/net/") + name;
    write(folder + "/flags", std::string(flags) + "\n");
    write(folder + "/mtu", "1500\n");
    write(folder + "/operstate", std::string(state) + "\n");
    write(folder + "/speed", *speed == '\0' ? "-1\n" : std::string(speed) + "\n");
  }
  write("/sys/class/net/eth0/duplex", "full\n");
  EXPECT_EQ(value_of("network.interface.total.bytes"), "0=4 1=12");
  EXPECT_EQ(value_of("network.interface.mtu"), "0=1500 1=1500");
  EXPECT_EQ(value_of("network.interface.up"), "0=1 1=0");
  EXPECT_EQ(value_of("network.interface.running"), "0=1 1=0");
  EXPECT_EQ(value_of("network.interface.baudrate"), "1=125000000");
  EXPECT_EQ(value_of("network.interface.speed"), "1=119.20929");
  EXPECT_EQ(value_of("network.interface.duplex"), "1=2");
}

TEST_F(LinuxAgentTest, ListsMountedFileSystems) {
  write("/proc/self/mounts",
        "proc /proc proc rw 0 0\n/dev/sda1 / ext4 rw,relatime 0 0\n/dev/sda1 /again ext4 rw 0 0\n"
        "/dev/sdb1 /with\\040blank ext4 ro,noatime 0 0\ntmpfs /run tmpfs rw 0 0\n"
        "tmpfs /run tmpfs rw 0 0\n/dev/sdc1 /gone ext4 rw 0 0\n");
  std::filesystem::create_directories(root_ + "/with blank");
  std::filesystem::create_directories(root_ + "/run");
  EXPECT_EQ(value_of("filesys.mountdir"), "0=/ 1=/with blank");
  EXPECT_EQ(value_of("filesys.readonly"), "0=0 1=1");
  struct statfs room{};
  ASSERT_EQ(statfs(root_.c_str(), &room), 0);
  EXPECT_EQ(value_of("filesys.blocksize"), fmt::format("0={0} 1={0}", room.f_bsize));
  EXPECT_EQ(value_of("hinv.nfilesys"), "=3");
  const auto of_memory = agent_->instances(make_indom(60, 18), {}).value();
  ASSERT_EQ(of_memory.size(), 1u);
  EXPECT_EQ(of_memory[0].name, "/run");
}

TEST_F(LinuxAgentTest, CountsInterruptsByKindAndProcessor) {
  write("/proc/interrupts",
        "     CPU0 CPU2\n 24: 1 7 IO-APIC 5-edge ACPI:Ged\nLOC: 4294967295 2 Local timer\n"
        "ERR: 3\nMIS: 4\n");
  write("/proc/softirqs", "  CPU0 CPU1\n HI: 5 6\n");
  EXPECT_EQ(value_of("kernel.percpu.interrupts"), "0=1 1=7 2=4294967295 3=2");
  EXPECT_EQ(value_of("kernel.all.interrupts.total"), "0=8 1=4294967297");
  EXPECT_EQ(value_of("kernel.all.interrupts.errors"), "=3");
  EXPECT_EQ(value_of("kernel.all.interrupts.missed"), "=4");
  EXPECT_EQ(value_of("kernel.percpu.softirqs"), "0=5 1=6");
  EXPECT_EQ(value_of("kernel.all.softirqs.total"), "0=11");
  const auto instances = agent_->instances(make_indom(60, 40), {}).value();
  ASSERT_EQ(instances.size(), 4u);
  EXPECT_EQ(instances[1].name, "24::cpu2");
  const auto labels = agent_->instance_labels(make_indom(60, 40), instances);
  std::string text;
  for (const AgentLabel& label : labels[1]) text += label.name + "=" + label.value + " ";
  EXPECT_EQ(text, "cpu=2 irq=\"24\" irqtext=\"IO-APIC 5-edge ACPI:Ged\" ");
}

TEST_F(LinuxAgentTest, CountsSessionsOfUsers) {
  EXPECT_EQ(value_of("kernel.all.nusers"), "=0") << "without a file nobody is there";
  std::string records;
  const std::pair<short, const char*> all[] = {
      {BOOT_TIME, "reboot"}, {USER_PROCESS, "root"},   {USER_PROCESS, "alice"}, {USER_PROCESS, ""},
      {DEAD_PROCESS, "bob"}, {LOGIN_PROCESS, "LOGIN"}, {USER_PROCESS, "rooty"}};
  for (const auto& [type, user] : all) {
    utmp record{};
    record.ut_type = type;
    std::string_view(user).copy(record.ut_user, sizeof record.ut_user);
    records.append(reinterpret_cast<const char*>(&record), sizeof record);
  }
  write("/run/utmp", records + "half a record");
  EXPECT_EQ(value_of("kernel.all.nusers"), "=3");
  EXPECT_EQ(value_of("kernel.all.nroots"), "=1");
  EXPECT_EQ(value_of("kernel.all.nsessions"), "=6");
}

TEST_F(LinuxAgentTest, CountsTcpSocketsByState) {
  const std::string head = "  sl  local_address rem_address   st tx_queue\n";
  const auto line = [](std::string_view state) {
    return fmt::format("   0: 0100007F:1F90 00000000:0000 {} 00000000:00000000 00:00000000\n",
                       state);
  };
  write("/proc/net/tcp", head + line("0A") + line("01") + line("0A") + line("06") + "   9:\n");
  EXPECT_EQ(value_of("network.tcpconn.listen"), "=2");
  EXPECT_EQ(value_of("network.tcpconn.established"), "=1");
  EXPECT_EQ(value_of("network.tcpconn.time_wait"), "=1");
  EXPECT_EQ(value_of("network.tcpconn.closing"), "=0");
  EXPECT_EQ(value_of("network.tcpconn6.listen"), "-12350") << "a machine without IPv6";
}

TEST_F(LinuxAgentTest, ListsAddressesOfInterfaces) {
  for (const auto& [name, address] : {std::pair("lo", "00:00:00:00:00:00"), {"eth0", "02:fc:0a"}}) {
    write(std::string("/sys/class/net/") + name + "/address", std::string(address) + "\n");
    write(std::string("/sys/class/net/") + name + "/type", *name == 'l' ? "772\n" : "1\n");
  }
  write("/sys/class/net/eth0/wireless/link", "0");
  write("/sys/devices/virtual/net/lo/mtu", "65536");
  write("/proc/net/dev", "a\nb\n lo: 1\n eth0: 1\n");
  write("/proc/net/if_inet6",
        "00000000000000000000000000000001 01 80 10 80 lo\n"
        "fd000000000000000000000000000002 02 40 00 82 eth0\n"
        "fe8000000000000000fc00fffe000001 02 40 20 80 eth0\n"
        "20010db8000000000000000000000001 03 30 00 80 tun0\nnonsense 1 2 3 4 lo\n");
  // Numbered as the system lists the folder.
  const std::filesystem::directory_iterator folder(root_ + "/sys/class/net");
  const bool lo_first = folder->path().filename() == "lo";
  const auto both = [&](const std::string& eth0, const std::string& lo) {
    return "0=" + (lo_first ? lo : eth0) + " 1=" + (lo_first ? eth0 : lo);
  };
  EXPECT_EQ(value_of("network.interface.hw_addr"), both("02:fc:0a", "00:00:00:00:00:00"));
  EXPECT_EQ(value_of("network.interface.ipv6_addr"),
            both("fe80::fc:ff:fe00:1/64", "::1/128") + " 2=2001:db8::1/48");
  EXPECT_EQ(value_of("network.interface.ipv6_scope"), both("Link", "Host") + " 2=Global");
  EXPECT_EQ(value_of("network.interface.inet_addr"), "") << "the folder is not this machine";
  EXPECT_EQ(value_of("network.interface.type"), "0=772 1=1");
  EXPECT_EQ(value_of("network.interface.virtual"), "0=1 1=0");
  EXPECT_EQ(value_of("network.interface.wireless"), "0=0 1=1");
}

TEST_F(LinuxAgentTest, ReadsWhereNoDescriptorIsLeft) {
  write("/sys/class/net/eth0/address", "02:fc:0a\n");
  agent_.emplace(root_);
  LinuxAgent of_this_machine;
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  rlimit few = before;
  few.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
  std::vector<int> taken;
  for (int fd = dup(0); fd >= 0; fd = dup(0)) taken.push_back(fd);
  const std::string folder = value_of("network.interface.hw_addr");
  const auto instances = of_this_machine.instances(make_indom(60, 17), {});
  for (const int fd : taken) close(fd);
  setrlimit(RLIMIT_NOFILE, &before);
  EXPECT_FALSE(taken.empty());
  EXPECT_EQ(folder, "0=02:fc:0a");
  EXPECT_NE(std::ranges::find(*instances, "lo", &AgentInstance::name), instances->end());
}

TEST_F(LinuxAgentTest, AsksTheKernelForSharedMemory) {
  const auto number = [this](const char* name) { return std::stoull(value_of(name).substr(1)); };
  const int segment = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
  ASSERT_GE(segment, 0);
  EXPECT_GE(number("ipc.shm.used_ids"), 1u);
  EXPECT_GE(number("ipc.shm.tot"), 4096u);
  EXPECT_GE(number("ipc.shm.max_seg"), number("ipc.shm.used_ids"));
  shmctl(segment, IPC_RMID, nullptr);
  EXPECT_GE(number("ipc.sem.max_semval"), 1u);
  EXPECT_GE(number("ipc.msg.max_msgsz"), 1u);
}

// Answers like statfs(), but hangs at one directory until it is let go.
struct HangingMounts {
  std::mutex mutex;
  std::condition_variable changed;
  bool hangs = true, returned = false;

  std::optional<struct statfs> ask(const std::string& directory) {
    if (directory.ends_with("/hangs")) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [this] { return !hangs; });
      returned = true;
      changed.notify_all();
    }
    struct statfs room{};
    room.f_bsize = 4096;
    return room;
  }
  void let_go() {
    std::unique_lock lock(mutex);
    hangs = false;
    changed.notify_all();
    changed.wait(lock, [this] { return returned; });
  }
};

TEST_F(LinuxAgentTest, AMountThatHangsCostsItsOwnValuesOnly) {
  constexpr std::chrono::milliseconds kPatience(300);
  write("/proc/self/mounts",
        "/dev/sda1 / ext4 rw 0 0\n/dev/sdb1 /hangs ext4 rw 0 0\n/dev/sdc1 /more ext4 rw 0 0\n"
        "tmpfs /hangs tmpfs rw 0 0\n");
  const auto mounts = std::make_shared<HangingMounts>();
  agent_.emplace(
      root_, [mounts](const std::string& directory) { return mounts->ask(directory); }, kPatience);
  const std::string whole = "0=4096 1=4096 2=4096", without = "0=4096 2=4096";
  EXPECT_EQ(value_of("filesys.blocksize"), "0=4096") << "the thread hangs, others are to be asked";
  EXPECT_EQ(agent_->take_notes(),
            std::vector{"the file system at " + root_ +
                        "/hangs does not answer: it has no values until it does"});
  const auto before = std::chrono::steady_clock::now();
  for (int i = 0; i < 20; ++i) EXPECT_EQ(value_of("filesys.blocksize"), without);
  EXPECT_EQ(value_of("tmpfs.capacity"), fmt::format("{}", int{pm_err::E_AGAIN}));
  EXPECT_EQ(value_of("hinv.nfilesys"), "=3");
  EXPECT_LT(std::chrono::steady_clock::now() - before, 10 * kPatience) << "it is not waited for";
  EXPECT_TRUE(agent_->take_notes().empty()) << "the log says so once";
  mounts->let_go();
  std::string now;
  for (int i = 0; i < 1'000 && now != whole; ++i) now = value_of("filesys.blocksize");
  EXPECT_EQ(now, whole);
  EXPECT_EQ(agent_->take_notes(),
            std::vector{"the file system at " + root_ + "/hangs answers again"});
}

TEST_F(LinuxAgentTest, AnEmptyMachineHasNoValues) {
  LinuxAgent agent(root_);
  for (uint32_t i = 0; i < agent.metrics().size(); ++i) {
    AgentValues column;
    column.start(agent.metrics()[i].desc);
    const uint32_t which[] = {i};
    AgentValues* const out[] = {&column};
    agent.fetch(which, {}, out);
    EXPECT_TRUE(column.size() <= 1) << agent.metrics()[i].name;  // counts of nothing, uname
  }
  for (const AgentInDom& indom : agent.indoms()) EXPECT_TRUE(agent.instances(indom.id, {}));
  EXPECT_EQ(agent.instances(make_indom(60, 99), {}).error(), pm_err::E_INDOM);
}

TEST_F(LinuxAgentTest, NamesAreMetricsOnce) {
  LinuxAgent agent(root_);
  std::map<PmId, std::string> by_pmid;
  for (const AgentMetric& metric : agent.metrics()) {
    EXPECT_TRUE(by_pmid.emplace(metric.desc.pmid, metric.name).second) << metric.name;
    EXPECT_FALSE(metric.text.empty() || metric.help.empty()) << metric.name;
    EXPECT_EQ(metric.text.find('\n'), std::string::npos) << metric.name;
  }
  for (const AgentInDom& indom : agent.indoms()) EXPECT_FALSE(indom.text.empty()) << indom.id;
}

}  // namespace
}  // namespace pmjit
