#include "agent/pmcd/pmcd_agent.h"

#include <dirent.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <ctime>
#include <fstream>

#include "runtime/model/pm_codes.h"
#include "runtime/tz/rules.h"

namespace pmjit {

namespace {

enum class PmcdDomain : uint8_t { none, loggers, registers, agents, engines, buffers, clients };
constexpr InDomId kLoggers = make_indom(PmcdAgent::kDomain, 1),
                  kRegisters = make_indom(PmcdAgent::kDomain, 2),
                  kAgents = make_indom(PmcdAgent::kDomain, 3),
                  kEngines = make_indom(PmcdAgent::kDomain, 4),
                  kBuffers = make_indom(PmcdAgent::kDomain, 5),
                  kClients = make_indom(PmcdAgent::kDomain, 6);
// Sizes of the buffers that pmcd has pools of.
constexpr std::pair<int32_t, std::string_view> kBufferSizes[] = {
    {12, "0012"},   {20, "0020"},   {1024, "1024"}, {2048, "2048"},
    {4196, "4196"}, {8192, "8192"}, {8193, "8192+"}};
constexpr uint32_t kAllPdus = UINT32_MAX;

namespace pmcd_units {
constexpr Units none{}, count{.dim_count = 1}, kbyte{.dim_space = 1, .scale_space = 1},
    millisec{.dim_time = 1, .scale_time = 2},
    count_per_sec{.dim_time = -1, .dim_count = 1, .scale_time = 3},
    microsec_per_count{.dim_time = 1, .dim_count = -1, .scale_time = 1};
}  // namespace pmcd_units

// What a value is computed from.
struct PmcdView {
  CollectorState& state;
  const AgentAsker& asker;
  PduTimes& last_times;
  const tz::Rules& zone;
};
using PmcdValue = void (*)(const PmcdView& view, AgentValues& out);
// From files, by whichever thread.
using PmcdFile = void (*)(const PmcdPlaces& places, AgentValues& out);

uint64_t cpu_microseconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto of = [](const timeval& time) {
    return static_cast<uint64_t>(time.tv_sec) * 1'000'000 + static_cast<uint64_t>(time.tv_usec);
  };
  return of(usage.ru_utime) + of(usage.ru_stime);
}

// ---- of the process

// Pages of data and stack, which /proc/self/statm counts.
void data_size(const PmcdPlaces&, AgentValues& out) {
  std::ifstream file("/proc/self/statm");
  std::array<uint64_t, 6> pages{};
  for (uint64_t& number : pages) file >> number;
  if (file) out.add_whole(kSingular, pages[5] * static_cast<uint64_t>(getpagesize()) / 1024);
}
void open_fds(const PmcdPlaces&, AgentValues& out) {
  uint64_t highest = 0;
  DIR* const folder = opendir("/proc/self/fd");
  if (folder == nullptr) return;
  for (const dirent* entry = readdir(folder); entry != nullptr; entry = readdir(folder)) {
    const std::string_view name = entry->d_name;
    uint64_t number = 0;
    const char* const end = name.data() + name.size();
    const bool whole = std::from_chars(name.data(), end, number).ptr == end;
    // The folder itself is open only for this.
    if (whole && number != static_cast<uint64_t>(dirfd(folder)))
      highest = std::max(highest, number);
  }
  closedir(folder);
  out.add_whole(kSingular, highest);
}
void process_id(const PmcdView&, AgentValues& out) {
  out.add_whole(kSingular, static_cast<uint64_t>(getpid()));
}
void cpu_time(const PmcdView&, AgentValues& out) {
  out.add_whole(kSingular, cpu_microseconds() / 1'000);
}
void cpu_time_per_pdu(const PmcdView& view, AgentValues& out) {
  const PduTimes now{.microseconds = cpu_microseconds(), .pdus = view.state.in.total};
  const uint32_t pdus = now.pdus - view.last_times.pdus;
  const auto spent = static_cast<double>(now.microseconds - view.last_times.microseconds);
  if (pdus > 0) out.add_number(kSingular, spent / pdus);
  view.last_times = now;
}
void abi(const PmcdView&, AgentValues& out) {
  utsname names{};
  if (uname(&names) == 0) out.add_text(kSingular, names.machine);
}

// ---- of the collector

void version(const PmcdView& view, AgentValues& out) {
  out.add_text(kSingular, view.state.version);
}
void build(const PmcdView& view, AgentValues& out) { out.add_text(kSingular, view.state.build); }
void services(const PmcdView&, AgentValues& out) { out.add_text(kSingular, "pmcd"); }
void host_name(const PmcdView& view, AgentValues& out) {
  const std::string& given = view.state.host_name;
  out.add_text(kSingular, given.empty() ? collector_host_name() : given);
}
void time_zone(const PmcdPlaces& places, AgentValues& out) {
  out.add_text(kSingular, posix_time_zone(places.local_time));
}
void zone_info(const PmcdPlaces& places, AgentValues& out) {
  out.add_text(kSingular, zone_info_name(places.local_time));
}
void agent_count(const PmcdView& view, AgentValues& out) {
  const auto& agents = view.state.agents;
  out.add_whole(kSingular, static_cast<uint64_t>(
                               std::ranges::count(agents, true, &CollectorAgentFacts::connected)));
}
void client_count(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.clients.size());
}
void sequence(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.sequence);
}
void sighups(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.sighups);
}
void time_limit(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, static_cast<uint64_t>(view.state.timeout_s));
}
void no(const PmcdView&, AgentValues& out) { out.add_whole(kSingular, 0); }
void labels_of_files(const PmcdView& view, AgentValues& out) {
  out.add_text(kSingular, view.state.labels);
}
template <int32_t CollectorState::* kNumber>
void stored(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, static_cast<uint64_t>(view.state.*kNumber));
}
void no_buffers(const PmcdView&, AgentValues& out) {
  for (const auto& [size, name] : kBufferSizes) out.add_whole(size, 0);
}
void register_values(const PmcdView& view, AgentValues& out) {
  for (size_t i = 0; i < view.state.registers.size(); ++i) {
    out.add_whole(static_cast<int32_t>(i), static_cast<uint32_t>(view.state.registers[i]));
  }
}
void has_ipv6(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.ipv6 ? 1 : 0);
}
void has_unix_sockets(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.unix_sockets ? 1 : 0);
}
void needs_creds(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.creds_required ? 1 : 0);
}
void takes_logins(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.takes_logins ? 1 : 0);
}
void knows_containers(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.knows_containers ? 1 : 0);
}
void encrypts(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.encrypts ? 1 : 0);
}
void needs_certificates(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.certificates_required ? 1 : 0);
}
void is_local(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, view.state.loopback_only ? 1 : 0);
}

uint32_t counted(const PduCounts& counts, uint32_t code) {
  return code == kAllPdus ? counts.total : counts.of[code];
}
template <uint32_t kCode>
void pdus_in(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, counted(view.state.in, kCode));
}
template <uint32_t kCode>
void pdus_out(const PmcdView& view, AgentValues& out) {
  out.add_whole(kSingular, counted(view.state.out, kCode));
}

// ---- agents and clients

template <int (*kFact)(const CollectorAgentFacts&)>
void of_each_agent(const PmcdView& view, AgentValues& out) {
  for (const CollectorAgentFacts& agent : view.state.agents) {
    const auto number = static_cast<uint64_t>(static_cast<int64_t>(kFact(agent)));
    out.add_whole(static_cast<int32_t>(agent.domain), number);
  }
}
int type_of_agent(const CollectorAgentFacts& agent) { return agent.type; }
int fence_of_agent(const CollectorAgentFacts& agent) { return agent.fenced ? 1 : 0; }
// 1 is "not ready".
int status_of_agent(const CollectorAgentFacts& agent) { return agent.ready ? agent.status : 1; }
constexpr PmcdValue agent_type = of_each_agent<type_of_agent>,
                    agent_fenced = of_each_agent<fence_of_agent>,
                    agent_status = of_each_agent<status_of_agent>;
void agent_name(const PmcdView& view, AgentValues& out) {
  for (const CollectorAgentFacts& agent : view.state.agents) {
    out.add_text(static_cast<int32_t>(agent.domain), agent.name);
  }
}

// Clients that have said who they are, and the one that asks.
bool is_listed(const CollectorClientFacts& client, uint32_t number, const AgentAsker& asker) {
  return !client.who.empty() || number == asker.client;
}
template <std::string (*kText)(const CollectorClientFacts&, const tz::Rules& zone)>
void of_each_client(const PmcdView& view, AgentValues& out) {
  for (const auto& [number, client] : view.state.clients) {
    if (is_listed(client, number, view.asker)) {
      out.add_text(static_cast<int32_t>(number), kText(client, view.zone));
    }
  }
}
std::string who_of(const CollectorClientFacts& client, const tz::Rules&) { return client.who; }
// "Tue Nov 24 11:50:25 2026", in the time zone of the collector.
std::string since_of(const CollectorClientFacts& client, const tz::Rules& zone) {
  std::tm parts{};
  std::array<char, 64> text{};
  if (!zone.local(unix_seconds(client.since), parts)) return "";
  return {text.data(), std::strftime(text.data(), text.size(), "%a %b %e %H:%M:%S %Y", &parts)};
}
std::string container_of(const CollectorClientFacts& client, const tz::Rules&) {
  return client.container;
}
constexpr PmcdValue client_who = of_each_client<who_of>, client_since = of_each_client<since_of>,
                    client_container = of_each_client<container_of>;

// ---- pmloggers and pmies

template <std::string LoggerFacts::* kText>
void of_each_logger(const PmcdPlaces& places, AgentValues& out) {
  for (const auto& [process, facts] : running_loggers(places)) {
    out.add_text(process, facts.*kText);
  }
}
void logger_port(const PmcdPlaces& places, AgentValues& out) {
  for (const auto& [process, facts] : running_loggers(places)) {
    out.add_whole(process, facts.port);
  }
}
void logger_host(const PmcdPlaces& places, AgentValues& out) {
  for (const auto& [process, facts] : running_loggers(places)) {
    out.add_text(process, collector_host_name());
  }
}
constexpr PmcdFile logger_target = of_each_logger<&LoggerFacts::host>,
                   logger_archive = of_each_logger<&LoggerFacts::archive>;

template <std::string EngineFacts::* kText>
void of_each_engine(const PmcdPlaces& places, AgentValues& out) {
  for (const auto& [process, facts] : running_engines(places)) {
    out.add_text(process, facts.*kText);
  }
}
template <size_t kWhich>
void engine_count(const PmcdPlaces& places, AgentValues& out) {
  for (const auto& [process, facts] : running_engines(places)) {
    out.add_whole(process, facts.counts[kWhich]);
  }
}
void engine_expected(const PmcdPlaces& places, AgentValues& out) {
  for (const auto& [process, facts] : running_engines(places)) {
    out.add_number(process, static_cast<double>(facts.expected));
  }
}
constexpr PmcdFile engine_rules_file = of_each_engine<&EngineFacts::rules_file>,
                   engine_log = of_each_engine<&EngineFacts::log_file>,
                   engine_target = of_each_engine<&EngineFacts::host>;

template <class Facts>
std::vector<AgentInstance> by_process(const std::map<int32_t, Facts>& tools) {
  std::vector<AgentInstance> out;
  for (const auto& [process, facts] : tools) {
    out.push_back({process, process == 0 ? "primary" : fmt::format("{}", process)});
  }
  return out;
}
OrPmError<std::vector<AgentInstance>> tools_of(InDomId indom, const PmcdPlaces& places) {
  if (indom == kLoggers) return by_process(running_loggers(places));
  if (indom == kEngines) return by_process(running_engines(places));
  return pm_fail(pm_err::E_INDOM);
}

// Where a value comes from: one of them.
struct PmcdValueSource {
  PmcdValue of_collector = nullptr;
  PmcdFile of_files = nullptr;

  constexpr PmcdValueSource(PmcdValue value) : of_collector(value) {}
  constexpr PmcdValueSource(PmcdFile value) : of_files(value) {}
};

struct PmcdMetricRow {
  std::string_view name;
  uint32_t cluster, item;
  int type;
  PmcdDomain domain;
  Semantics semantics;
  Units units;
  PmcdValueSource value;
  std::string_view text;
};
constexpr PmcdMetricRow kRows[] = {
#define METRIC(name, cluster, item, type, instances, semantics, units, value, text) \
  {name,                                                                            \
   cluster,                                                                         \
   item,                                                                            \
   pm_type::type,                                                                   \
   PmcdDomain::instances,                                                           \
   Semantics::semantics,                                                            \
   pmcd_units::units,                                                               \
   value,                                                                           \
   text},
#include "agent/pmcd/pmcd_metrics.def"
#undef METRIC
};

InDomId indom_of_pmcd(PmcdDomain domain) {
  constexpr InDomId kIndoms[] = {kNullId,  kLoggers, kRegisters, kAgents,
                                 kEngines, kBuffers, kClients};
  return kIndoms[static_cast<size_t>(domain)];
}

AgentMetric pmcd_metric(const PmcdMetricRow& row) {
  return {.name = std::string(row.name),
          .desc = {.pmid = make_pmid(PmcdAgent::kDomain, row.cluster, row.item),
                   .pm_type = row.type,
                   .indom = indom_of_pmcd(row.domain),
                   .semantics = row.semantics,
                   .units = row.units},
          .text = std::string(row.text),
          .help = fmt::format("{}.\nThe collector says this of itself.", row.text)};
}

// What is read from files, among the same metrics.
class PmcdFiles final : public Agent {
 public:
  PmcdFiles(std::vector<AgentMetric> metrics, PmcdPlaces places)
      : metrics_(std::move(metrics)), places_(std::move(places)) {}

  [[nodiscard]] std::string_view name() const override { return "pmcd"; }
  [[nodiscard]] uint32_t domain() const override { return PmcdAgent::kDomain; }
  [[nodiscard]] std::span<const AgentMetric> metrics() const override { return metrics_; }
  [[nodiscard]] std::span<const AgentInDom> indoms() const override { return {}; }
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId indom,
                                                                const AgentAsker&) override {
    return tools_of(indom, places_);
  }
  void fetch(std::span<const uint32_t> which, const AgentAsker&,
             std::span<AgentValues* const> out) override {
    for (size_t i = 0; i < which.size(); ++i) {
      kRows[which[i]].value.of_files(places_, *out[i]);
    }
  }

 private:
  std::vector<AgentMetric> metrics_;
  PmcdPlaces places_;
};

std::vector<uint32_t> those_of_files(std::span<const uint32_t> which) {
  std::vector<uint32_t> out;
  for (const uint32_t metric : which) {
    if (kRows[metric].value.of_files != nullptr) out.push_back(metric);
  }
  return out;
}

constexpr int32_t kTraceBuffersMost = 1'000'000;

// A store that sets a number, or asks for something.
struct ControlRow {
  std::string_view name;
  int32_t CollectorState::* number;
  bool CollectorState::* wanted = nullptr;
  int32_t least = INT32_MIN, most = INT32_MAX;
};
constexpr ControlRow kControls[] = {
    {"pmcd.control.debug", &CollectorState::debug},
    {"pmcd.control.traceconn", &CollectorState::traces_connections, nullptr, 0, 1},
    {"pmcd.control.tracepdu", &CollectorState::traces_pdus, nullptr, 0, 1},
    {"pmcd.control.tracenobuf", &CollectorState::traces_unbuffered, nullptr, 0, 1},
    {"pmcd.control.tracebufs", &CollectorState::trace_buffers, nullptr, 1, kTraceBuffersMost},
    {"pmcd.control.dumptrace", nullptr, &CollectorState::trace_dump_wanted},
    {"pmcd.control.dumpconn", nullptr, &CollectorState::client_table_wanted},
    {"pmcd.control.sighup", nullptr, &CollectorState::hang_up_wanted},
};

const ControlRow* control_of(std::string_view name) {
  const auto* const row = std::ranges::find(kControls, name, &ControlRow::name);
  return row == std::end(kControls) ? nullptr : row;
}

// Whether the super-user may store it.
bool is_control(std::string_view name, const CollectorState& state) {
  if (name == "pmcd.control.sighup") return state.reads_files_again;
  return control_of(name) != nullptr || name == "pmcd.control.timeout" ||
         name == "pmcd.control.register" || name == "pmcd.agent.fenced";
}

}  // namespace

PmcdAgent::PmcdAgent(CollectorState& state)
    : state_(&state), zone_(tz::load_rules(std::getenv("TZ"))) {
  for (const PmcdMetricRow& row : kRows) metrics_.push_back(pmcd_metric(row));
  indoms_ = {{.id = kLoggers, .text = "pmloggers of this machine, by process"},
             {.id = kRegisters, .text = "registers"},
             {.id = kAgents, .text = "agents of the collector, by domain"},
             {.id = kEngines, .text = "pmies of this machine, by process"},
             {.id = kBuffers, .text = "sizes of buffers"},
             {.id = kClients, .text = "clients of the collector, by number of the connection"}};
}

OrPmError<std::vector<AgentInstance>> PmcdAgent::instances(InDomId indom, const AgentAsker& asker) {
  std::vector<AgentInstance> out;
  if (indom == kAgents) {
    for (const CollectorAgentFacts& agent : state_->agents) {
      out.push_back({static_cast<int32_t>(agent.domain), agent.name});
    }
    return out;
  }
  if (indom == kLoggers || indom == kEngines) {
    return files_ ? files_->instances(indom, asker) : tools_of(indom, PmcdPlaces());
  }
  if (indom == kRegisters) {
    for (int32_t i = 0; i < static_cast<int32_t>(state_->registers.size()); ++i) {
      out.push_back({i, fmt::format("{}", i)});
    }
    return out;
  }
  if (indom == kBuffers) {
    for (const auto& [size, name] : kBufferSizes) out.push_back({size, std::string(name)});
    return out;
  }
  if (indom != kClients) return pm_fail(pm_err::E_INDOM);
  for (const auto& [number, client] : state_->clients) {
    if (is_listed(client, number, asker)) {
      out.push_back({static_cast<int32_t>(number), fmt::format("{}", number)});
    }
  }
  return out;
}

void PmcdAgent::read_files_apart(FilesApart how) {
  files_ = std::make_unique<TimedAgent>(
      std::make_shared<PmcdFiles>(metrics_, std::move(how.places)), how.patience);
}

bool PmcdAgent::begin_fetch(std::span<const uint32_t> which, const AgentAsker& asker) {
  if (!files_) return false;
  const std::vector<uint32_t> of_files = those_of_files(which);
  return !of_files.empty() && files_->begin_fetch(of_files, asker);
}

bool PmcdAgent::begin_instances(InDomId indom, const AgentAsker& asker) {
  const bool of_files = indom == kLoggers || indom == kEngines;
  return of_files && files_ && files_->begin_instances(indom, asker);
}

void PmcdAgent::fetch(std::span<const uint32_t> which, const AgentAsker& asker,
                      std::span<AgentValues* const> out) {
  const PmcdView view{.state = *state_, .asker = asker, .last_times = last_times_, .zone = *zone_};
  std::vector<AgentValues*> of_files;
  for (size_t i = 0; i < which.size(); ++i) {
    const PmcdValueSource& source = kRows[which[i]].value;
    if (source.of_collector != nullptr) {
      source.of_collector(view, *out[i]);
    } else if (files_) {
      of_files.push_back(out[i]);
    } else {
      source.of_files(PmcdPlaces(), *out[i]);
    }
  }
  if (!of_files.empty()) files_->fetch(those_of_files(which), asker, of_files);
}

// A number that the super-user may set, as a unix socket vouches for it.
int PmcdAgent::store_control(uint32_t which, std::span<const StoredItem> items,
                             const AgentAsker& asker) {
  if (asker.user_id != 0u) return pm_err::E_PERMISSION;
  const std::string_view name = kRows[which].name;
  for (const StoredItem& item : items) {
    if (item.type == pm_type::string) return pm_err::E_CONV;
    const auto number = static_cast<int32_t>(item.bits);
    if (name == "pmcd.control.timeout") {
      if (number < 0) return pm_err::E_BADSTORE;
      state_->timeout_s = number;
      continue;
    }
    if (name == "pmcd.control.register") {
      const auto index = static_cast<uint32_t>(item.instance);
      if (index >= state_->registers.size()) return pm_err::E_INST;
      state_->registers[index] = number;
      continue;
    }
    if (const ControlRow* const row = control_of(name)) {
      if (number < row->least || number > row->most) return pm_err::E_BADSTORE;
      if (row->number != nullptr) state_->*row->number = number;
      if (row->wanted != nullptr) state_->*row->wanted = true;
      continue;
    }
    if (number != 0 && number != 1) return pm_err::E_BADSTORE;
    // A store for all agents has the collector's own among them, which cannot be fenced.
    if (static_cast<uint32_t>(item.instance) == kDomain) continue;
    const auto agent = std::ranges::find(state_->agents, static_cast<uint32_t>(item.instance),
                                         &CollectorAgentFacts::domain);
    if (agent == state_->agents.end()) return pm_err::E_INST;
    agent->fenced = number == 1;
  }
  return 0;
}

// What clients call themselves, and whose values they ask for: one value, for themselves, as
// instance −1 or by their own number.
int PmcdAgent::store(uint32_t which, std::span<const StoredItem> items, const AgentAsker& asker) {
  const std::string_view name = kRows[which].name;
  if (name == "pmcd.seqnum") return ++state_->sequence, 0;
  if (is_control(name, *state_)) return store_control(which, items, asker);
  const bool of_container = kRows[which].value.of_collector == client_container;
  if (!of_container && kRows[which].value.of_collector != client_who) return store_refusal();
  if (of_container && !state_->knows_containers) return store_refusal();
  if (items.size() != 1) return pm_err::E_BADSTORE;
  const StoredItem& item = items.front();
  const bool own =
      item.instance == kSingular || item.instance == static_cast<int32_t>(asker.client);
  if (!own) return pm_err::E_PERMISSION;
  if (item.type != pm_type::string) return pm_err::E_CONV;
  const auto client = state_->clients.find(asker.client);
  if (client == state_->clients.end()) return pm_err::E_PERMISSION;
  constexpr size_t kTextBytesMax = 1'024;
  std::string& text = of_container ? client->second.container : client->second.who;
  text = item.text.substr(0, kTextBytesMax);
  return 0;
}

}  // namespace pmjit
