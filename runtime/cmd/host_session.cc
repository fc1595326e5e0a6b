#include "runtime/cmd/host_session.h"

#include <fmt/format.h>

#include "runtime/base/byte_writer.h"
#include "runtime/client/net/asio_network.h"
#include "runtime/client/user_console.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// What PCP's tools do and a live drop-in does not yet; empty: nothing of it.
std::string_view missing_for(const Options& options) {
  if (options.local) {
    return "agents cannot be loaded into the tool yet (-L): leave it out to ask the collector";
  }
  return {};
}

}  // namespace

std::unique_ptr<HostSession> HostSession::open(const Options& options, DerivedMetrics& derived,
                                               const Clock& clock, Messages& messages) {
  if (const std::string_view missing = missing_for(options); !missing.empty()) {
    messages.complain(missing);
    return nullptr;
  }
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
  } else if (options.zone) {
    session->zone_ = Zone(*options.zone);
    session->zone_note_ = fmt::format("Note: timezone set to \"TZ={}\"\n\n", *options.zone);
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

void HostSession::fetch_together(std::span<const PmId> metrics) {
  next_set_ = 0;
  if (!context_->fetch(metrics, {}, fetched_)) fetched_.sets.clear();
}

// Where they could not be fetched together, each is asked for alone, and says why not.
OrPmError<const FetchedSet*> HostSession::fetch_first(PmId pmid) {
  if (next_set_ < fetched_.sets.size() && fetched_.sets[next_set_].pmid == pmid) {
    return &fetched_.sets[next_set_++];
  }
  next_set_ = 1;
  const auto done = context_->fetch({&pmid, 1}, {}, fetched_);
  if (done) return fetched_.sets.data();
  return pm_fail(done.error().pm_code() != 0 ? done.error().pm_code() : pm_err::E_IPC);
}

// What is sent of a label has the form that archives store.
std::vector<const LabelSet*> HostSession::labels(LabelType type, uint32_t ident) {
  KeptLabels& kept = labels_[static_cast<uint32_t>(type)];
  kept = {};
  auto sent = host_->labels(static_cast<LabelLevel>(type), ident);
  if (!sent) return {};
  kept.sent = *std::move(sent);
  for (const HostLabels& labels : kept.sent) {
    ByteWriter out;
    for (const wire::LabelPlace& place : labels.places) {
      out.u16(place.name_at);
      out.u8(place.name_bytes);
      out.u8(place.flags);
      out.u16(place.value_at);
      out.u16(place.value_bytes);
    }
    const auto written = out.written();
    kept.entries.emplace_back(written.begin(), written.end());
  }
  for (size_t i = 0; i < kept.sent.size(); ++i) {
    kept.sets.push_back({.instance = kept.sent[i].instance,
                         .count = static_cast<int32_t>(kept.sent[i].places.size()),
                         .json = kept.sent[i].json,
                         .entries = kept.entries[i]});
  }
  std::vector<const LabelSet*> out;
  for (const LabelSet& set : kept.sets) out.push_back(&set);
  return out;
}

int HostSession::load_domain(InDomId indom) {
  const auto found = context_->instances(indom);
  if (!found) return found.error();
  indom_ = indom;
  instance_names_.clear();
  for (const Context::Instance& instance : *found) {
    instance_names_.emplace(instance.id, instance.name);
  }
  return 0;
}

std::optional<std::string> HostSession::instance_name(InDomId indom, int32_t instance) const {
  if (indom != indom_) return std::nullopt;
  const auto found = instance_names_.find(instance);
  if (found == instance_names_.end()) return std::nullopt;
  return found->second;
}

}  // namespace pmjit
