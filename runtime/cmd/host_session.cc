// HostSession: the host of -h as the tools see it; without -h it is the collector of this machine
// (local:).

#include <fmt/format.h>

#include "runtime/client/host_context.h"
#include "runtime/client/net/asio_network.h"
#include "runtime/client/user_console.h"
#include "runtime/cmd/live_session.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

class HostSession final : public LiveSession {
 public:
  // Null: the user has been told why.
  [[nodiscard]] static std::unique_ptr<HostSession> open(const Options& options,
                                                         DerivedMetrics& derived,
                                                         const Clock& clock, Messages& messages);

  [[nodiscard]] Network* network() override { return network_.get(); }
  [[nodiscard]] std::string host() const override { return host_->host_name(); }
  [[nodiscard]] ClientPduCounts pdu_counts() const override { return client_->pdu_counts(); }

 private:
  HostSession() = default;
  [[nodiscard]] std::string timezone();
  [[nodiscard]] OrPmError<std::vector<HostLabels>> ask_labels(LabelLevel level,
                                                              uint32_t ident) override;

  std::unique_ptr<Network> network_;
  std::unique_ptr<HostClient> client_;
  HostContext* host_ = nullptr;  // that context_ has
};

std::unique_ptr<HostSession> HostSession::open(const Options& options, DerivedMetrics& derived,
                                               const Clock& clock, Messages& messages) {
  const std::string text = options.hosts.empty() ? "local:" : options.hosts.front();
  auto spec = parse_host_spec(text);
  if (!spec) {
    messages.add(
        fmt::format("pmNewContext: bad host specification\n{}", pcp_text(text, spec.error())));
    messages.complain(fmt::format("Cannot connect to PMCD on host \"{}\": {}", text,
                                  pm_error_text(spec.error().code)));
    return nullptr;
  }
  std::vector<std::string> warnings;
  ClientSettings settings = installed_client_settings(warnings);
  for (const std::string& warning : warnings) messages.complain(warning);
  settings.fails_as_pcp = true;
  settings.ask = ask_on_console();
  // What the specification says of it counts more.
  if (options.container) settings.container = *options.container;
  std::unique_ptr<HostSession> session(new HostSession());
  session->network_ = make_network(clock);
  session->client_ = std::make_unique<HostClient>(*session->network_, *std::move(spec), settings);
  auto host = std::make_unique<HostContext>(*session->client_);
  session->host_ = host.get();
  host->use_names(local_names(options));
  if (const auto connected = host->connect(); !connected) {
    if (is_of_encryption(connected.error())) messages.complain(connected.error().text());
    messages.complain(fmt::format("Cannot connect to PMCD on host \"{}\": {}", text,
                                  pm_reason(connected.error())));
    return nullptr;
  }
  session->context_ = std::make_unique<DerivedContext>(std::move(host), derived);
  if (options.host_zone) {
    const std::string zone = session->timezone();
    session->lacks_zone_ = zone.empty();
    session->zone_ = Zone(zone);
    session->zone_note_ =
        fmt::format("Note: timezone set to local timezone of host \"{}\"\n\n", session->host());
  } else {
    session->use_zone_of(options);
  }
  return session;
}

std::string HostSession::timezone() {
  const auto pmid = host_->look_up("pmcd.timezone");
  if (!pmid || !host_->fetch({&*pmid, 1}, {}, fetched_) || fetched_.sets[0].values.empty()) {
    return {};
  }
  const Bytes block = fetched_.sets[0].values[0].block;
  const std::string_view all(reinterpret_cast<const char*>(block.data()), block.size());
  return std::string(all.substr(0, all.find('\0')));
}

OrPmError<std::vector<HostLabels>> HostSession::ask_labels(LabelLevel level, uint32_t ident) {
  return host_->labels(level, ident);
}

}  // namespace

std::unique_ptr<LiveSession> open_host_session(const Options& options, DerivedMetrics& derived,
                                               const Clock& clock, Messages& messages) {
  return HostSession::open(options, derived, clock, messages);
}

}  // namespace pmjit
