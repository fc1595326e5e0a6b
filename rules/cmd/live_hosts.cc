#include "rules/cmd/live_hosts.h"

#include <fmt/core.h>

#include <algorithm>

#include "rules/cmd/common.h"
#include "rules/cmd/host_warnings.h"
#include "rules/cmd/interrupt.h"
#include "runtime/client/client_settings.h"
#include "runtime/client/host_fetcher.h"
#include "runtime/client/net/asio_network.h"

namespace pmjit {

namespace {

// How long an interrupt may go unseen.
constexpr Nanos kLongestWait = 100'000'000;

Stamp now_of(const Clock& clock) {
  return stamp_from_nanos(clock.wall().time_since_epoch().count());
}

void note_late(const std::string& name) {
  complain(fmt::format(
      "note: {} is down or slow: it does not answer before the next time is due, and its values "
      "are "
      "unknown then\n  help: a longer interval (-t; delta in rules) gives a slow host more time",
      name));
}

Result<std::vector<HostSpec>> parsed_specs(const std::vector<std::string>& texts) {
  std::vector<HostSpec> out;
  for (const std::string& text : texts) {
    auto spec = parse_host_spec(text);
    if (!spec) return fail(spec_error(text, spec.error()));
    if (auto refused = not_built(*spec)) return fail(*std::move(refused));
    out.push_back(*std::move(spec));
  }
  return out;
}

}  // namespace

CommandOption host_option(std::vector<std::string>& hosts) {
  return {.names = "-h,--host",
          .target = &hosts,
          .value = "HOST",
          .what =
              "the host to ask: a name, HOST:PORT, unix:SOCKET or local:, as PCP's tools take it; "
              "again for another host",
          .excludes = {"--archive"}};
}

LiveHosts::LiveHosts(std::unique_ptr<Network> network, std::unique_ptr<HostFleet> fleet,
                     const Clock& clock)
    : clock_(clock),
      network_(std::move(network)),
      fleet_(std::move(fleet)),
      watches_(fleet_->members().size()) {}

Result<std::unique_ptr<LiveHosts>> LiveHosts::open(const std::vector<std::string>& specs,
                                                   const Clock& clock) {
  std::vector<std::string> warnings;
  ClientSettings settings = installed_client_settings(warnings);
  warn(warnings);
  settings.stop = [] { return interrupted() != 0; };
  const auto parsed = parsed_specs(specs);
  if (!parsed) return fail(parsed.error());
  auto network = make_network(clock);
  auto fleet = HostFleet::open(*network, *parsed, settings);
  if (!fleet) return fail(fleet.error());
  std::unique_ptr<LiveHosts> out(new LiveHosts(std::move(network), *std::move(fleet), clock));
  for (const std::string& note : out->fleet_->notes()) complain("note: " + note);
  const auto& members = out->fleet_->members();
  for (size_t i = 0; i < members.size(); ++i) {
    if (!members[i]->away) continue;
    out->watches_[i].begin_lost();
    note_host(members[i]->name, &*members[i]->away);
    complain(fmt::format("note: until then pmjit takes {} to have the metrics of {}",
                         members[i]->name, out->fleet_->lender().name));
  }
  return out;
}

std::vector<std::string> LiveHosts::names() const {
  std::vector<std::string> out;
  for (const auto& member : fleet_->members()) out.push_back(member->name);
  return out;
}

void LiveHosts::wait(Stamp due) {
  const Stamp soon = stamp_from_nanos(nanos(now_of(clock_)) + kLongestWait);
  fleet_->wait(std::min(due, soon));
  const auto& members = fleet_->members();
  for (size_t i = 0; i < members.size(); ++i) {
    const HostFeeds& feeds = members[i]->feeds;
    switch (watches_[i].look(feeds)) {
      case OutageWatch::Change::none: break;
      case OutageWatch::Change::lost: note_host(members[i]->name, &*feeds.why_down()); break;
      case OutageWatch::Change::late: note_late(members[i]->name); break;
      case OutageWatch::Change::back: note_host(members[i]->name, nullptr); break;
    }
  }
}

bool LiveHosts::wait_until(Stamp due, const std::function<bool()>& stop) {
  while (!stop()) {
    if (now_of(clock_) >= due) return true;
    wait(due);
  }
  return false;
}

void LiveHosts::report_missed() const {
  for (const auto& member : fleet_->members()) {
    warn_of_missed(member->name, member->feeds.tally());
  }
}

void warn_of_skipped(uint64_t skipped) {
  const std::string warning = skipped_warning(skipped);
  if (!warning.empty()) complain(warning);
}

void warn_of_missed(const std::string& name, const HostTally& tally) {
  const std::string warning = missed_warning(name, tally);
  if (!warning.empty()) complain(warning);
}

void note_host(const std::string& name, const Error* why_down) {
  if (why_down == nullptr) return complain(fmt::format("note: {} is back", name));
  complain(fmt::format("note: {} is down, and its values are unknown until it is back: {}", name,
                       why_down->text()));
}

Result<Window> live_window(const WindowSpec& spec, const Zone& zone, const Clock& clock) {
  const Stamp now = now_of(clock);
  auto window = parse_window(spec, {.start = now, .end = kStampMax, .now = now.sec}, zone);
  if (!window) return window;
  if (!window->warning.empty()) complain("warning: " + window->warning);
  if (!spec.finish) window->end = kStampMax;
  if (window->origin > window->end) {
    complain(fmt::format("warning: nothing is evaluated: the window begins at {} and ends at {}",
                         iso_utc(window->origin), iso_utc(window->end)));
  }
  return window;
}

}  // namespace pmjit
