// Library: the state of the process, in one object that is never destroyed: programs call us from
// their exit handlers, too. Contexts are in open_context.h.
//
//   Library& library = the_library();
//   auto current = Working::current();           a context, locked until the call ends
//   if (!current) return current.error();
//   (*current)->metrics().describe(pmid);
//
// Locks, in this order: `definitions` (shared while a call works with a context, alone while
// metrics are defined or names are loaded), then a context's own. The others are held for moments,
// and nothing is locked inside of them.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "runtime/archive/reader/name_space.h"
#include "runtime/base/clock.h"
#include "runtime/client/context.h"
#include "runtime/client/derived_context.h"
#include "runtime/client/deriver.h"
#include "runtime/pmapi/border.h"
#include "runtime/pmns/name_space_file.h"
#include "runtime/text/zone.h"

namespace pmjit {

class OpenContext;

// What pmLoadNameSpace() and its like have loaded; it stands in for every context's own names.
class LoadedNames {
 public:
  enum class State : uint8_t { none, loaded, failed };
  // PM_ERR_DUPPMNS, PM_ERR_PMNS or -errno. Messages have been written.
  [[nodiscard]] int load(const char* path, SameMetric same, bool preprocessed);
  void unload();
  // As if this file had been loaded, in place of what was.
  void use(const NameSpaceFile& file);
  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] const NameSpace& names() const { return names_; }
  // Only the names of these stay.
  template <class Keep>
  void trim(Keep&& keep) {
    if (state_ != State::loaded) return;
    std::erase_if(file_.leaves, [&](const NamedMetric& leaf) { return !keep(leaf.pmid); });
    build();
  }

 private:
  void build();

  State state_ = State::none;
  NameSpaceFile file_;
  NameSpace names_;  // views into file_
};

// The zones that pmNewZone() made; which is current is the process's, too.
class Zones {
 public:
  int add(Zone zone);
  [[nodiscard]] bool use(int handle);
  // -1: none was set.
  [[nodiscard]] int current(const char** name) const;
  [[nodiscard]] Zone zone() const;

 private:
  mutable std::mutex lock_;
  std::deque<Zone> zones_;
  int current_ = -1;
  Zone own_{};
};

class Library {
 public:
  Library();

  SystemClock clock;
  std::shared_mutex definitions;
  std::unique_ptr<DerivedMetrics> derived;  // under `definitions`
  LoadedNames loaded_names;                 // the same
  Zones zones;

  // The definitions of the environment; before anything that sees derived metrics.
  void begin_derived();

  // For contexts that have no names of their own, unless names are loaded or could not be.
  void load_default_names();

  // Contexts by their handles, which are never used twice.
  [[nodiscard]] int next_handle();
  void add(const std::shared_ptr<OpenContext>& context);
  [[nodiscard]] std::shared_ptr<OpenContext> find(int handle);
  [[nodiscard]] bool remove(int handle);
  // All there are now.
  [[nodiscard]] std::vector<std::shared_ptr<OpenContext>> all_contexts();

  // Fetch groups that are there; programs hand over those that they have destroyed, too.
  void add_group(pmFG group);
  [[nodiscard]] bool has_group(pmFG group);
  void remove_group(pmFG group);

 private:
  std::once_flag derived_begun_;
  std::mutex contexts_lock_;
  std::unordered_map<int, std::shared_ptr<OpenContext>> contexts_;
  int next_handle_ = 0;
  std::mutex groups_lock_;
  std::unordered_set<pmFG> groups_;
};

[[nodiscard]] Library& the_library();
// Of the wall clock.
[[nodiscard]] Stamp stamp_now();
[[nodiscard]] int64_t seconds_now();

// Names as they are loaded, in front of those of a source: what every context has between its
// derived metrics and its source. Without a source it is what there is without a context.
class NamesInFront final : public Context {
 public:
  NamesInFront(const LoadedNames& loaded, std::unique_ptr<Context> source)
      : loaded_(loaded), source_(std::move(source)) {}

  [[nodiscard]] std::vector<OrPmError<PmId>> look_up_names(
      std::span<const std::string_view> names) override;
  [[nodiscard]] OrPmError<std::vector<std::string>> names(PmId pmid) override;
  [[nodiscard]] OrPmError<std::vector<Child>> children(std::string_view name) override;
  [[nodiscard]] OrPmError<std::vector<Leaf>> leaves(std::string_view name) override;
  [[nodiscard]] bool lists_leaves_at_once() const override {
    return !in_front() && source_ != nullptr && source_->lists_leaves_at_once();
  }
  [[nodiscard]] std::vector<OrPmError<Desc>> describe_metrics(
      std::span<const PmId> metrics) override;
  [[nodiscard]] OrPmError<std::string> metric_text(TextKind kind, PmId pmid) override;
  [[nodiscard]] OrPmError<std::string> indom_text(TextKind kind, InDomId indom) override;
  [[nodiscard]] OrPmError<std::vector<Instance>> instances(InDomId indom) override;
  [[nodiscard]] OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) override;
  [[nodiscard]] OrPmError<std::string> instance_name(InDomId indom, int32_t instance) override;
  [[nodiscard]] OrPmError<std::vector<Instance>> instances_ever(InDomId indom) override;
  [[nodiscard]] Result<void> fetch(std::span<const PmId> metrics, const Profile& profile,
                                   Fetched& out) override;
  [[nodiscard]] Result<void> fetch_stamp(Fetched& out) override;
  [[nodiscard]] int unknown_metric_status() const override;
  [[nodiscard]] OrPmError<void> store(std::span<const FetchedSet> sets) override;

 private:
  [[nodiscard]] bool in_front() const { return loaded_.state() == LoadedNames::State::loaded; }
  // Neither names that are loaded nor a source: why.
  [[nodiscard]] OrPmError<std::vector<Child>> loaded_children(std::string_view name) const;
  [[nodiscard]] int no_names() const { return pm_err::E_NOPMNS; }

  const LoadedNames& loaded_;
  std::unique_ptr<Context> source_;  // null: no context
};

}  // namespace pmjit
