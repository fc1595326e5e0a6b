#include "runtime/client/host_fleet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <set>
#include <string_view>
#include <utility>

#include "runtime/client/host_fetcher.h"

namespace pmjit {

namespace {

// Of a tick: how long a wave waits for a host that did not answer in the last one.
constexpr Nanos kBriefPart = 20;
// Of a tick: over how much of it the hosts are asked, where there are many.
constexpr double kSpreadPart = 0.1;
constexpr size_t kAskedAtOnce = 64;

// One host's share of a feed.
struct FleetPart {
  uint32_t host = 0;
  std::vector<uint32_t> columns{};  // of the fleet's operands, by operand of this host
  std::vector<WantedMetric> metrics{};
  std::unique_ptr<HostFeed> feed{};
  Wave wave{};
  Nanos asked_after = 0;  // the beginning of the tick
  bool asked = false;     // in this tick
};

Error interrupted_opening() { return Error(Fault::io, "interrupted").pm_code(-EINTR); }

class FleetFeed final : public Feed {
 public:
  FleetFeed(const std::vector<std::unique_ptr<FleetMember>>& members, std::vector<FleetPart> parts,
            std::vector<uint32_t> source_of, const FeedTimes& times)
      : members_(members),
        parts_(std::move(parts)),
        source_of_(std::move(source_of)),
        times_(times),
        due_(times.origin) {}

  Result<Next> next(Wave& wave) override;
  Stamp due() const override;
  void keep_rosters(Rosters& rosters) const override {
    for (const FleetPart& part : parts_) part.feed->keep_rosters(rosters);
  }
  FeedStats stats() const override;
  std::vector<std::string> take_warnings() override;

 private:
  [[nodiscard]] Network& network() const { return members_.front()->client.network(); }
  [[nodiscard]] Stamp after(Nanos time) const { return stamp_from_nanos(nanos(due_) + time); }
  [[nodiscard]] Stamp wait_until(const FleetPart& part) const {
    return after(part.feed->down() ? part.asked_after + times_.step / kBriefPart : times_.step);
  }
  [[nodiscard]] static bool settled(const FleetPart& part) {
    return part.asked && part.feed->settled();
  }
  void skip_to(Stamp now);
  void ask(Stamp now);
  void make_wave(Wave& wave, Stamp now);

  const std::vector<std::unique_ptr<FleetMember>>& members_;
  std::vector<FleetPart> parts_;
  std::vector<uint32_t> source_of_;  // of each operand
  FeedTimes times_;
  Stamp due_;
  bool asked_ = false;  // at due_
  bool begun_ = false;  // a time has ended
  uint64_t skipped_ = 0;
};

Result<Feed::Next> FleetFeed::next(Wave& wave) {
  (void)network().run_some(network().now());
  const Stamp now = stamp_from_nanos(network().clock().wall().time_since_epoch().count());
  if (!asked_) skip_to(now);
  if (due_ > times_.end) return Next::end;
  if (now < due_) return Next::nothing_yet;
  ask(now);
  const bool waits = std::ranges::any_of(
      parts_, [&](const FleetPart& part) { return !settled(part) && now < wait_until(part); });
  if (waits) return Next::nothing_yet;
  make_wave(wave, now);
  return Next::wave;
}

Stamp FleetFeed::due() const {
  if (!asked_) return due_;
  Stamp out = due_, next_asked = kStampMax;
  for (const FleetPart& part : parts_) {
    if (!settled(part)) out = std::max(out, wait_until(part));
    if (!part.asked) next_asked = std::min(next_asked, after(part.asked_after));
  }
  return std::min(out, next_asked);
}

// Nobody asked for the times before. Those before the first one were due while others still
// compiled.
void FleetFeed::skip_to(Stamp now) {
  const Stamp due = latest_due(times_, due_, now);
  if (begun_) skipped_ += static_cast<uint64_t>((nanos(due) - nanos(due_)) / times_.step);
  due_ = due;
}

void FleetFeed::ask(Stamp now) {
  if (!asked_) {
    for (FleetPart& part : parts_) part.feed->move_to(due_);
  }
  asked_ = true;
  for (FleetPart& part : parts_) {
    if (part.asked || now < after(part.asked_after)) continue;
    part.asked = true;
    part.feed->ask(now);
  }
}

void FleetFeed::make_wave(Wave& wave, Stamp now) {
  wave.recorded = false;
  wave.last = true;
  wave.late = now >= after(times_.step);
  wave.missing.clear();
  wave.operands.resize(source_of_.size());
  SourceSegments& sources = wave.by_source;
  sources = {.source_of = source_of_,
             .sources = static_cast<uint32_t>(members_.size()),
             .of_group = std::vector<uint64_t>(members_.size(), 0)};
  Group group{.t = due_};
  for (FleetPart& part : parts_) {
    part.asked = false;
    part.feed->end_tick(part.wave, now);
    for (size_t i = 0; i < part.columns.size(); ++i) {
      std::swap(wave.operands[part.columns[i]], part.wave.operands[i]);
    }
    for (const MissingHost& host : part.wave.missing) {
      wave.missing.push_back({.host_id = HostId{{part.host}}, .status = host.status});
    }
    sources.of_group[part.host] = part.wave.groups.front().segment;
    group.segment += part.wave.groups.front().segment;
  }
  wave.groups = {group};
  due_ = after(times_.step);
  asked_ = false;
  begun_ = true;
}

FeedStats FleetFeed::stats() const {
  FeedStats out{.skipped = skipped_};
  for (const FleetPart& part : parts_) {
    const FeedStats one = part.feed->stats();
    out.bytes += one.bytes;
    out.records += one.records;
    out.values += one.values;
  }
  return out;
}

std::vector<std::string> FleetFeed::take_warnings() {
  std::vector<std::string> out;
  for (const FleetPart& part : parts_) {
    for (const std::string& change : part.feed->take_warnings()) {
      out.push_back(members_[part.host]->name + ": " + change);
    }
  }
  return out;
}

}  // namespace

// The low bits: names that end in numbers have their highest bits in common.
double place_of(std::string_view name) {
  constexpr uint64_t kPlaces = 1'000'000;
  return static_cast<double>(spread_hash(name) % kPlaces) / static_cast<double>(kPlaces);
}

uint64_t spread_hash(std::string_view name) {  // FNV-1a
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : name) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3;
  return hash;
}

Result<std::unique_ptr<HostFleet>> HostFleet::open(Network& network,
                                                   const std::vector<FleetHost>& hosts,
                                                   const ClientSettings& settings) {
  std::unique_ptr<HostFleet> out(new HostFleet);
  std::set<std::string_view> seen;
  for (const FleetHost& host : hosts) {
    const std::string& named = host.name.empty() ? host.spec.text : host.name;
    if (!seen.insert(named).second) {
      return fail(
          Error(Fault::usage, "it is named twice").at("host", named).help("name each host once"));
    }
    out->members_.push_back(std::make_unique<FleetMember>(network, host.spec, settings));
    out->members_.back()->name = host.name;
  }
  out->expected_.resize(hosts.size());
  if (auto connected = out->connect(settings); !connected) return fail(connected.error());
  out->meet_members();
  if (out->all_away()) return fail(out->none_there());
  out->name_members();
  if (out->members_.size() > 1) out->join();
  if (settings.stop && settings.stop()) return fail(interrupted_opening());
  return out;
}

Result<void> HostFleet::connect(const ClientSettings& settings) {
  std::deque<Async<Result<bool>>> attempts;
  for (const auto& member : members_) {
    attempts.push_back(member->context.connecting());
    attempts.back().start();
  }
  run_until(
      [&] { return std::ranges::all_of(attempts, [](const auto& one) { return one.done(); }); });
  if (settings.stop && settings.stop()) return fail(interrupted_opening());
  for (size_t i = 0; i < members_.size(); ++i) {
    const Result<bool> done = attempts[i].take();
    members_[i]->context.connected(done);
    if (!done) members_[i]->away = done.error();
  }
  if (all_away()) return fail(none_there());
  return {};
}

bool HostFleet::all_away() const {
  return std::ranges::all_of(members_, [](const auto& member) { return member->away.has_value(); });
}

Error HostFleet::none_there() const {
  const Error& first = *members_.front()->away;
  if (members_.size() == 1) return first;
  constexpr size_t kNamed = 5;
  std::vector<std::string> each;
  for (const auto& member : members_) {
    if (each.size() == kNamed) {
      each.push_back(fmt::format("and {} more", members_.size() - kNamed));
      break;
    }
    each.push_back(fmt::format("{}: {}", member->client.spec().text, member->away->what()));
  }
  return Error(Fault::io, fmt::format("none of the {} hosts can be reached ({})", members_.size(),
                                      fmt::join(each, "; ")))
      .pm_code(first.pm_code())
      .help(first.help());
}

const FleetMember& HostFleet::lender() const {
  return **std::ranges::find_if(members_, [](const auto& member) { return !member->away; });
}

const Catalog& HostFleet::catalog() const {
  if (hosts_) return *hosts_;
  return members_.front()->feeds.catalog();
}

Result<std::unique_ptr<Feed>> HostFleet::open(std::vector<WantedMetric> metrics,
                                              const FeedTimes& times, Rosters& rosters) const {
  if (!hosts_) return members_.front()->feeds.open(std::move(metrics), times, rosters);
  std::vector<FleetPart> parts;
  for (uint32_t host = 0; host < members_.size(); ++host) parts.push_back({.host = host});
  std::vector<uint32_t> source_of;
  for (uint32_t i = 0; i < metrics.size(); ++i) {
    const HostsCatalog::Own own = hosts_->metric(metrics[i].pmid);
    source_of.push_back(own.host);
    FleetPart& part = parts[own.host];
    part.columns.push_back(i);
    part.metrics.push_back(metrics[i]);
    part.metrics.back().pmid = own.id;
  }
  std::erase_if(parts, [](const FleetPart& part) { return part.columns.empty(); });
  for (FleetPart& part : parts) {
    const FleetMember& member = *members_[part.host];
    auto opened = member.feeds.open_part(std::move(part.metrics), times, rosters);
    if (!opened) return fail(opened.error().at("host", member.name));
    part.feed = *std::move(opened);
    if (member.place) {
      part.asked_after = member.place->after(times.step);
    } else if (parts.size() > kAskedAtOnce) {
      const double place = place_of(member.name);
      part.asked_after = static_cast<Nanos>(place * kSpreadPart * static_cast<double>(times.step));
    }
  }
  return std::make_unique<FleetFeed>(members_, std::move(parts), std::move(source_of), times);
}

}  // namespace pmjit
