#include "rules/cmd/live_hosts.h"

#include <fmt/core.h>

#include <algorithm>

#include "rules/cmd/common.h"
#include "rules/cmd/host_warnings.h"
#include "rules/cmd/interrupt.h"
#include "rules/cmd/missing_source.h"
#include "rules/cmd/recorded_window.h"
#include "runtime/client/client_settings.h"
#include "runtime/client/host_fetcher.h"
#include "runtime/client/net/asio_network.h"
#include "runtime/client/user_console.h"

namespace pmjit {

namespace {

// Where many hosts change together, so many have a note each; one line counts the others.
constexpr size_t kNotesAtOnce = 20;

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

// Every host needs one, and the process some besides, at most so many. Where hosts are few the
// limit is nearly that, and a host for which none is left is away and says so.
constexpr uint64_t kOwnDescriptors = 32;

Result<void> check_descriptors(size_t hosts) {
  const uint64_t most = raise_descriptor_limit();
  if (hosts <= kOwnDescriptors || hosts + kOwnDescriptors <= most) return {};
  return fail(Error(Fault::limit,
                    fmt::format("{} hosts need {} file descriptors, and this process may have {}",
                                hosts, hosts + kOwnDescriptors, most))
                  .help(fmt::format("raise the limit with ulimit -n {}, or divide the hosts among "
                                    "several runs",
                                    hosts + kOwnDescriptors)));
}

}  // namespace

CommandOption host_option(std::vector<std::string>& hosts) {
  return {.names = "-h,--host",
          .target = &hosts,
          .value = "HOST",
          .what = "live host to ask; may be repeated",
          .excludes = {"--archive"},
          .daily = true,
          .more =
              "A host is NAME, NAME:PORT, unix:SOCKET or local:, as in PCP's tools. "
              "pcps://NAME encrypts. NAME?user=USER logs in. NAME@PROXY goes through a proxy. "
              "'web[01-40]' names forty hosts. @FILE names a file with a line NAME [SPEC] per "
              "host."};
}

LiveHosts::LiveHosts(std::unique_ptr<Network> network, std::unique_ptr<HostFleet> fleet,
                     const Clock& clock)
    : clock_(clock),
      network_(std::move(network)),
      fleet_(std::move(fleet)),
      watches_(fleet_->members().size()) {}

Result<std::unique_ptr<LiveHosts>> LiveHosts::open(const std::vector<std::string>& words,
                                                   const Clock& clock) {
  std::vector<std::string> warnings;
  ClientSettings settings = installed_client_settings(warnings);
  warn(warnings);
  settings.stop = [] { return interrupted() != 0; };
  settings.ask = ask_on_console(settings.stop);
  const auto hosts = named_hosts(words);
  const auto refused = [&words](Error error) {
    std::string help = archive_as_host(words);
    if (help.empty() && error.fault() == Fault::not_found) help = user_as_host(words);
    return fail(help.empty() ? std::move(error) : std::move(error).help(std::move(help)));
  };
  if (!hosts) return refused(hosts.error());
  if (auto enough = check_descriptors(hosts->size()); !enough) return fail(enough.error());
  auto network = make_network(clock);
  auto fleet = HostFleet::open(*network, *hosts, settings);
  if (!fleet) return refused(fleet.error());
  std::unique_ptr<LiveHosts> out(new LiveHosts(std::move(network), *std::move(fleet), clock));
  out->listed_ = hosts->size() > 1 && std::ranges::none_of(*hosts, [](const FleetHost& host) {
                   return host.name.empty();
                 });
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

std::vector<std::string> LiveHosts::connections() const {
  std::vector<std::string> out;
  for (const auto& member : fleet_->members()) out.push_back(member->client.spec().text);
  return out;
}

void LiveHosts::wait(Stamp due) {
  const Stamp soon = stamp_from_nanos(nanos(now_of(clock_)) + kLongestWait);
  fleet_->wait(std::min(due, soon));
  const auto& members = fleet_->members();
  size_t changed = 0;
  for (size_t i = 0; i < members.size(); ++i) {
    const HostHealth& health = members[i]->feeds.health();
    const OutageWatch::Change change = watches_[i].look(health);
    if (change == OutageWatch::Change::none || ++changed > kNotesAtOnce) continue;
    switch (change) {
      case OutageWatch::Change::none: break;
      case OutageWatch::Change::lost: note_host(members[i]->name, &*health.why_down()); break;
      case OutageWatch::Change::late: note_late(members[i]->name); break;
      case OutageWatch::Change::back: note_host(members[i]->name, nullptr); break;
    }
  }
  if (changed <= kNotesAtOnce) return;
  complain(fmt::format("note: {} more hosts are down, slow or back at the same time",
                       changed - kNotesAtOnce));
}

bool LiveHosts::wait_until(Stamp due, const std::function<bool()>& stop) {
  while (!stop()) {
    if (now_of(clock_) >= due) return true;
    wait(due);
  }
  return false;
}

void LiveHosts::report_missed() const {
  size_t missed = 0;
  for (const auto& member : fleet_->members()) {
    const HostTally& tally = member->feeds.health().tally();
    if (tally.missed > 0 && ++missed <= kNotesAtOnce) warn_of_missed(member->name, tally);
  }
  if (missed <= kNotesAtOnce) return;
  complain(
      fmt::format("warning: {} more hosts did not answer at some time", missed - kNotesAtOnce));
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

namespace {

// 14:00 at 16:37: it is tomorrow's, and today's may have been meant.
bool is_over_today(std::optional<std::string_view> text, Stamp meant, Stamp now) {
  constexpr int64_t kHalfDay = 43'200;
  return text && is_time_of_day(*text) && meant.sec - now.sec > kHalfDay;
}

void warn_of_over_today(const WindowSpec& spec, const Window& window, Stamp now, const Zone& zone) {
  constexpr std::string_view kHelp =
      "a host has no past: pmjit collect and pmlogger record an archive, and -a reads it";
  const auto warn = [&](std::string_view option, std::string_view text, Stamp meant) {
    complain(fmt::format("warning: {} {} is over today, so tomorrow's is meant: {}\n  help: {}",
                         option, text, iso_local(meant, zone), kHelp));
  };
  if (is_over_today(spec.start, window.origin, now)) {
    return warn("-S", *spec.start, window.origin);
  }
  if (is_over_today(spec.finish, window.end, now)) warn("-T", *spec.finish, window.end);
}

}  // namespace

Result<Window> live_window(const WindowSpec& spec, const Zone& zone, const Clock& clock) {
  const Stamp now = now_of(clock);
  auto window = parse_window(spec, {.start = now, .end = kStampMax, .now = now.sec}, zone);
  if (!window) return window;
  if (!spec.finish) window->end = kStampMax;
  if (window->end < now) {
    return fail(Error(Fault::usage, fmt::format("-T {} is {}, which is over", *spec.finish,
                                                iso_local(window->end, zone)))
                    .help("a live host has values from now on: -T 5min ends in 5 minutes; -a "
                          "ARCHIVE reads what was recorded"));
  }
  if (window->origin > window->end) {
    return fail(Error(Fault::usage,
                      fmt::format("the window ends at {}, before it begins at {}",
                                  iso_local(window->end, zone), iso_local(window->origin, zone)))
                    .help("-S gives its begin, -T its end"));
  }
  if (!window->warning.empty()) complain("warning: " + window->warning);
  warn_of_hours(spec, *window, zone);
  warn_of_over_today(spec, *window, now, zone);
  constexpr int64_t kMoment = 2;  // seconds
  if (window->asked_start && window->asked_start->sec + kMoment < now.sec) {
    complain(fmt::format("note: -S {} is {}; a live host has values from now on, so it begins now",
                         *spec.start, iso_local(*window->asked_start, zone)));
  }
  if (window->origin.sec > now.sec + kMoment) {
    complain(fmt::format("note: waits until {}, when the window begins; ^C ends it",
                         iso_local(window->origin, zone)));
  }
  return window;
}

}  // namespace pmjit
