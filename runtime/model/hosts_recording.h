// HostsRecording: recordings of several hosts as one. Its records are those of all hosts in the
// order of their stamps, of equal stamps in the order of the hosts (spec dialects.md §13.2); each
// says whose it is, and a mark interrupts its own host alone.
//
//   HostsRecording both({{"web1", &a}, {"web2", &b}}, {.on_grid = false});
//   both.catalog().of_host(1)      // names of web2, with identifiers that both.open() takes
//
// It starts with the first host and ends with the last.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "runtime/model/hosts_catalog.h"
#include "runtime/model/recording.h"

namespace pmjit {

struct HostsRecordingOptions {
  // Records are the times of a grid, and every host is to have one at each of them: where it has
  // none, nothing is known of it (kNotYetLogged before its first one, then kHostDown).
  bool on_grid = false;
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
  // An error names its host, and comes after every record before the damage, of all hosts.
  [[nodiscard]] Result<std::unique_ptr<Cursor>> open(const FetchPlan& plan,
                                                     Rosters& rosters) const override;

 private:
  std::vector<Part> parts_;
  HostsRecordingOptions options_;
  std::unique_ptr<const HostsCatalog> own_catalog_;
  const HostsCatalog& catalog_;
};

}  // namespace pmjit
