// HostsRecording: recordings of several hosts as one. Its records are those of all hosts in the
// order of their stamps, of equal stamps in the order of the hosts (spec dialects.md §13.2); each
// says whose it is, and a mark interrupts its own host alone. There is one where a host ends that
// others outlast.
//
//   HostsRecording both({{"web1", &a}, {"web2", &b}}, {});
//   both.catalog().of_host(1)      // names of web2, with identifiers that both.open() takes
//
// It starts with the first host and ends with the last.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/model/catalog.h"
#include "runtime/model/feed.h"
#include "runtime/model/recording.h"

namespace pmjit {

// HostsCatalog: the metadata of several hosts in one catalog. Hosts use the same identifiers for
// different things, so metrics and instance domains of all but the first host get identifiers of
// their own here.
//
//   HostsCatalog catalog({{"web1", &a}, {"web2", &b}});
//   catalog.of_host(1).describe("disk.dev.read")      // as web2 has it, with identifiers of here
//   catalog.metric(pmid)                              // back: {host 1, web2's own identifier}
//
// The domain of all hosts (Catalog::domain_of_all_hosts) has an instance per name that a host has
// in a domain of one number. Names there never change; of live hosts more may come. Source: spec
// dialects.md §4.3, §9.
class HostsCatalog final : public Catalog {
 public:
  struct Part {
    std::string name;  // of the host
    const Catalog* catalog = nullptr;
  };
  struct Own {
    uint32_t host = 0;  // index of the part
    uint32_t id = 0;    // PmId or InDomId on that host
  };

  // The catalogs outlive it. `live`: their instances are not all known yet.
  explicit HostsCatalog(std::vector<Part> parts, bool live = false);

  // What one host has. It lives as long as this catalog. Not thread-safe, as names get identifiers
  // when they are first asked for.
  [[nodiscard]] const Catalog& of_host(uint32_t host) const { return *views_[host]; }
  [[nodiscard]] const std::vector<Part>& hosts() const { return parts_; }
  [[nodiscard]] Own metric(PmId pmid) const;
  // As the hosts themselves call a domain, that of all hosts too.
  [[nodiscard]] InDomId recorded_domain(InDomId indom) const;

  // Of the first host that has it; names of leaves are those of all hosts.
  [[nodiscard]] Result<Desc> describe(std::string_view metric) const override;
  [[nodiscard]] std::vector<std::string> leaves(std::string_view prefix) const override;
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom, int32_t instance,
                                                         Stamp when) const override;
  [[nodiscard]] std::optional<std::string> held_name(InDomId indom, int32_t instance,
                                                     Stamp when) const override;
  [[nodiscard]] uint64_t domain_epoch(InDomId indom, Stamp when) const override;
  [[nodiscard]] std::optional<std::vector<int32_t>> changed_between(InDomId indom, Stamp from,
                                                                    Stamp to) const override;
  [[nodiscard]] std::vector<Instance> instances(InDomId indom) const override;
  [[nodiscard]] InDomId domain_of_all_hosts(InDomId indom) const override;
  [[nodiscard]] std::vector<std::string> names_ever(InDomId indom) const override;

 private:
  class View;
  // Identifiers of hosts but the first: given when they are first asked for.
  struct Ids {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> given;  // {host, own id}
    std::unordered_map<uint32_t, Own> owns;
  };
  struct AllHosts {
    uint32_t own = 0;                // the hosts' number for the domain
    std::vector<std::string> names;  // of instance i
    std::set<std::string> seen;
    uint64_t epoch = 0;  // of live hosts: the sum of theirs when their names were asked for
  };
  [[nodiscard]] Result<Desc> describe(uint32_t host, std::string_view metric) const;
  uint32_t id_here(Ids& ids, uint32_t host, uint32_t own) const;
  [[nodiscard]] Own domain(InDomId indom) const;
  [[nodiscard]] AllHosts* all_hosts(InDomId indom) const;
  void add_names(AllHosts& all) const;
  [[nodiscard]] const std::string* name_in_all(InDomId indom, int32_t instance) const;

  std::vector<Part> parts_;
  bool live_;
  std::vector<std::unique_ptr<const Catalog>> views_;
  mutable Ids metrics_, domains_;
  mutable std::map<uint32_t, InDomId> all_of_;  // of a domain's own identifier
  mutable std::unordered_map<InDomId, AllHosts> all_hosts_;
  mutable uint32_t next_id_;
};

struct HostsRecordingOptions {
  // Records are the times of this grid, and every host is to have one at each of them, from the
  // start of the first host to the end of the last one of which something is wanted: where it has
  // none, nothing is known of it (kNotYetLogged before its first one, then kHostDown).
  std::optional<FeedTimes> grid{};
};

class HostsRecording final : public Recording {
 public:
  struct Part {
    std::string name;  // of the host
    const Recording* recording = nullptr;
  };

  // The recordings outlive it.
  HostsRecording(std::vector<Part> parts, const HostsRecordingOptions& options);
  // The same hosts read in another way: identifiers are those of `catalog`, which outlives it.
  HostsRecording(std::vector<Part> parts, const HostsCatalog& catalog,
                 const HostsRecordingOptions& options);

  [[nodiscard]] const HostsCatalog& catalog() const override { return catalog_; }
  [[nodiscard]] std::string host() const override { return {}; }  // no single one
  [[nodiscard]] std::string timezone() const override { return parts_[0].recording->timezone(); }
  [[nodiscard]] Stamp start() const override;
  [[nodiscard]] Stamp end() const override;
  [[nodiscard]] uint64_t bytes() const override;
  [[nodiscard]] uint32_t sources() const override { return static_cast<uint32_t>(parts_.size()); }
  [[nodiscard]] uint32_t source_of(PmId metric) const override {
    return catalog_.metric(metric).host;
  }
  [[nodiscard]] std::vector<std::string> warnings() const override;
  // An error names its host: that host ends at the damage, and the error comes after all records
  // of the others.
  [[nodiscard]] Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                     Rosters& rosters) const override;

 private:
  std::vector<Part> parts_;
  HostsRecordingOptions options_;
  std::unique_ptr<const HostsCatalog> own_catalog_;
  const HostsCatalog& catalog_;
};

}  // namespace pmjit
