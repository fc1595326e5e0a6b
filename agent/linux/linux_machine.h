// LinuxMachine: what the agent sees of the machine during one fetch: files as sheets, instances,
// mounted file systems. Everything is read when it is first asked for, and once.
//
//   LinuxMachine machine("");                     // or a folder that stands for "/"
//   machine.begin();                              // a fetch begins: nothing is known
//   const LinuxSheet* stat = machine.sheet(LinuxSourceId::stat);        // null: no such file
//   for (const AgentInstance& disk : machine.instances(LinuxDomain::disk)) …
//
// An instance keeps its number as long as the agent runs, also while it is not there. Numbers are
// given in the order in which instances were first seen, as PCP's agent does. They are not kept on
// disk, so another run may give others.
#pragma once

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "agent/linux/linux_sheet.h"
#include "agent/linux/mount_rooms.h"
#include "agent/model/agent.h"

namespace pmjit {

// In the order of kDomains (linux_machine.cc). `none` and `all_disks` are of singular metrics.
enum class LinuxDomain : uint8_t {
  cpu,
  disk,
  load,
  interface,
  irq,
  filesys,
  partition,
  address,
  tmpfs,
  softirq,
  pressure,
  irq_cpu,
  softirq_cpu,
  none,
  all_disks,
};

struct LinuxDomainRow {
  LinuxDomain domain;
  uint32_t serial;
  std::string_view text;         // what its instances are
  std::string_view device_type;  // of the label, in JSON; empty: it has none
  std::string_view per;          // "per cpu"; empty: there is no such label
  std::string_view label;        // of an instance
};
[[nodiscard]] std::span<const LinuxDomainRow> linux_domains();

struct MountedFs {
  std::string directory;
  bool read_only = false;
  std::optional<struct statfs> room{};  // none: the system said no, or
  bool late = false;                    // nothing yet
};

// Records of /run/utmp.
struct UserSessions {
  uint64_t users = 0, roots = 0, all = 0;
};

// By the name of what they are of.
using LinuxTexts = std::map<std::string, std::string, std::less<>>;

// SpareDescriptor: one that is given up while a file is opened for which there is none left, so
// that values go on when clients have used up all others.
class SpareDescriptor {
 public:
  SpareDescriptor() { take(); }
  SpareDescriptor(const SpareDescriptor&) = delete;
  SpareDescriptor& operator=(const SpareDescriptor&) = delete;
  ~SpareDescriptor() { give_up(); }
  void take();
  void give_up();

 private:
  int fd_ = -1;
};

class LinuxMachine {
 public:
  explicit LinuxMachine(std::string root, MountRooms::Ask ask = statfs_of,
                        std::chrono::milliseconds patience = MountRooms::kPatience)
      : root_(std::move(root)), rooms_(std::move(ask), patience) {}

  void begin();

  [[nodiscard]] const LinuxSheet* sheet(LinuxSourceId id, std::string_view instance = {});
  // A small file without the line feed at its end; none: there is none.
  [[nodiscard]] std::optional<std::string> text(const std::string& path) const;
  [[nodiscard]] bool exists(const std::string& path) const;
  // Names in a folder, in the order in which the system lists them.
  [[nodiscard]] std::vector<std::string> names_in(const std::string& folder) const;
  // Without a file nobody is logged in.
  [[nodiscard]] const UserSessions& sessions();
  // The first IPv4 address of each interface and alias, as the system has them; none where a folder
  // stands for "/".
  [[nodiscard]] const LinuxTexts& inet_addresses();
  [[nodiscard]] const std::vector<AgentInstance>& instances(LinuxDomain domain);
  // Of `filesys` or `tmpfs`, in the order of instances().
  [[nodiscard]] const std::vector<MountedFs>& mounted(LinuxDomain domain);
  // Of mounts that hang, or are back.
  [[nodiscard]] std::vector<std::string> take_notes() { return rooms_.take_notes(); }
  // How many files were read since begin().
  [[nodiscard]] size_t files_read() const { return files_read_; }

 private:
  struct DomainState {
    bool known = false, rooms_known = false;  // in this fetch
    std::vector<AgentInstance> instances{};
    std::vector<MountedFs> mounted{};
    std::map<std::string, int32_t, std::less<>> ids{};  // of all that were ever seen
  };
  DomainState& look(LinuxDomain domain);
  void find_instances(LinuxDomain domain, DomainState& state);
  void find_mounted(bool of_memory, DomainState& state);
  void find_addresses(DomainState& state);
  void find_interrupts(LinuxSourceId source, bool of_each, DomainState& state);
  void add_seen(DomainState& state, std::string_view name);

  // None: it cannot be read. Files of /proc say nothing of their size.
  [[nodiscard]] std::optional<std::string> read_whole(const std::string& path) const;

  std::string root_;
  MountRooms rooms_;
  mutable SpareDescriptor spare_;
  std::map<std::pair<LinuxSourceId, std::string>, std::optional<LinuxSheet>> sheets_;
  std::optional<UserSessions> sessions_;
  std::optional<LinuxTexts> inet_addresses_;
  std::array<DomainState, static_cast<size_t>(LinuxDomain::none)> domains_;
  mutable size_t files_read_ = 0;
};

// Whole disks, without those that stand for others: loop, ram, zram, optical, dm and md.
[[nodiscard]] bool is_whole_disk(std::string_view device);
[[nodiscard]] bool is_partition(std::string_view device);

// Metrics that are no number of a file, in linux_computed.cc: file systems, names of the system,
// counts of instances, flags of interfaces; in linux_system.cc: interrupts, users, sockets,
// addresses, System V IPC. Fills the column; `domain` is that of the metric.
using LinuxComputation = void (*)(LinuxMachine& machine, LinuxDomain domain, AgentValues& out);
struct ComputedRow {
  std::string_view place;
  LinuxComputation run;
};
[[nodiscard]] std::span<const ComputedRow> system_computations();  // of linux_system.cc
// By the `place` of linux_metrics.def. One that is not there is a bug of the table.
[[nodiscard]] LinuxComputation computation_of(std::string_view place);

}  // namespace pmjit
