// DebugSession: commands about the agent that is open, and about dbpmda itself.
#include <fmt/format.h>
#include <netinet/in.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "agent/collector/agent_process.h"
#include "agent/debugger/debug_session.h"
#include "runtime/base/installed.h"
#include "runtime/pmns/name_space_file.h"

namespace pmjit {

namespace {

constexpr std::string_view kDebugFlags[] = {
#define DEBUG_FLAGS(...) __VA_ARGS__
#include "runtime/text/debug_flags.def"
#undef DEBUG_FLAGS
};

std::string base_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

// False: there is no such flag.
bool change_flag(std::string_view word, bool clears, std::set<size_t>& flags) {
  const auto* const found = std::ranges::find(kDebugFlags, word);
  if (found == std::end(kDebugFlags)) return false;
  const auto place = static_cast<size_t>(found - std::begin(kDebugFlags));
  if (clears) {
    flags.erase(place);
  } else {
    flags.insert(place);
  }
  return true;
}

void put_row(std::string_view title, std::string_view value) {
  fmt::print("{:<24}{}\n", title, value);
}

}  // namespace

bool DebugSession::read_names(const std::string& path) {
  const NameSpaceFile file = read_name_space(path, SameMetric::allowed);
  std::fflush(stdout);
  fmt::print(stderr, "{}{}", file.preprocessing, file.messages);
  if (file.code != 0) {
    const std::string which = options_.name_space.empty()
                                  ? std::string("default namespace")
                                  : fmt::format("namespace from \"{}\"", path);
    fmt::print(stderr, "dbpmda: Cannot load {}: {}\n", which, pm_error_text(file.code));
    return false;
  }
  names_ = {};
  for (const auto& [name, pmid] : file.leaves) (void)names_.add(name, pmid);
  return true;
}

bool DebugSession::load_names() {
  if (!options_.name_space.empty()) return read_names(options_.name_space);
  const char* const named = std::getenv("PMNS_DEFAULT");
  return read_names(named != nullptr ? named
                                     : fmt::format("{}/pmns/root", installed("PCP_VAR_DIR", "")));
}

void DebugSession::do_namespace() {
  const auto path = take_path("");
  if (!path || !at_end()) return;
  const std::string before = std::exchange(options_.name_space, *path);
  if (read_names(*path)) return;
  fmt::print(stderr, "dbpmda: Reload namespace from \"{}\"\n", before);
}

void DebugSession::opened(std::unique_ptr<AgentChannel> agent, const std::string& said) {
  // dbpmda prints why an object is refused on standard output, and all else on standard error.
  std::FILE* const to = said.starts_with("Error") ? stdout : stderr;
  std::fflush(stdout);
  fmt::print(to, "{}", said);
  if (!agent->is_open()) return;
  agent_ = std::move(agent);
  profile_.clear();
  profile_is_new_ = true;
}

void DebugSession::do_open() {
  auto agent = std::make_unique<AgentChannel>(clock_);
  if (take_word("pipe")) {
    const auto program = take_path("./");
    if (!program) return;
    std::vector<std::string> command{*program};
    while (peek() != nullptr) command.push_back(words_[next_++].text);
    if (!at_end()) return;
    if (::access(program->c_str(), F_OK) == 0) {
      fmt::print("Start {} PMDA: {}\n", base_name(*program), fmt::join(command, " "));
    }
    std::fflush(stdout);
    const std::string said = agent->open_pipe(command, options_.greeting);
    opened(std::move(agent), said);
  } else if (take_word("dso")) {
    const auto path = take_path("./");
    const CommandWord* const entry = path ? take(CommandWord::Kind::name) : nullptr;
    if (entry == nullptr) return;
    uint32_t domain = 0;
    if (peek() != nullptr) {
      const std::string text = words_[next_++].text;
      if (text.find_first_not_of("0123456789") != text.npos) return mistake("syntax error");
      domain = static_cast<uint32_t>(std::strtoul(text.c_str(), nullptr, 10));
    }
    if (!at_end()) return;
    const std::string said = agent->open_object(*path, entry->text, domain, options_.greeting);
    opened(std::move(agent), said);
  } else if (take_word("socket")) {
    const int family = take_word("inet") ? AF_INET : take_word("ipv6") ? AF_INET6 : AF_UNIX;
    if (family == AF_UNIX) (void)take_word("unix");
    const auto where = take_path(family == AF_UNIX ? "./" : "");
    if (!where || !at_end()) return;
    const std::string failure = family == AF_UNIX
                                    ? agent->open_unix(*where, options_.greeting)
                                    : agent->open_inet(family, *where, options_.greeting);
    const bool is_open = agent->is_open();
    // As PCP: of all opens that fail, this one ends the agent before.
    if (!is_open && family != AF_UNIX) agent_->close();
    opened(std::move(agent), failure);
    if (!is_open) return;
    const std::string kind = family == AF_UNIX   ? ""
                             : family == AF_INET ? "inet port "
                                                 : "ipv6 port ";
    fmt::print("Connect to PMDA on {}{}\n", kind.empty() ? "socket " : kind, *where);
  } else {
    ++next_;
    mistake("syntax error");
  }
}

void DebugSession::do_close() {
  if (ready()) agent_->close();
}

void DebugSession::do_quit() {
  if (at_end()) going_on_ = false;
}

void DebugSession::do_wait() {
  const CommandWord* const seconds = take(CommandWord::Kind::number);
  if (seconds == nullptr || !at_end()) return;
  std::fflush(stdout);
  clock_.wait_until(clock_.now() + std::chrono::seconds(seconds->numbers[0]));
}

void DebugSession::do_watch() {
  const auto path = take_path("");
  if (!path || !at_end()) return;
  pid_t process = 0;
  const int error =
      spawn_agent({"xterm", "-hold", "-title", "dbpmda watch " + *path, "-e", "tail", "-f", *path},
                  -1, -1, process);
  if (error != 0) fmt::print(stderr, "dbpmda: watch: xterm: {}\n", pm_error_text(-error));
}

void DebugSession::do_timer() { (void)take_switch(timer_); }
void DebugSession::do_getdesc() { (void)take_switch(getdesc_); }
void DebugSession::do_getiname() { (void)take_switch(getiname_); }

void DebugSession::do_debug() {
  // Flags may begin with a hyphen.
  std::set<size_t> flags = debug_;
  while (peek() != nullptr) {
    const bool clears = take_word("-");
    if (peek() == nullptr) return mistake("syntax error");
    const CommandWord& word = words_[next_++];
    if (word.kind == CommandWord::Kind::comma) continue;
    if (word.text == "none") {
      flags.clear();
    } else if (word.text == "all") {
      for (size_t i = 0; i < std::size(kDebugFlags); ++i) flags.insert(i);
    } else if (word.kind != CommandWord::Kind::number && !change_flag(word.text, clears, flags)) {
      return mistake(fmt::format("Bad debug flag ({})", word.text));
    }
  }
  if (at_end()) debug_ = flags;
}

void DebugSession::do_status() {
  if (!at_end()) return;
  fmt::print("\n");
  put_row("Namespace:", options_.name_space.empty() ? "(default)" : options_.name_space);
  put_row("PMDA:", agent_->is_open() ? agent_->path() : "none");
  if (agent_->is_open()) {
    const bool started = agent_->process() != 0 && !agent_->is_object();
    put_row("Connection:", agent_->is_object() ? "dso"
                           : started           ? fmt::format("daemon (pid: {})", agent_->process())
                                               : std::string("socket"));
    if (agent_->is_object()) {
      put_row("DSO Interface Version:", fmt::format("{}", agent_->interface()));
    }
    put_row("PMDA PMAPI Version:", "2");
  }
  std::vector<std::string_view> flags;
  for (const size_t place : debug_) flags.push_back(kDebugFlags[place]);
  const bool all = flags.size() == std::size(kDebugFlags);
  std::ranges::sort(flags);
  put_row("Debug options:", flags.empty() ? "(none)"
                            : all         ? "(all)"
                                          : fmt::format("{}", fmt::join(flags, " ")));
  put_row("Timer:", timer_ ? "on" : "off");
  put_row("Getdesc:", getdesc_ ? "on" : "off");
  put_row("Getiname:", getiname_ ? "on" : "off");
  put_profile();
}

void DebugSession::put_profile() const {
  fmt::print("\nDump Instance Profile state=INCLUDE, {} profiles\n", profile_.size());
  for (size_t i = 0; i < profile_.size(); ++i) {
    const wire::DomainProfile& domain = profile_[i];
    fmt::print("\tProfile [{}] indom={} [{}] state={} {} instances\n", i, domain.indom,
               indom_text(domain.indom), domain.excludes ? "EXCLUDE" : "INCLUDE",
               domain.instances.size());
    if (domain.instances.empty()) continue;
    std::string list;
    for (const int32_t instance : domain.instances) list += fmt::format(" [{}]", instance);
    fmt::print("\t\tInstances:{}\n", list);
  }
  fmt::print("\n");
}

void DebugSession::do_profile() {
  const auto indom = take_indom();
  if (!indom) return;
  const bool all = take_word("all"), none = !all && take_word("none");
  const bool adds = !all && !none && take_word("add");
  const bool takes_away = !all && !none && !adds && take_word("delete");
  if (!all && !none && !adds && !takes_away) {
    ++next_;
    return mistake("syntax error");
  }
  const CommandWord* const number = adds || takes_away ? take(CommandWord::Kind::number) : nullptr;
  if (!at_end()) return;
  const auto place = std::ranges::find(profile_, *indom, &wire::DomainProfile::indom);
  wire::DomainProfile& domain =
      place != profile_.end()
          ? *place
          : profile_.emplace_back(wire::DomainProfile{.indom = *indom, .excludes = adds});
  if (all || none) {
    domain.excludes = none;
    domain.instances.clear();
  } else {
    const auto instance = static_cast<int32_t>(number->numbers[0]);
    std::erase(domain.instances, instance);
    if (domain.excludes == adds) domain.instances.push_back(instance);
  }
  profile_is_new_ = true;
}

}  // namespace pmjit
