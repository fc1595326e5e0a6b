// HostSession: the host of -h as pminfo and pmprobe see it: its names, and of every metric the
// values of now. Source: spec pmapi.md §20.3, §24.1, §24.3.
//
//   const auto session = HostSession::open(options, derived, clock, messages);
//   if (session == nullptr) return 1;               the user has been told why
//
// Without -h it is the collector of this machine (local:).
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "runtime/client/host_context.h"
#include "runtime/cmd/session.h"

namespace pmjit {

class HostSession final : public MetricSession {
 public:
  [[nodiscard]] static std::unique_ptr<HostSession> open(const Options& options,
                                                         DerivedMetrics& derived,
                                                         const Clock& clock, Messages& messages);

  [[nodiscard]] Network& network() { return *network_; }
  [[nodiscard]] const std::string& zone_note() const {
    return zone_note_;
  }  // which only pmval prints
  // -z, and the host does not say what its zone is: only pmval minds.
  [[nodiscard]] bool lacks_zone() const { return lacks_zone_; }
  [[nodiscard]] const Metadata* metadata() const override { return nullptr; }
  [[nodiscard]] std::string host() const override { return host_->host_name(); }
  [[nodiscard]] Stamp now() const override { return fetched_.stamp; }
  [[nodiscard]] Context& metrics() override { return *context_; }
  [[nodiscard]] OrPmError<const FetchedSet*> fetch_first(PmId pmid) override;
  [[nodiscard]] int load_domain(InDomId indom) override;
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom,
                                                         int32_t instance) const override;
  [[nodiscard]] std::vector<const LabelSet*> labels(LabelType type, uint32_t ident) override;
  void fetch_together(std::span<const PmId> metrics) override;
  [[nodiscard]] ClientPduCounts pdu_counts() const override { return client_->pdu_counts(); }

 private:
  HostSession() = default;
  [[nodiscard]] std::string timezone();

  std::unique_ptr<Network> network_;
  std::unique_ptr<HostClient> client_;
  HostContext* host_ = nullptr;  // that context_ has
  std::unique_ptr<DerivedContext> context_;
  std::string zone_note_;
  bool lacks_zone_ = false;
  Fetched fetched_;
  size_t next_set_ = 0;  // of fetched_, where several metrics were fetched together
  struct KeptLabels {
    std::vector<HostLabels> sent;
    std::vector<std::vector<std::byte>> entries;
    std::vector<LabelSet> sets;
  };
  std::unordered_map<uint32_t, KeptLabels> labels_;  // by LabelType
  InDomId indom_ = kNullId;                          // whose names these are
  std::unordered_map<int32_t, std::string> instance_names_;
};

}  // namespace pmjit
