#include "agent/linux/linux_machine.h"

#include <fmt/format.h>
#include <net/if.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "runtime/base/result.h"

namespace pmjit {

namespace {

void add_fact(AgentValues& out, uint64_t value) { out.add_whole(kSingular, value); }

template <LinuxDomain kDomain>
void count_of(LinuxMachine& machine, LinuxDomain, AgentValues& out) {
  add_fact(out, machine.instances(kDomain).size());
}

void clock_ticks(LinuxMachine&, LinuxDomain, AgentValues& out) {
  add_fact(out, static_cast<uint64_t>(sysconf(_SC_CLK_TCK)));
}

// No kernel that runs today has it.
void gone(LinuxMachine&, LinuxDomain, AgentValues& out) { out.fail(pm_err::E_APPVERSION); }

void page_size(LinuxMachine&, LinuxDomain, AgentValues& out) {
  add_fact(out, static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
}

template <auto kMember>
void uname_text(LinuxMachine&, LinuxDomain, AgentValues& out) {
  utsname names{};
  if (uname(&names) == 0) out.add_text(kSingular, names.*kMember);
}

// "Debian 12.11"; of other distributions what they call themselves.
void distribution(LinuxMachine& machine, LinuxDomain, AgentValues& out) {
  if (const auto version = machine.text("/etc/debian_version")) {
    return out.add_text(kSingular, "Debian " + *version);
  }
  const std::string release = machine.text("/etc/os-release").value_or("");
  constexpr std::string_view kName = "PRETTY_NAME=\"";
  const size_t at = release.find(kName);
  if (at == std::string::npos) return out.fail(pm_err::E_APPVERSION);
  const std::string_view rest = std::string_view(release).substr(at + kName.size());
  out.add_text(kSingular, rest.substr(0, rest.find('"')));
}

// ---- file systems

using FsNumber = void (*)(const struct statfs& room, const MountedFs& fs, int32_t id,
                          AgentValues& out);

template <FsNumber kNumber>
void of_each_fs(LinuxMachine& machine, LinuxDomain domain, AgentValues& out) {
  const std::vector<AgentInstance>& instances = machine.instances(domain);
  const std::vector<MountedFs>& mounted = machine.mounted(domain);
  bool late = false;
  for (size_t i = 0; i < instances.size(); ++i) {
    if (mounted[i].room) kNumber(*mounted[i].room, mounted[i], instances[i].id, out);
    late = late || mounted[i].late;
  }
  // A result has one code for all instances of a metric, so one that hangs among others is absent.
  if (late && out.size() == 0) out.fail(pm_err::E_AGAIN);
}

uint64_t kilobytes(const struct statfs& room, uint64_t blocks) {
  return blocks * static_cast<uint64_t>(room.f_bsize) / 1024;
}
void fs_capacity(const struct statfs& room, const MountedFs&, int32_t id, AgentValues& out) {
  out.add_whole(id, kilobytes(room, room.f_blocks));
}
void fs_used(const struct statfs& room, const MountedFs&, int32_t id, AgentValues& out) {
  out.add_whole(id, kilobytes(room, room.f_blocks - room.f_bfree));
}
void fs_free(const struct statfs& room, const MountedFs&, int32_t id, AgentValues& out) {
  out.add_whole(id, kilobytes(room, room.f_bfree));
}
void fs_avail(const struct statfs& room, const MountedFs&, int32_t id, AgentValues& out) {
  out.add_whole(id, kilobytes(room, room.f_bavail));
}
void fs_full(const struct statfs& room, const MountedFs&, int32_t id, AgentValues& out) {
  const auto used = static_cast<double>(room.f_blocks - room.f_bfree);
  const double all = used + static_cast<double>(room.f_bavail);
  out.add_number(id, all > 0 ? 100 * used / all : 0);
}
void fs_max_files(const struct statfs& room, const MountedFs&, int32_t id, AgentValues& out) {
  out.add_whole(id, room.f_files);
}
void fs_used_files(const struct statfs& room, const MountedFs&, int32_t id, AgentValues& out) {
  out.add_whole(id, room.f_files - room.f_ffree);
}
void fs_free_files(const struct statfs& room, const MountedFs&, int32_t id, AgentValues& out) {
  out.add_whole(id, room.f_ffree);
}
void fs_block_size(const struct statfs& room, const MountedFs&, int32_t id, AgentValues& out) {
  out.add_whole(id, static_cast<uint64_t>(room.f_bsize));
}
void fs_directory(const struct statfs&, const MountedFs& fs, int32_t id, AgentValues& out) {
  out.add_text(id, fs.directory);
}
void fs_read_only(const struct statfs&, const MountedFs& fs, int32_t id, AgentValues& out) {
  out.add_whole(id, fs.read_only ? 1 : 0);
}

// ---- files of an instance

using FromText = void (*)(std::string_view text, int32_t id, AgentValues& out);

// kBefore/NAME/kBehind is a file of each instance; kText takes what it has.
template <const char* kBefore, const char* kBehind, FromText kText>
void of_each_file(LinuxMachine& machine, LinuxDomain domain, AgentValues& out) {
  for (const AgentInstance& instance : machine.instances(domain)) {
    if (const auto text = machine.text(kBefore + instance.name + "/" + kBehind)) {
      kText(*text, instance.id, out);
    }
  }
}
constexpr char kNetFolder[] = "/sys/class/net/", kBlockFolder[] = "/sys/block/",
               kCpuFolder[] = "/sys/devices/system/cpu/";
constexpr char kFlags[] = "flags", kSpeed[] = "speed", kDuplex[] = "duplex",
               kScheduler[] = "queue/scheduler";

// In Mbit/s. The kernel writes -1, or the same as 32 bits without a sign, where nobody knows.
std::optional<uint64_t> known_speed(std::string_view text) {
  const auto speed = whole_number(text);
  if (!speed || *speed == 0 || *speed >= INT32_MAX) return {};
  return speed;
}
void speed_of(std::string_view text, int32_t id, AgentValues& out) {
  const auto speed = known_speed(text);
  if (speed) out.add_number(id, static_cast<double>(*speed) * 1e6 / 8 / (1 << 20));
}
void baudrate_of(std::string_view text, int32_t id, AgentValues& out) {
  if (const auto speed = known_speed(text)) out.add_whole(id, *speed * 1'000'000 / 8);
}
void duplex_of(std::string_view text, int32_t id, AgentValues& out) {
  if (text == "half" || text == "full") out.add_whole(id, text == "half" ? 1 : 2);
}
bool switched_on(std::string_view flags) {
  uint32_t bits = 0;
  if (flags.starts_with("0x")) flags = flags.substr(2);
  std::from_chars(flags.data(), flags.data() + flags.size(), bits, 16);
  return (bits & IFF_UP) != 0;
}
void up_of(std::string_view text, int32_t id, AgentValues& out) {
  out.add_whole(id, switched_on(text) ? 1 : 0);
}
// Switched on, and the other end is there; some interfaces do not know of another end.
void running(LinuxMachine& machine, LinuxDomain domain, AgentValues& out) {
  for (const AgentInstance& instance : machine.instances(domain)) {
    const std::string folder = kNetFolder + instance.name + "/";
    const auto flags = machine.text(folder + kFlags);
    const std::string state = machine.text(folder + "operstate").value_or("");
    if (!flags) continue;
    const bool runs = switched_on(*flags) && (state == "up" || state == "unknown");
    out.add_whole(instance.id, runs ? 1 : 0);
  }
}
// The one in brackets of "none [mq-deadline] bfq".
void scheduler_of(std::string_view text, int32_t id, AgentValues& out) {
  const size_t begin = text.find('['), end = text.find(']');
  const bool marked = begin < end && end != std::string_view::npos;
  out.add_text(id, marked ? text.substr(begin + 1, end - begin - 1) : text);
}
// Processors that cannot be switched off have no such file.
void cpu_online(LinuxMachine& machine, LinuxDomain domain, AgentValues& out) {
  for (const AgentInstance& instance : machine.instances(domain)) {
    const auto text = machine.text(kCpuFolder + instance.name + "/online");
    out.add_whole(instance.id, text ? whole_number(*text).value_or(1) : 1);
  }
}

constexpr ComputedRow kComputed[] = {
    {"clock_ticks", clock_ticks},
    {"page_size", page_size},
    {"gone", gone},
    {"uname.release", uname_text<&utsname::release>},
    {"uname.version", uname_text<&utsname::version>},
    {"uname.sysname", uname_text<&utsname::sysname>},
    {"uname.machine", uname_text<&utsname::machine>},
    {"uname.nodename", uname_text<&utsname::nodename>},
    {"uname.distro", distribution},
    {"count.cpu", count_of<LinuxDomain::cpu>},
    {"count.disk", count_of<LinuxDomain::disk>},
    {"count.filesys", count_of<LinuxDomain::filesys>},
    {"count.interface", count_of<LinuxDomain::interface>},
    {"fs.capacity", of_each_fs<fs_capacity>},
    {"fs.used", of_each_fs<fs_used>},
    {"fs.free", of_each_fs<fs_free>},
    {"fs.avail", of_each_fs<fs_avail>},
    {"fs.full", of_each_fs<fs_full>},
    {"fs.maxfiles", of_each_fs<fs_max_files>},
    {"fs.usedfiles", of_each_fs<fs_used_files>},
    {"fs.freefiles", of_each_fs<fs_free_files>},
    {"fs.blocksize", of_each_fs<fs_block_size>},
    {"fs.mountdir", of_each_fs<fs_directory>},
    {"fs.readonly", of_each_fs<fs_read_only>},
    {"if_speed", of_each_file<kNetFolder, kSpeed, speed_of>},
    {"if_baudrate", of_each_file<kNetFolder, kSpeed, baudrate_of>},
    {"if_duplex", of_each_file<kNetFolder, kDuplex, duplex_of>},
    {"if_up", of_each_file<kNetFolder, kFlags, up_of>},
    {"if_running", running},
    {"disk_scheduler", of_each_file<kBlockFolder, kScheduler, scheduler_of>},
    {"cpu_online", cpu_online},
};

}  // namespace

LinuxComputation computation_of(std::string_view place) {
  for (const std::span<const ComputedRow> rows :
       {std::span<const ComputedRow>(kComputed), system_computations()}) {
    const auto found = std::ranges::find(rows, place, &ComputedRow::place);
    if (found != rows.end()) return found->run;
  }
  check(false, "linux: no function computes this place");
  return nullptr;
}

}  // namespace pmjit
