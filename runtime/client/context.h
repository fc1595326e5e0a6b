// Context: what the three kinds of PMAPI context share: names, descriptors, instances, texts,
// fetches, stores. Source: spec pmapi.md §6 to §10.
//
//   auto pmids = context.look_up_names(names);            one request for all of them
//   auto desc = context.describe(*pmids[0]);
//   Profile profile;  profile.restrict(desc->indom, {0, 1});
//   if (auto done = context.fetch(metrics, profile, fetched); !done) …
//
// Errors are PM_ERR_* or negative errnos. A request that fails as a whole gives each of its names
// or metrics that error. Calls return when the answer is there: an archive has it at once, a host
// waits until the deadline of its context. One thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/model/catalog.h"
#include "runtime/model/desc.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"

namespace pmjit {

// Profile: which instances a fetch is to return, domain by domain; at first all. What is not of any
// domain is always returned. Source: spec pmapi.md §9.5.
class Profile {
 public:
  // All instances of a domain, or none, but for those that are listed, ascending.
  struct Domain {
    bool excludes = false;
    std::vector<int32_t> but{};
    friend bool operator==(const Domain&, const Domain&) = default;
  };

  // Only these instances of the domain from now on.
  void restrict(InDomId indom, std::vector<int32_t> instances) {
    set(indom, {.excludes = true, .but = std::move(instances)});
  }
  void set(InDomId indom, Domain domain) {
    std::ranges::sort(domain.but);
    domains_[indom] = std::move(domain);
  }
  // Domains without an entry from now on; there are no entries any more.
  void set_all(bool excludes) {
    excludes_ = excludes;
    domains_.clear();
  }
  [[nodiscard]] const Domain* find(InDomId indom) const {
    const auto found = domains_.find(indom);
    return found == domains_.end() ? nullptr : &found->second;
  }
  [[nodiscard]] bool restricts(InDomId indom) const {
    if (const Domain* domain = find(indom)) return domain->excludes || !domain->but.empty();
    return excludes_ && indom != kNullId;
  }
  [[nodiscard]] bool wants(InDomId indom, int32_t instance) const {
    if (domains_.empty() && !excludes_) return true;
    const Domain* domain = indom == kNullId ? nullptr : find(indom);
    if (domain == nullptr) return !excludes_ || indom == kNullId;
    return domain->excludes == std::ranges::binary_search(domain->but, instance);
  }
  [[nodiscard]] bool excludes() const { return excludes_; }  // domains without an entry
  [[nodiscard]] const std::unordered_map<InDomId, Domain>& domains() const { return domains_; }
  friend bool operator==(const Profile&, const Profile&) = default;

 private:
  bool excludes_ = false;
  std::unordered_map<InDomId, Domain> domains_;
};

class AheadTimes;

class Context {
 public:
  using Instance = Catalog::Instance;
  struct Leaf {
    std::string name;  // in full
    PmId pmid;
  };
  struct Child {
    std::string name;  // its last part only
    bool leaf;
  };

  virtual ~Context() = default;

  // Names. One answer per name, in their order: PM_ERR_NAME, PM_ERR_NONLEAF.
  [[nodiscard]] virtual std::vector<OrPmError<PmId>> look_up_names(
      std::span<const std::string_view> names) = 0;
  [[nodiscard]] OrPmError<PmId> look_up(std::string_view name) {
    return look_up_names({&name, 1}).front();
  }
  // At least one, else PM_ERR_PMID.
  [[nodiscard]] virtual OrPmError<std::vector<std::string>> names(PmId pmid) = 0;
  // The next level below a name ("" is the root); empty for a leaf. PM_ERR_NAME: no such name.
  [[nodiscard]] virtual OrPmError<std::vector<Child>> children(std::string_view name) = 0;
  // Leaves at or below a name, in the order of a traversal. PM_ERR_NAME: no such name.
  [[nodiscard]] virtual OrPmError<std::vector<Leaf>> leaves(std::string_view name) = 0;
  // A host lists all leaves in one answer. Derived metrics then follow instead of being merged.
  [[nodiscard]] virtual bool lists_leaves_at_once() const { return false; }

  // Descriptors and texts. One answer per metric, in their order.
  [[nodiscard]] virtual std::vector<OrPmError<Desc>> describe_metrics(
      std::span<const PmId> metrics) = 0;
  [[nodiscard]] OrPmError<Desc> describe(PmId pmid) { return describe_metrics({&pmid, 1}).front(); }
  [[nodiscard]] virtual OrPmError<std::string> metric_text(TextKind kind, PmId pmid) = 0;
  [[nodiscard]] virtual OrPmError<std::string> indom_text(TextKind kind, InDomId indom) = 0;

  // Instances as of the time of the context; a name is as of the last fetch.
  [[nodiscard]] virtual OrPmError<std::vector<Instance>> instances(InDomId indom) = 0;
  [[nodiscard]] virtual OrPmError<int32_t> instance_id(InDomId indom, std::string_view name) = 0;
  [[nodiscard]] virtual OrPmError<std::string> instance_name(InDomId indom, int32_t instance) = 0;
  // Every one that is known, with its newest name: of an archive all that were ever recorded.
  [[nodiscard]] virtual OrPmError<std::vector<Instance>> instances_ever(InDomId indom) = 0;

  // One value set per metric, in their order. Values live until the next fetch. The error has the
  // PM_ERR_* number and says where the data is wrong; `out` is then undefined.
  [[nodiscard]] virtual Result<void> fetch(std::span<const PmId> metrics, const Profile& profile,
                                           Fetched& out) = 0;
  // Of a host: asks now, so that several hosts can be asked at once. The next fetch() of the same
  // takes the answer, and does not wait: without one it fails. An answer that comes later is that
  // of the next begin_fetch(), which then sends nothing.
  virtual void begin_fetch(std::span<const PmId>, const Profile&) {}
  // Has the answer of begin_fetch() come, or is it known that none will come?
  [[nodiscard]] virtual bool settled() { return true; }
  // What the next fetches of these metrics bring, many at once: once the first was made, of an
  // archive that reads ahead. Null: nobody knows.
  [[nodiscard]] virtual AheadTimes* ahead(std::span<const PmId>) { return nullptr; }
  // A fetch of nothing: it moves on, and `out` has its time.
  [[nodiscard]] virtual Result<void> fetch_stamp(Fetched& out) = 0;
  // What the value set of a metric says that the source does not know: PM_ERR_*, or 0 values.
  [[nodiscard]] virtual int unknown_metric_status() const = 0;
  // Each set has at least one value. The first error of an agent; earlier sets may be stored.
  [[nodiscard]] virtual OrPmError<void> store(std::span<const FetchedSet> sets) = 0;
};

}  // namespace pmjit
