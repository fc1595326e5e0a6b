// The agent `linux` over a folder that stands for "/".
#include "agent/linux/linux_agent.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/vfs.h>

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
      : root_(testing::TempDir() + "linux_agent_" +
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
  }
}

}  // namespace
}  // namespace pmjit
