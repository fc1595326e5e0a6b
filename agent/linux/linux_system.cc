// What the kernel counts of users, sockets, interrupts, addresses and shared memory: computations
// that look at more than one place of a file, or at no file.
#include <arpa/inet.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

#include <array>

#include "agent/linux/linux_interrupts.h"
#include "agent/linux/linux_machine.h"

namespace pmjit {

namespace {

// ---- interrupts

template <LinuxSourceId kSource>
void interrupts_of_all(LinuxMachine& machine, LinuxDomain domain, AgentValues& out) {
  const LinuxSheet* const sheet = machine.sheet(kSource);
  if (sheet == nullptr) return out.fail(pm_err::E_APPVERSION);
  const InterruptTable table(*sheet);
  for (const AgentInstance& instance : machine.instances(domain)) {
    uint64_t sum = 0;
    for (const uint64_t count : table.find(instance.name)->counts) sum += count;
    out.add_whole(instance.id, sum);
  }
}

// Instances are in the order of the table: kind by kind, processor by processor.
template <LinuxSourceId kSource>
void interrupts_of_each(LinuxMachine& machine, LinuxDomain domain, AgentValues& out) {
  const LinuxSheet* const sheet = machine.sheet(kSource);
  if (sheet == nullptr) return out.fail(pm_err::E_APPVERSION);
  const InterruptTable table(*sheet);
  auto instance = machine.instances(domain).begin();
  for (const InterruptRow& row : table.rows()) {
    for (const uint64_t count : row.counts) out.add_whole((instance++)->id, count);
  }
}

// ---- users

template <auto kMember>
void sessions_of(LinuxMachine& machine, LinuxDomain, AgentValues& out) {
  out.add_whole(kSingular, machine.sessions().*kMember);
}

// ---- sockets

// `kState` is the number of the state as the kernel writes it.
template <LinuxSourceId kSource, const char* kState>
void sockets_in(LinuxMachine& machine, LinuxDomain, AgentValues& out) {
  const LinuxSheet* const sheet = machine.sheet(kSource);
  if (sheet == nullptr) return out.fail(pm_err::E_APPVERSION);
  constexpr size_t kStateColumn = 2;  // behind the number of the line and both addresses
  uint64_t count = 0;
  for (size_t i = 0; i < sheet->rows().size(); ++i) {
    const auto cells = sheet->cells_of(i);
    if (cells.size() > kStateColumn && cells[kStateColumn] == kState) ++count;
  }
  out.add_whole(kSingular, count);
}
constexpr char kEstablished[] = "01", kSynSent[] = "02", kSynRecv[] = "03", kFinWait1[] = "04",
               kFinWait2[] = "05", kTimeWait[] = "06", kClose[] = "07", kCloseWait[] = "08",
               kLastAck[] = "09", kListen[] = "0A", kClosing[] = "0B";
constexpr auto kTcp = LinuxSourceId::tcp, kTcp6 = LinuxSourceId::tcp6;

// ---- interfaces

template <const char* kBefore, const char* kBehind>
void has_folder(LinuxMachine& machine, LinuxDomain domain, AgentValues& out) {
  for (const AgentInstance& instance : machine.instances(domain)) {
    out.add_whole(instance.id, machine.exists(kBefore + instance.name + kBehind) ? 1 : 0);
  }
}
constexpr char kNetClass[] = "/sys/class/net/", kVirtualNet[] = "/sys/devices/virtual/net/",
               kNothing[] = "", kWireless[] = "/wireless";

template <LinuxTexts (*kTexts)(LinuxMachine&)>
void address_of(LinuxMachine& machine, LinuxDomain domain, AgentValues& out) {
  const LinuxTexts texts = kTexts(machine);
  for (const AgentInstance& instance : machine.instances(domain)) {
    const auto found = texts.find(instance.name);
    if (found != texts.end()) out.add_text(instance.id, found->second);
  }
}

// "20010db8…0001" with colons and without zeros.
std::string ipv6_text(std::string_view digits) {
  in6_addr address{};
  for (size_t i = 0; i < sizeof address.s6_addr && 2 * i + 1 < digits.size(); ++i) {
    const std::string byte(digits.substr(2 * i, 2));
    address.s6_addr[i] = static_cast<uint8_t>(std::stoul(byte, nullptr, 16));
  }
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(AF_INET6, &address, text.data(), text.size());
  return text.data();
}
std::string_view scope_text(std::string_view number) {
  if (number == "00") return "Global";
  if (number == "10") return "Host";
  if (number == "20") return "Link";
  if (number == "40") return "Site";
  return number == "80" ? "Compat" : "Unknown";
}

// Columns of /proc/net/if_inet6 behind the address.
enum Inet6Column : size_t { kBits = 1, kScope = 2, kInterface = 4 };

bool all_hexadecimal(std::string_view text) {
  return text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

// Of each interface the last line.
template <bool kScopes>
LinuxTexts inet6_texts(LinuxMachine& machine) {
  LinuxTexts out;
  const LinuxSheet* const sheet = machine.sheet(LinuxSourceId::if_inet6);
  for (size_t i = 0; sheet != nullptr && i < sheet->rows().size(); ++i) {
    const auto cells = sheet->cells_of(i);
    const std::string_view digits = sheet->rows()[i];
    if (cells.size() <= kInterface || digits.size() != 32 || !all_hexadecimal(digits) ||
        !all_hexadecimal(cells[kBits])) {
      continue;
    }
    const unsigned long bits = std::stoul(std::string(cells[kBits].substr(0, 2)), nullptr, 16);
    out[std::string(cells[kInterface])] = kScopes ? std::string(scope_text(cells[kScope]))
                                                  : ipv6_text(digits) + "/" + std::to_string(bits);
  }
  return out;
}

LinuxTexts hardware_texts(LinuxMachine& machine) {
  LinuxTexts out;
  for (const std::string& name : machine.names_in(kNetClass)) {
    if (auto text = machine.text(kNetClass + name + "/address")) out[name] = std::move(*text);
  }
  return out;
}

LinuxTexts inet_texts(LinuxMachine& machine) { return machine.inet_addresses(); }

// ---- System V IPC

// System calls that fill a structure: false, and there is no such thing in this kernel.
bool ask_ipc(shminfo& out) { return shmctl(0, IPC_INFO, reinterpret_cast<shmid_ds*>(&out)) >= 0; }
bool ask_ipc(shm_info& out) { return shmctl(0, SHM_INFO, reinterpret_cast<shmid_ds*>(&out)) >= 0; }

union SemaphoreArgument {
  int value;
  seminfo* info;
};
struct SemaphoreLimits : seminfo {};
struct SemaphoresUsed : seminfo {};
bool ask_semaphores(seminfo& out, int command) {
  SemaphoreArgument argument{};
  argument.info = &out;
  return semctl(0, 0, command, argument) >= 0;
}
bool ask_ipc(SemaphoreLimits& out) { return ask_semaphores(out, IPC_INFO); }
bool ask_ipc(SemaphoresUsed& out) { return ask_semaphores(out, SEM_INFO); }

struct MessageLimits : msginfo {};
struct MessagesUsed : msginfo {};
bool ask_ipc(MessageLimits& out) {
  return msgctl(0, IPC_INFO, reinterpret_cast<msqid_ds*>(static_cast<msginfo*>(&out))) >= 0;
}
bool ask_ipc(MessagesUsed& out) {
  return msgctl(0, MSG_INFO, reinterpret_cast<msqid_ds*>(static_cast<msginfo*>(&out))) >= 0;
}

template <class Info, auto kMember>
void ipc(LinuxMachine&, LinuxDomain, AgentValues& out) {
  Info info{};
  if (!ask_ipc(info)) return out.fail(pm_err::E_APPVERSION);
  out.add_whole(kSingular, static_cast<uint64_t>(info.*kMember));
}
// What the kernel counts in pages.
template <auto kMember>
void shared_bytes(LinuxMachine&, LinuxDomain, AgentValues& out) {
  shm_info info{};
  if (!ask_ipc(info)) return out.fail(pm_err::E_APPVERSION);
  out.add_whole(kSingular, info.*kMember * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
}

constexpr ComputedRow kSystem[] = {
    {"interrupts.all", interrupts_of_all<LinuxSourceId::interrupts>},
    {"interrupts.percpu", interrupts_of_each<LinuxSourceId::interrupts>},
    {"softirqs.all", interrupts_of_all<LinuxSourceId::softirqs>},
    {"softirqs.percpu", interrupts_of_each<LinuxSourceId::softirqs>},
    {"sessions.users", sessions_of<&UserSessions::users>},
    {"sessions.roots", sessions_of<&UserSessions::roots>},
    {"sessions.all", sessions_of<&UserSessions::all>},
    {"tcp.established", sockets_in<kTcp, kEstablished>},
    {"tcp.syn_sent", sockets_in<kTcp, kSynSent>},
    {"tcp.syn_recv", sockets_in<kTcp, kSynRecv>},
    {"tcp.fin_wait1", sockets_in<kTcp, kFinWait1>},
    {"tcp.fin_wait2", sockets_in<kTcp, kFinWait2>},
    {"tcp.time_wait", sockets_in<kTcp, kTimeWait>},
    {"tcp.close", sockets_in<kTcp, kClose>},
    {"tcp.close_wait", sockets_in<kTcp, kCloseWait>},
    {"tcp.last_ack", sockets_in<kTcp, kLastAck>},
    {"tcp.listen", sockets_in<kTcp, kListen>},
    {"tcp.closing", sockets_in<kTcp, kClosing>},
    {"tcp6.established", sockets_in<kTcp6, kEstablished>},
    {"tcp6.syn_sent", sockets_in<kTcp6, kSynSent>},
    {"tcp6.syn_recv", sockets_in<kTcp6, kSynRecv>},
    {"tcp6.fin_wait1", sockets_in<kTcp6, kFinWait1>},
    {"tcp6.fin_wait2", sockets_in<kTcp6, kFinWait2>},
    {"tcp6.time_wait", sockets_in<kTcp6, kTimeWait>},
    {"tcp6.close", sockets_in<kTcp6, kClose>},
    {"tcp6.close_wait", sockets_in<kTcp6, kCloseWait>},
    {"tcp6.last_ack", sockets_in<kTcp6, kLastAck>},
    {"tcp6.listen", sockets_in<kTcp6, kListen>},
    {"tcp6.closing", sockets_in<kTcp6, kClosing>},
    {"if_wireless", has_folder<kNetClass, kWireless>},
    {"if_virtual", has_folder<kVirtualNet, kNothing>},
    {"address.inet", address_of<inet_texts>},
    {"address.ipv6", address_of<inet6_texts<false>>},
    {"address.scope", address_of<inet6_texts<true>>},
    {"address.hardware", address_of<hardware_texts>},
    {"shm.max", ipc<shminfo, &shminfo::shmmax>},
    {"shm.min", ipc<shminfo, &shminfo::shmmin>},
    {"shm.mni", ipc<shminfo, &shminfo::shmmni>},
    {"shm.seg", ipc<shminfo, &shminfo::shmseg>},
    {"shm.all", ipc<shminfo, &shminfo::shmall>},
    {"shm.tot", shared_bytes<&shm_info::shm_tot>},
    {"shm.rss", shared_bytes<&shm_info::shm_rss>},
    {"shm.swp", shared_bytes<&shm_info::shm_swp>},
    {"shm.used_ids", ipc<shm_info, &shm_info::used_ids>},
    {"shm.swap_attempts", ipc<shm_info, &shm_info::swap_attempts>},
    {"shm.swap_successes", ipc<shm_info, &shm_info::swap_successes>},
    {"sem.map", ipc<SemaphoreLimits, &seminfo::semmap>},
    {"sem.mni", ipc<SemaphoreLimits, &seminfo::semmni>},
    {"sem.mns", ipc<SemaphoreLimits, &seminfo::semmns>},
    {"sem.mnu", ipc<SemaphoreLimits, &seminfo::semmnu>},
    {"sem.msl", ipc<SemaphoreLimits, &seminfo::semmsl>},
    {"sem.opm", ipc<SemaphoreLimits, &seminfo::semopm>},
    {"sem.ume", ipc<SemaphoreLimits, &seminfo::semume>},
    {"sem.usz", ipc<SemaphoreLimits, &seminfo::semusz>},
    {"sem.vmx", ipc<SemaphoreLimits, &seminfo::semvmx>},
    {"sem.aem", ipc<SemaphoreLimits, &seminfo::semaem>},
    {"sem.used", ipc<SemaphoresUsed, &seminfo::semusz>},
    {"sem.total", ipc<SemaphoresUsed, &seminfo::semaem>},
    {"msg.pool", ipc<MessageLimits, &msginfo::msgpool>},
    {"msg.map", ipc<MessageLimits, &msginfo::msgmap>},
    {"msg.max", ipc<MessageLimits, &msginfo::msgmax>},
    {"msg.mnb", ipc<MessageLimits, &msginfo::msgmnb>},
    {"msg.mni", ipc<MessageLimits, &msginfo::msgmni>},
    {"msg.ssz", ipc<MessageLimits, &msginfo::msgssz>},
    {"msg.tql", ipc<MessageLimits, &msginfo::msgtql>},
    {"msg.seg", ipc<MessageLimits, &msginfo::msgseg>},
    {"msg.queues", ipc<MessagesUsed, &msginfo::msgpool>},
    {"msg.messages", ipc<MessagesUsed, &msginfo::msgmap>},
    {"msg.bytes", ipc<MessagesUsed, &msginfo::msgtql>},
};

}  // namespace

std::span<const ComputedRow> system_computations() { return kSystem; }

}  // namespace pmjit
