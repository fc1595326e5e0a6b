#include "runtime/pmapi/open_context.h"

#include <syslog.h>

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>

#include "runtime/base/installed.h"
#include "runtime/base/local_host.h"
#include "runtime/client/client_settings.h"
#include "runtime/client/host_spec.h"
#include "runtime/client/net/asio_network.h"
#include "runtime/client/user_console.h"
#include "runtime/pmapi/internal.h"
#include "runtime/pmapi/local_context.h"
#include "runtime/pmapi/messages.h"

namespace pmjit {

namespace {

thread_local int t_current = PM_ERR_NOCONTEXT;

}  // namespace

int current_handle() { return t_current; }
void set_current_handle(int handle) { t_current = handle; }

OrPmError<Working> Working::of(int handle) {
  Working out;
  out.context_ = handle < 0 ? nullptr : the_library().find(handle);
  if (out.context_ == nullptr) return pm_fail(pm_err::E_NOCONTEXT);
  if (out.context_->local() != nullptr && !local_agents().usable_here()) {
    return pm_fail(pm_err::E_THREAD);
  }
  out.definitions_ = std::shared_lock(the_library().definitions);
  OpenContext& context = *out.context_;
  out.turn_ = std::unique_lock(context.host_link_ ? context.host_link_->turn : context.own_turn_);
  return out;
}

Working::~Working() {
  if (turn_.owns_lock() && context_->host_link_ != nullptr) context_->host_link_->tell_counts();
}

void HostLink::tell_counts() {
  static std::mutex lock;
  const ClientPduCounts now = client->pdu_counts();
  const std::scoped_lock locked(lock);
  for (size_t i = 0; i < now.sent.size(); ++i) {
    __pmPDUCntOut[i] += static_cast<unsigned>(now.sent[i] - told.sent[i]);
    __pmPDUCntIn[i] += static_cast<unsigned>(now.received[i] - told.received[i]);
  }
  told = now;
}

WorkingNames::WorkingNames() {
  Library& library = the_library();
  library.begin_derived();
  const auto named = library.find(current_handle());
  if (named != nullptr && named->local() != nullptr && local_agents().usable_here()) {
    library.load_default_names();
  }
  auto current = Working::current();
  if (current) {
    context_.emplace(*std::move(current));
    names_ = &(*context_)->metrics();
  } else {
    definitions_ = std::shared_lock(library.definitions);
    without_context_ = std::make_unique<DerivedContext>(
        std::make_unique<NamesInFront>(library.loaded_names, nullptr), *library.derived);
    names_ = without_context_.get();
  }
  const LoadedNames::State state = library.loaded_names.state();
  if (!current && current.error() != pm_err::E_NOCONTEXT) missing_ = current.error();
  if (missing_ != 0 || state == LoadedNames::State::loaded) return;
  if (state == LoadedNames::State::failed || !context_ || (*context_)->local() != nullptr) {
    missing_ = PM_ERR_NOPMNS;
  } else {
    missing_ = (*context_)->lost();
  }
}

void OpenContext::attach(std::shared_ptr<HostLink> link) {
  Library& library = the_library();
  host_link_ = std::move(link);
  auto host = std::make_unique<HostContext>(*host_link_->client);
  host_ = host.get();
  metrics_ = std::make_unique<DerivedContext>(
      std::make_unique<NamesInFront>(library.loaded_names, std::move(host)), *library.derived);
}

void OpenContext::attach(std::shared_ptr<ArchiveLink> link) {
  Library& library = the_library();
  archive_link_ = std::move(link);
  auto archive = std::make_unique<ArchiveContext>(*archive_link_->archives, BadVolumes::pass_over);
  archive_ = archive.get();
  metrics_ = std::make_unique<DerivedContext>(
      std::make_unique<NamesInFront>(library.loaded_names, std::move(archive)), *library.derived);
}

void OpenContext::attach_agents() {
  Library& library = the_library();
  auto local = std::make_unique<LocalContext>(library.loaded_names, handle_);
  local_ = local.get();
  metrics_ = std::make_unique<DerivedContext>(std::move(local), *library.derived);
}

namespace {

// The specification, and what the flags of pmNewContext() add to it.
OrPmError<HostSpec> spec_of(int flags, const char* name) {
  auto spec = parse_host_spec(name);
  if (!spec) {
    add_message("pmNewContext: bad host specification\n");
    add_message(pcp_text(name, spec.error()));
    pmflush();
    return pm_fail(spec.error().code);
  }
  if (spec->kind == HostSpec::Kind::remote && spec->addresses.empty()) {
    return pm_fail(pm_err::E_NOTHOST);
  }
  if ((static_cast<unsigned>(flags) & PM_CTXFLAG_COMPRESS) != 0) return pm_fail(-EOPNOTSUPP);
  const auto has = [&](unsigned flag) { return (static_cast<unsigned>(flags) & flag) != 0; };
  if (has(PM_CTXFLAG_SECURE | PM_CTXFLAG_RELAXED) && !spec->wants_tls()) {
    spec->scheme = "pcps";
    spec->attributes[HostAttribute::secure] = has(PM_CTXFLAG_SECURE) ? "enforce" : "relaxed";
  }
  if (has(PM_CTXFLAG_AUTH)) spec->attributes.try_emplace(HostAttribute::userauth);
  return *std::move(spec);
}

// pcp.conf is read once a process, as by libpcp. Threads of the program may outlive main().
const char* setting_of(const char* name) {
  static const auto* const configured = [] {
    auto* const out = new std::map<std::string, std::string>();
    for (auto& [variable, value] : installed_settings()) out->try_emplace(variable, value);
    return out;
  }();
  if (const char* const value = std::getenv(name)) return value;
  const auto found = configured->find(name);
  return found == configured->end() ? nullptr : found->second.c_str();
}

// As PCP's library does: of time-outs, and at the first connection of a process.
void warn_once(const std::vector<BadSetting>& bad) {
  static std::once_flag warned;
  std::call_once(warned, [&] {
    for (const BadSetting& one : bad) {
      if (one.name != "PMCD_CONNECT_TIMEOUT" && one.name != "PMCD_REQUEST_TIMEOUT") continue;
      pmNotifyErr(LOG_WARNING, "ignored bad %s = '%s'", one.name.c_str(), one.value.c_str());
    }
  });
}

OrPmError<std::shared_ptr<HostLink>> connect_to(int flags, const char* name) {
  auto spec = spec_of(flags, name);
  if (!spec) return pm_fail(spec.error());
  std::vector<BadSetting> bad;
  ClientSettings settings = read_client_settings(setting_of, bad);
  if (!bad.empty()) warn_once(bad);
  settings.fails_as_pcp = true;
  settings.reconnect_jitter = 0;
  settings.keeps_long_answers = true;
  settings.ask = ask_on_console();
  auto link = std::make_shared<HostLink>();
  link->network = make_network(the_library().clock);
  link->client = std::make_unique<HostClient>(*link->network, *std::move(spec), settings);
  HostContext trial(*link->client);
  if (const auto connected = trial.connect(); !connected) {
    const Error& why = connected.error();
    // One number says too little of a certificate.
    if (is_of_encryption(why)) pmNotifyErr(LOG_ERR, "%s", why.text().c_str());
    return pm_fail(code_of_failure(why));
  }
  return link;
}

OrPmError<std::shared_ptr<ArchiveLink>> open_archives(int flags, const char* names) {
  if (*names == '\0') return pm_fail(pm_err::E_LOGFILE);
  const bool any = (static_cast<unsigned>(flags) & PM_CTXFLAG_NO_FEATURE_CHECK) != 0;
  auto archives = Archives::open(names, {.features = any ? Features::any : Features::known,
                                         .extra_units = the_library().derived->extra_units()});
  if (!archives) {
    const int code = archives.error().pm_code();
    return pm_fail(code != 0 ? code : static_cast<int>(pm_err::E_LOGREC));
  }
  return std::make_shared<ArchiveLink>(names, *std::move(archives));
}

}  // namespace

OrPmError<std::shared_ptr<OpenContext>> OpenContext::open(int type, const char* name) {
  const int kind = type & PM_CONTEXT_TYPEMASK;
  Library& library = the_library();
  library.begin_derived();
  const int handle = library.next_handle();
  if (kind == PM_CONTEXT_LOCAL) return open_local(handle);
  if ((kind != PM_CONTEXT_HOST && kind != PM_CONTEXT_ARCHIVE) || name == nullptr) {
    return pm_fail(pm_err::E_NOCONTEXT);
  }
  std::shared_ptr<OpenContext> out(new OpenContext(kind, handle));
  if (kind == PM_CONTEXT_HOST) {
    auto link = connect_to(type, name);
    if (!link) return pm_fail(link.error());
    const std::shared_lock shared(library.definitions);
    out->attach(*std::move(link));
  } else {
    auto link = open_archives(type, name);
    if (!link) return pm_fail(link.error());
    const std::shared_lock shared(library.definitions);
    out->attach(*std::move(link));
  }
  return out;
}

OrPmError<std::shared_ptr<OpenContext>> OpenContext::open_local(int handle) {
  if (const int code = open_local_agents(); code < 0) return pm_fail(code);
  std::shared_ptr<OpenContext> out(new OpenContext(PM_CONTEXT_LOCAL, handle));
  const std::shared_lock shared(the_library().definitions);
  out->attach_agents();
  return out;
}

// Derived metrics of the context alone are not copied. Source: spec derived-metrics.md §8.4.
std::shared_ptr<OpenContext> OpenContext::duplicate() {
  std::shared_ptr<OpenContext> out(new OpenContext(type_, the_library().next_handle()));
  if (host_link_ != nullptr) {
    out->attach(host_link_);
  } else if (local_ != nullptr) {
    out->attach_agents();
  } else {
    out->attach(archive_link_);
    const ReplayContext& replay = archive_->replay();
    Stamp when = replay.now();
    // Behind the record that was read last.
    if (replay.has_read() && replay.mode() != ReplayMode::interpolated) {
      when = stamp_from_nanos(nanos(when) + (replay.mode() == ReplayMode::forward ? 1 : -1));
    }
    out->archive_->replay().set_mode(replay.mode(), when, replay.step());
  }
  out->profile_ = profile_;
  return out;
}

int OpenContext::lost() const {
  if (host_link_ == nullptr || host_link_->client->connected()) return 0;
  return PM_ERR_IPC;
}

int OpenContext::reconnect() {
  if (host_link_ != nullptr) {
    HostClient& client = *host_link_->client;
    if (client.connected()) {
      client.reset();
    } else if (the_library().clock.now() < client.next_attempt()) {
      return -ETIMEDOUT;
    }
    if (!host_->connect()) return -ETIMEDOUT;
  }
  metrics_->derive_anew(*the_library().derived);
  return handle_;
}

std::string OpenContext::host_name() {
  if (archive_ != nullptr) return archives().label().host;
  if (local_ != nullptr) return local_host_name();
  if (lost() == 0) {
    host_name_ = host_->host_name();
  } else if (host_name_.empty()) {
    host_name_ = host_link_->client->spec().host();
  }
  return host_name_;
}

}  // namespace pmjit

using namespace pmjit;

int pmNewContext(int type, const char* name) {
  return at_c_border([&] {
    auto made = OpenContext::open(type, name);
    if (!made) return made.error();
    the_library().add(*made);
    set_current_handle((*made)->handle());
    return (*made)->handle();
  });
}

int pmDupContext(void) {
  return at_c_border([] {
    std::shared_ptr<OpenContext> made;
    {
      auto current = Working::current();
      if (!current) return current.error();
      made = (*current)->duplicate();
    }
    the_library().add(made);
    set_current_handle(made->handle());
    return made->handle();
  });
}

int pmUseContext(int handle) {
  return at_c_border([&] {
    if (handle < 0 || the_library().find(handle) == nullptr) return PM_ERR_NOCONTEXT;
    set_current_handle(handle);
    return 0;
  });
}

int pmWhichContext(void) {
  return at_c_border([] {
    const int handle = current_handle();
    if (handle < 0 || the_library().find(handle) == nullptr) return PM_ERR_NOCONTEXT;
    return handle;
  });
}

int pmDestroyContext(int handle) {
  return at_c_border([&] {
    if (handle < 0 || !the_library().remove(handle)) return PM_ERR_NOCONTEXT;
    if (current_handle() == handle) set_current_handle(PM_ERR_NOCONTEXT);
    return 0;
  });
}

int pmReconnectContext(int handle) {
  return at_c_border([&] {
    auto context = Working::of(handle);
    return context ? (*context)->reconnect() : context.error();
  });
}

char* pmGetContextHostName_r(int handle, char* buffer, int bytes) {
  if (buffer == nullptr || bytes < 1) return buffer;
  *buffer = '\0';
  return at_c_border_or(buffer, [&] {
    if (auto context = Working::of(handle)) put_text((*context)->host_name(), buffer, bytes);
    return buffer;
  });
}

const char* pmGetContextHostName(int handle) {
  static char name[PM_MAX_HOSTNAMELEN];
  return pmGetContextHostName_r(handle, name, sizeof name);
}

int pmGetHostName(int handle, char* buffer, int bytes) {
  (void)pmGetContextHostName_r(handle, buffer, bytes);
  return 0;
}

char* pmSpecLocalPMDA(const char* spec) {
  static char refused[] = "bad op in spec";
  if (spec == nullptr) return refused;
  return at_c_border_or<char*>(nullptr, [&]() -> char* {
    static std::string wrong;
    wrong = local_agents().change(spec);
    return wrong.empty() ? nullptr : wrong.data();
  });
}
