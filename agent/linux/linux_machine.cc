#include "agent/linux/linux_machine.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <unistd.h>
#include <utmp.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <utility>

#include "agent/linux/linux_interrupts.h"
#include "runtime/base/result.h"

namespace pmjit {

namespace {

constexpr LinuxDomainRow kDomains[] = {
    {LinuxDomain::cpu, 0, "processors", R"("cpu")", "per cpu", "cpu"},
    {LinuxDomain::disk, 1, "disks, without partitions and what is made of disks", R"("block")",
     "per disk", "device_name"},
    {LinuxDomain::load, 2, "1, 5 and 15 minutes, over which load is averaged", "", "", ""},
    {LinuxDomain::interface, 3, "network interfaces", R"("interface")", "per interface",
     "interface"},
    {LinuxDomain::irq, 4, "kinds of interrupts", R"("irq")", "per irq", "irq"},
    {LinuxDomain::filesys, 5, "mounted file systems on devices, by device", "", "", ""},
    {LinuxDomain::partition, 10, "partitions of disks", R"("block")", "per partition",
     "device_name"},
    {LinuxDomain::address, 17, "network interfaces and aliases that have addresses",
     R"("interface")", "per interface", ""},
    {LinuxDomain::tmpfs, 18, "file systems in memory, by where they are mounted", "", "", ""},
    {LinuxDomain::softirq, 36, "kinds of soft interrupts", "", "per softirq", ""},
    {LinuxDomain::pressure, 37, "10 seconds, 1 and 5 minutes, over which pressure is averaged", "",
     "", ""},
    {LinuxDomain::irq_cpu, 40, "kinds of interrupts on each processor", R"(["irq","cpu"])",
     "per cpu, per irq", "irq"},
    {LinuxDomain::softirq_cpu, 41, "kinds of soft interrupts on each processor", R"("cpu")",
     "per cpu, per softirq", "softirq"},
};

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> heads) {
  return std::ranges::any_of(heads, [&](std::string_view head) { return text.starts_with(head); });
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

bool stands_for_others(std::string_view device) {
  return starts_with_any(device, {"loop", "ram", "zram", "sr", "dm-", "md"});
}

// Names of whole devices that end in a digit: their partitions have a "p" and a number behind it.
bool has_numbered_disks(std::string_view device) {
  return starts_with_any(device, {"mmcblk", "nvme", "nbd", "rbd"});
}

bool names_partition(std::string_view device) {
  if (device.empty() || !is_digit(device.back())) return false;
  if (!has_numbered_disks(device)) return true;
  const size_t letter = device.find_last_not_of("0123456789");
  return letter != std::string_view::npos && letter > 0 && device[letter] == 'p' &&
         is_digit(device[letter - 1]);
}

// "\040" of a mount table is a blank.
std::string without_escapes(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view code = text.substr(i + 1, 3);
    const bool escape = text[i] == '\\' && code.size() == 3 &&
                        std::ranges::all_of(code, [](char c) { return c >= '0' && c <= '7'; });
    if (escape) {
      out += static_cast<char>((code[0] - '0') * 64 + (code[1] - '0') * 8 + (code[2] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool no_descriptor_left() { return errno == EMFILE || errno == ENFILE; }

std::optional<std::string> read_all(int fd) {
  std::string out;
  constexpr size_t kStep = 16u << 10, kMost = 16u << 20;
  ssize_t got = 0;
  do {
    const size_t held = out.size();
    out.resize(held + kStep);
    got = read(fd, out.data() + held, kStep);
    out.resize(held + static_cast<size_t>(std::max<ssize_t>(got, 0)));
  } while (got > 0 && out.size() < kMost);
  if (got < 0) return {};
  return out;
}

}  // namespace

std::span<const LinuxDomainRow> linux_domains() { return kDomains; }

bool is_partition(std::string_view device) {
  return !stands_for_others(device) && names_partition(device);
}
bool is_whole_disk(std::string_view device) {
  return !stands_for_others(device) && !names_partition(device);
}

void SpareDescriptor::take() {
  if (fd_ < 0) fd_ = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

void SpareDescriptor::give_up() {
  if (fd_ >= 0) close(std::exchange(fd_, -1));
}

std::optional<std::string> LinuxMachine::read_whole(const std::string& path) const {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0 && no_descriptor_left()) {
    spare_.give_up();
    fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  }
  if (fd < 0) return {};
  auto out = read_all(fd);
  close(fd);
  spare_.take();
  return out;
}

void LinuxMachine::begin() {
  sheets_.clear();
  for (DomainState& state : domains_) state.known = state.rooms_known = false;
  sessions_.reset();
  inet_addresses_.reset();
  files_read_ = 0;
}

const LinuxSheet* LinuxMachine::sheet(LinuxSourceId id, std::string_view instance) {
  const auto [place, added] = sheets_.try_emplace({id, std::string(instance)});
  if (added) {
    const LinuxSource& source = source_of(id);
    std::string path = root_ + std::string(source.path);
    if (const size_t at = path.find('@', root_.size()); at != std::string::npos) {
      path.replace(at, 1, instance);
    }
    ++files_read_;
    if (auto read = read_whole(path)) place->second.emplace(source, std::move(*read));
  }
  return place->second ? &*place->second : nullptr;
}

std::optional<std::string> LinuxMachine::text(const std::string& path) const {
  ++files_read_;
  auto out = read_whole(root_ + path);
  while (out && out->ends_with('\n')) out->pop_back();
  return out;
}

bool LinuxMachine::exists(const std::string& path) const {
  return access((root_ + path).c_str(), F_OK) == 0;
}

std::vector<std::string> LinuxMachine::names_in(const std::string& folder) const {
  std::vector<std::string> out;
  DIR* open_folder = opendir((root_ + folder).c_str());
  if (open_folder == nullptr && no_descriptor_left()) {
    spare_.give_up();
    open_folder = opendir((root_ + folder).c_str());
  }
  if (open_folder == nullptr) return out;
  for (const dirent* entry = readdir(open_folder); entry != nullptr; entry = readdir(open_folder)) {
    const std::string_view name = entry->d_name;
    if (!name.starts_with('.')) out.emplace_back(name);
  }
  closedir(open_folder);
  spare_.take();
  return out;
}

const UserSessions& LinuxMachine::sessions() {
  if (sessions_) return *sessions_;
  UserSessions& out = sessions_.emplace();
  ++files_read_;
  const std::string records = read_whole(root_ + "/run/utmp").value_or("");
  for (size_t at = 0; at + sizeof(utmp) <= records.size(); at += sizeof(utmp)) {
    utmp record{};
    std::memcpy(&record, records.data() + at, sizeof record);
    const std::string_view user(record.ut_user, strnlen(record.ut_user, sizeof record.ut_user));
    const bool of_user = record.ut_type == USER_PROCESS;
    if (of_user && user.empty()) continue;
    ++out.all;
    if (of_user) ++out.users;
    if (of_user && user == "root") ++out.roots;
  }
  return out;
}

const LinuxTexts& LinuxMachine::inet_addresses() {
  if (inet_addresses_) return *inet_addresses_;
  LinuxTexts& out = inet_addresses_.emplace();
  ifaddrs* all = nullptr;
  if (!root_.empty()) return out;
  bool known = getifaddrs(&all) == 0;
  if (!known && no_descriptor_left()) {
    spare_.give_up();
    known = getifaddrs(&all) == 0;
  }
  spare_.take();
  if (!known) return out;
  for (const ifaddrs* one = all; one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr == nullptr || one->ifa_addr->sa_family != AF_INET) continue;
    sockaddr_in address{};
    std::memcpy(&address, one->ifa_addr, sizeof address);
    std::array<char, INET_ADDRSTRLEN> text{};
    inet_ntop(AF_INET, &address.sin_addr, text.data(), text.size());
    out.try_emplace(one->ifa_name, text.data());
  }
  freeifaddrs(all);
  return out;
}

const std::vector<AgentInstance>& LinuxMachine::instances(LinuxDomain domain) {
  return look(domain).instances;
}

const std::vector<MountedFs>& LinuxMachine::mounted(LinuxDomain domain) {
  DomainState& state = look(domain);
  if (std::exchange(state.rooms_known, true)) return state.mounted;
  std::vector<std::string> directories;
  for (const MountedFs& fs : state.mounted) directories.push_back(root_ + fs.directory);
  const auto answers = rooms_.ask(directories);
  for (size_t i = 0; i < answers.size(); ++i) {
    state.mounted[i].room = answers[i].room;
    state.mounted[i].late = answers[i].late;
  }
  return state.mounted;
}

LinuxMachine::DomainState& LinuxMachine::look(LinuxDomain domain) {
  check(domain < LinuxDomain::none, "linux: a singular metric has no instances");
  DomainState& state = domains_[static_cast<size_t>(domain)];
  if (!state.known) {
    state.known = true;
    state.instances.clear();
    state.mounted.clear();
    find_instances(domain, state);
  }
  return state;
}

void LinuxMachine::add_seen(DomainState& state, std::string_view name) {
  const auto next = static_cast<int32_t>(state.ids.size());
  const int32_t id = state.ids.try_emplace(std::string(name), next).first->second;
  state.instances.push_back({.id = id, .name = std::string(name)});
}

void LinuxMachine::find_instances(LinuxDomain domain, DomainState& state) {
  const auto rows = [this](LinuxSourceId id) {
    const LinuxSheet* const found = sheet(id);
    return found == nullptr ? std::vector<std::string_view>{} : found->rows();
  };
  switch (domain) {
    case LinuxDomain::load:
      state.instances = {{1, "1 minute"}, {5, "5 minute"}, {15, "15 minute"}};
      break;
    case LinuxDomain::pressure:
      state.instances = {{10, "10 second"}, {60, "1 minute"}, {300, "5 minute"}};
      break;
    case LinuxDomain::cpu:
      for (const std::string_view row : rows(LinuxSourceId::stat)) {
        const auto number = row.starts_with("cpu") ? whole_number(row.substr(3)) : std::nullopt;
        if (number) state.instances.push_back({static_cast<int32_t>(*number), std::string(row)});
      }
      break;
    case LinuxDomain::disk:
    case LinuxDomain::partition:
      for (const std::string_view row : rows(LinuxSourceId::diskstats)) {
        const bool wanted = domain == LinuxDomain::disk ? is_whole_disk(row) : is_partition(row);
        if (wanted) add_seen(state, row);
      }
      break;
    case LinuxDomain::interface:
      for (const std::string_view row : rows(LinuxSourceId::net_dev)) add_seen(state, row);
      break;
    case LinuxDomain::irq:
    case LinuxDomain::irq_cpu:
      find_interrupts(LinuxSourceId::interrupts, domain == LinuxDomain::irq_cpu, state);
      break;
    case LinuxDomain::softirq:
    case LinuxDomain::softirq_cpu:
      find_interrupts(LinuxSourceId::softirqs, domain == LinuxDomain::softirq_cpu, state);
      break;
    case LinuxDomain::address: find_addresses(state); break;
    case LinuxDomain::filesys: find_mounted(false, state); break;
    case LinuxDomain::tmpfs: find_mounted(true, state); break;
    case LinuxDomain::none:
    case LinuxDomain::all_disks: break;
  }
}

// Interfaces as the system lists them, then aliases, then what the kernel alone knows of.
void LinuxMachine::find_addresses(DomainState& state) {
  const auto add_new = [&](std::string_view name) {
    if (std::ranges::find(state.instances, name, &AgentInstance::name) == state.instances.end()) {
      add_seen(state, name);
    }
  };
  for (const std::string& name : names_in("/sys/class/net")) add_new(name);
  for (const auto& [name, address] : inet_addresses()) add_new(name);
  const LinuxSheet* const inet6 = sheet(LinuxSourceId::if_inet6);
  for (size_t i = 0; inet6 != nullptr && i < inet6->rows().size(); ++i) {
    if (!inet6->cells_of(i).empty()) add_new(inet6->cells_of(i).back());
  }
}

void LinuxMachine::find_interrupts(LinuxSourceId source, bool of_each, DomainState& state) {
  const LinuxSheet* const found = sheet(source);
  if (found == nullptr) return;
  const InterruptTable table(*found);
  for (const InterruptRow& row : table.rows()) {
    if (!of_each) add_seen(state, row.name);
    for (size_t i = 0; of_each && i < row.counts.size(); ++i) {
      add_seen(state, interrupt_on_cpu(row.name, table.processors()[i]));
    }
  }
}

void LinuxMachine::find_mounted(bool of_memory, DomainState& state) {
  const LinuxSheet* const table = sheet(LinuxSourceId::mounts);
  if (table == nullptr) return;
  // Rows of a mount table may share the name of a device, so they are gone through by number.
  for (size_t i = 0; i < table->rows().size(); ++i) {
    const std::span<const std::string_view> cells = table->cells_of(i);
    if (cells.size() < 3) continue;
    const bool in_memory = cells[1] == "tmpfs";
    const std::string device = without_escapes(table->rows()[i]);
    if (in_memory != of_memory || (!in_memory && !device.starts_with("/dev/"))) continue;
    const std::string name = of_memory ? without_escapes(cells[0]) : device;
    if (std::ranges::find(state.instances, name, &AgentInstance::name) != state.instances.end()) {
      continue;
    }
    add_seen(state, name);
    const std::string_view options = cells[2];
    state.mounted.push_back({.directory = without_escapes(cells[0]),
                             .read_only = options == "ro" || options.starts_with("ro,")});
  }
}

}  // namespace pmjit
