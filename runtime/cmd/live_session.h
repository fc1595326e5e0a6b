// LiveSession: what pminfo, pmprobe, pmval and pmstore see of metrics of now: names, and of every
// metric the values of now, be it of a host (host_session.cc) or of agents in this process
// (local_session.cc).
//
//   const auto session = LiveSession::open(options, no_local, derived, clock, messages);
//   if (session == nullptr) return 1;               the user has been told why
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/client/net/network.h"
#include "runtime/client/requests.h"
#include "runtime/cmd/session.h"

namespace pmjit {

class LiveSession : public MetricSession {
 public:
  // `no_local`: what the tool says where -L fails, before the reason.
  [[nodiscard]] static std::unique_ptr<LiveSession> open(const Options& options,
                                                         std::string_view no_local,
                                                         DerivedMetrics& derived,
                                                         const Clock& clock, Messages& messages);

  // Null: there is none, as of agents in this process.
  [[nodiscard]] virtual Network* network() { return nullptr; }
  [[nodiscard]] const std::string& zone_note() const {
    return zone_note_;
  }  // which only pmval prints
  // -z, and the host does not say what its zone is: only pmval minds.
  [[nodiscard]] bool lacks_zone() const { return lacks_zone_; }
  [[nodiscard]] const Metadata* metadata() const override { return nullptr; }
  [[nodiscard]] Stamp now() const override { return fetched_.stamp; }
  [[nodiscard]] Context& metrics() override { return *context_; }
  [[nodiscard]] OrPmError<const FetchedSet*> fetch_first(PmId pmid) override;
  [[nodiscard]] int load_domain(InDomId indom) override;
  [[nodiscard]] std::optional<std::string> instance_name(InDomId indom,
                                                         int32_t instance) const override;
  [[nodiscard]] std::vector<const LabelSet*> labels(LabelType type, uint32_t ident) override;
  void fetch_together(std::span<const PmId> metrics) override;

 protected:
  LiveSession() = default;
  // That of -Z.
  void use_zone_of(const Options& options);
  [[nodiscard]] virtual OrPmError<std::vector<HostLabels>> ask_labels(LabelLevel level,
                                                                      uint32_t ident) = 0;

  std::unique_ptr<DerivedContext> context_;
  std::string zone_note_;
  bool lacks_zone_ = false;
  Fetched fetched_;

 private:
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

// What LiveSession::open() gives. Null: the user has been told why.
[[nodiscard]] std::unique_ptr<LiveSession> open_host_session(const Options& options,
                                                             DerivedMetrics& derived,
                                                             const Clock& clock,
                                                             Messages& messages);
[[nodiscard]] std::unique_ptr<LiveSession> open_local_session(const Options& options,
                                                              std::string_view no_local,
                                                              DerivedMetrics& derived,
                                                              Messages& messages);

}  // namespace pmjit
