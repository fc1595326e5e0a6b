// OpenContext: one context that pmNewContext() or pmDupContext() has made, and Working: the right
// to use one. Source: spec pmapi.md §5.2, §9.
//
//   const auto current = Working::current();
//   if (!current) return current.error();
//   OpenContext& context = **current;
//   if (const int gone = context.lost()) return gone;
//   context.metrics().fetch(…);
#pragma once

#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>

#include "runtime/archive/recording/archives.h"
#include "runtime/client/archive_context/archive_context.h"
#include "runtime/client/host_context.h"
#include "runtime/client/net/network.h"
#include "runtime/pmapi/library.h"

namespace pmjit {

// What contexts share that were duplicated from one another. Of a host the connection, which one
// of them uses at a time; of archives what was read when they were opened, which does not change.
struct HostLink {
  std::recursive_mutex turn;
  std::unique_ptr<Network> network;
  std::unique_ptr<HostClient> client;
  ClientPduCounts told;  // of its PDUs, to the counters of the process

  // To __pmPDUCntIn and __pmPDUCntOut, what has come since the last time.
  void tell_counts();
};
struct ArchiveLink {
  std::string names;
  std::unique_ptr<Archives> archives;
};

class LocalContext;
class SharedView;

class OpenContext {
 public:
  // PM_CONTEXT_*, or why there is none. `definitions` is shared.
  [[nodiscard]] static OrPmError<std::shared_ptr<OpenContext>> open(int type, const char* name);
  [[nodiscard]] std::shared_ptr<OpenContext> duplicate();

  [[nodiscard]] int handle() const { return handle_; }
  [[nodiscard]] int type() const { return type_; }  // PM_CONTEXT_*
  // With derived ones.
  [[nodiscard]] DerivedContext& metrics() { return *metrics_; }
  // One of these is not null.
  [[nodiscard]] HostContext* host() const { return host_; }
  [[nodiscard]] ArchiveContext* archive() const { return archive_; }
  [[nodiscard]] LocalContext* local() const { return local_; }
  [[nodiscard]] const Archives& archives() const { return *archive_link_->archives; }
  [[nodiscard]] Profile& profile() { return profile_; }
  [[nodiscard]] Fetched& fetched() { return fetched_; }  // of the last fetch
  // PM_ERR_IPC: the host is gone until the context is reconnected; 0: all is well.
  [[nodiscard]] int lost() const;
  [[nodiscard]] int reconnect();
  [[nodiscard]] std::string host_name();
  // What PCP's own programs see of it (shared_log.h); empty until one asks.
  [[nodiscard]] std::shared_ptr<SharedView>& shared_view() { return shared_view_; }

 private:
  friend class Working;
  OpenContext(int type, int handle) : handle_(handle), type_(type) {}
  void attach(std::shared_ptr<HostLink> link);
  void attach(std::shared_ptr<ArchiveLink> link);
  void attach_agents();
  [[nodiscard]] static OrPmError<std::shared_ptr<OpenContext>> open_local(int handle);

  int handle_;
  int type_;
  std::shared_ptr<HostLink> host_link_;
  std::shared_ptr<ArchiveLink> archive_link_;
  std::recursive_mutex own_turn_;
  HostContext* host_ = nullptr;        // that metrics_ has
  ArchiveContext* archive_ = nullptr;  // the same
  LocalContext* local_ = nullptr;      // the same
  std::unique_ptr<DerivedContext> metrics_;
  Profile profile_;
  Fetched fetched_;
  std::string host_name_;  // as the host said last
  std::shared_ptr<SharedView> shared_view_;
};

// Which context is this thread's. Below 0: none.
[[nodiscard]] int current_handle();
void set_current_handle(int handle);

class Working {
 public:
  // PM_ERR_NOCONTEXT: this thread has none. PM_ERR_THREAD: it may not use the one that it has.
  [[nodiscard]] static OrPmError<Working> current() { return of(current_handle()); }
  [[nodiscard]] static OrPmError<Working> of(int handle);
  Working(Working&&) = default;
  Working& operator=(Working&&) = delete;
  ~Working();
  [[nodiscard]] OpenContext& operator*() const { return *context_; }
  [[nodiscard]] OpenContext* operator->() const { return context_.get(); }

 private:
  Working() = default;
  std::shared_ptr<OpenContext> context_;
  std::shared_lock<std::shared_mutex> definitions_;
  std::unique_lock<std::recursive_mutex> turn_;
};

// Names, of the current context or, without one, of what is loaded.
class WorkingNames {
 public:
  WorkingNames();
  // PM_ERR_NOPMNS, PM_ERR_IPC or PM_ERR_THREAD; 0: there are names.
  [[nodiscard]] int missing() const { return missing_; }
  [[nodiscard]] DerivedContext& names() { return *names_; }
  [[nodiscard]] OpenContext* context() { return context_ ? &**context_ : nullptr; }

 private:
  std::optional<Working> context_;
  std::shared_lock<std::shared_mutex> definitions_;
  std::unique_ptr<DerivedContext> without_context_;
  DerivedContext* names_ = nullptr;
  int missing_ = 0;
};

// The code of a failure; E_IPC where it has none.
[[nodiscard]] inline int code_of_failure(const Error& error) {
  return error.pm_code() != 0 ? error.pm_code() : static_cast<int>(pm_err::E_IPC);
}

}  // namespace pmjit
