#include "rules/cmd/live_host.h"

#include <fmt/core.h>

#include <array>
#include <cstdlib>

#include "rules/cmd/common.h"
#include "runtime/client/client_settings.h"
#include "runtime/client/net/asio_network.h"

namespace pmjit {

namespace {

// How long an interrupt may go unseen.
constexpr Nanos kLongestWait = 100'000'000;

Stamp now_of(const Clock& clock) {
  return stamp_from_nanos(clock.wall().time_since_epoch().count());
}

}  // namespace

CommandOption host_option(std::vector<std::string>& hosts) {
  return {
      .names = "-h,--host",
      .target = &hosts,
      .value = "HOST",
      .what = "the host to ask: a name, HOST:PORT, unix:SOCKET or local:, as PCP's tools take it",
      .excludes = {"--archive"}};
}

LiveHost::LiveHost(std::unique_ptr<Network> network, HostSpec spec, const ClientSettings& settings,
                   const Clock& clock)
    : clock_(clock),
      network_(std::move(network)),
      client_(*network_, std::move(spec), settings),
      context_(client_),
      feeds_(context_) {}

Result<std::unique_ptr<LiveHost>> LiveHost::open(const std::vector<std::string>& hosts,
                                                 const Clock& clock) {
  if (hosts.size() > 1) {
    return fail(Error(Fault::unsupported, "several hosts at once are not there yet")
                    .help("name one with -h; archives of several hosts can be read together"));
  }
  std::vector<std::string> warnings;
  const ClientSettings settings =
      read_client_settings([](const char* name) { return std::getenv(name); }, warnings);
  for (const std::string& warning : warnings) complain("warning: " + warning);
  auto spec = parse_host_spec(hosts.front());
  if (!spec) return fail(spec_error(hosts.front(), spec.error()));
  if (auto refused = not_built(*spec)) return fail(*std::move(refused));
  std::unique_ptr<LiveHost> out(
      new LiveHost(make_network(clock), *std::move(spec), settings, clock));
  if (auto connected = out->context_.connect(); !connected) return fail(connected.error());
  out->name_ = out->context_.host_name();
  out->timezone_ = out->text_of("pmcd.timezone");
  return out;
}

std::string LiveHost::text_of(std::string_view metric) {
  const auto pmid = context_.look_up(metric);
  if (!pmid) return {};
  Fetched fetched;
  const auto done = context_.fetch(std::array{*pmid}, Profile(), fetched);
  if (!done || fetched.sets.empty() || fetched.sets.front().values.empty()) return {};
  const auto desc = context_.describe(*pmid);
  if (!desc) return {};
  const FetchedSet& set = fetched.sets.front();
  const auto atom = load_atom(set.format, desc->pm_type, set.values.front());
  return atom ? std::string(atom->text()) : std::string();
}

void LiveHost::wait(Stamp due) {
  const Stamp soon = stamp_from_nanos(nanos(now_of(clock_)) + kLongestWait);
  feeds_.wait(std::min(due, soon));
  if (feeds_.fetches() > 0) report_state(feeds_.why_down().has_value());
}

bool LiveHost::wait_until(Stamp due, const std::function<bool()>& stop) {
  while (!stop()) {
    if (now_of(clock_) >= due) return true;
    wait(due);
  }
  return false;
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

void LiveHost::report_state(bool down) {
  if (down == down_) return;
  down_ = down;
  if (!down) return complain(fmt::format("note: {} is back", name_));
  const auto& why = feeds_.why_down();
  complain(fmt::format("note: {} is down, and its values are unknown until it is back{}", name_,
                       why ? ": " + why->text() : ""));
}

}  // namespace pmjit
