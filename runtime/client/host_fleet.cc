#include "runtime/client/host_fleet.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <deque>
#include <map>
#include <utility>

#include "runtime/client/host_fetcher.h"

namespace pmjit {

namespace {

// Of a tick: how long a wave waits for a host that did not answer in the last one.
constexpr Nanos kBriefPart = 20;
constexpr auto kStopUnseen = std::chrono::milliseconds(50);

// One host's share of a feed.
struct FleetPart {
  uint32_t host = 0;
  std::vector<uint32_t> columns{};  // of the fleet's operands, by operand of this host
  std::vector<WantedMetric> metrics{};
  std::unique_ptr<HostFeed> feed{};
  Wave wave{};
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
    return after(part.feed->down() ? times_.step / kBriefPart : times_.step);
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
  if (!asked_) ask(now);
  const bool waits = std::ranges::any_of(parts_, [&](const FleetPart& part) {
    return !part.feed->settled() && now < wait_until(part);
  });
  if (waits) return Next::nothing_yet;
  make_wave(wave, now);
  return Next::wave;
}

Stamp FleetFeed::due() const {
  if (!asked_) return due_;
  Stamp out = due_;
  for (const FleetPart& part : parts_) {
    if (!part.feed->settled()) out = std::max(out, wait_until(part));
  }
  return out;
}

// Nobody asked for the times before. Those before the first one were due while others still
// compiled.
void FleetFeed::skip_to(Stamp now) {
  const Stamp due = latest_due(times_, due_, now);
  if (begun_) skipped_ += static_cast<uint64_t>((nanos(due) - nanos(due_)) / times_.step);
  due_ = due;
}

void FleetFeed::ask(Stamp now) {
  asked_ = true;
  for (FleetPart& part : parts_) part.feed->move_to(due_);
  for (FleetPart& part : parts_) part.feed->ask(now);
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

Result<std::unique_ptr<HostFleet>> HostFleet::open(Network& network,
                                                   const std::vector<HostSpec>& specs,
                                                   const ClientSettings& settings) {
  std::unique_ptr<HostFleet> out(new HostFleet);
  for (const HostSpec& spec : specs) {
    const bool again = std::ranges::any_of(
        out->members_, [&](const auto& member) { return member->client.spec().text == spec.text; });
    if (again) {
      return fail(Error(Fault::usage, "it is named twice")
                      .at("host", spec.text)
                      .help("name each host once"));
    }
    out->members_.push_back(std::make_unique<FleetMember>(network, spec, settings));
  }
  if (auto connected = out->connect(network, settings); !connected) return fail(connected.error());
  for (const auto& member : out->members_) {
    if (!member->away) member->timezone = member->context.text_value("pmcd.timezone");
    // One that greets, and then hangs or lies, is not there either: it costs one time-out.
    if (!member->away) member->away = member->context.why();
  }
  if (out->all_away()) return fail(out->none_there());
  out->name_members();
  if (out->members_.size() > 1) out->join();
  if (settings.stop && settings.stop()) return fail(interrupted_opening());
  return out;
}

Result<void> HostFleet::connect(Network& network, const ClientSettings& settings) {
  std::deque<Async<Result<bool>>> attempts;
  for (const auto& member : members_) {
    attempts.push_back(member->context.connecting());
    attempts.back().start();
  }
  const auto under_way = [](const Async<Result<bool>>& attempt) { return !attempt.done(); };
  while (std::ranges::any_of(attempts, under_way)) {
    if (settings.stop && settings.stop()) return fail(interrupted_opening());
    (void)network.run_some(network.now() + kStopUnseen);
  }
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
  std::vector<std::string> each;
  for (const auto& member : members_) {
    each.push_back(fmt::format("{}: {}", member->client.spec().text, member->away->what()));
  }
  return Error(Fault::io, fmt::format("none of the {} hosts can be reached ({})", members_.size(),
                                      fmt::join(each, "; ")))
      .pm_code(first.pm_code())
      .help(first.help());
}

// Collectors of one machine call themselves the same, and so does a host that is named in two ways.
void HostFleet::name_members() {
  std::map<std::string, std::vector<FleetMember*>> by_name;
  for (const auto& member : members_) {
    const HostSpec& spec = member->client.spec();
    member->name = member->away ? spec.text : member->context.host_name();
    by_name[member->name].push_back(member.get());
  }
  for (const auto& [name, same] : by_name) {
    if (same.size() == 1) continue;
    std::vector<std::string> given;
    for (FleetMember* const member : same) {
      member->name = member->client.spec().text;
      given.push_back(member->name);
    }
    notes_.push_back(fmt::format(
        "{} are all {}: results name them as you did. If they are one collector, name it once",
        fmt::join(given, ", "), name));
  }
}

const FleetMember& HostFleet::lender() const {
  return **std::ranges::find_if(members_, [](const auto& member) { return !member->away; });
}

// The first one that is there lends to the others.
void HostFleet::join() {
  const FleetMember& first = lender();
  std::vector<HostsCatalog::Part> parts;
  for (const auto& member : members_) {
    if (member.get() != &first) member->feeds.borrow_from(first.feeds.catalog());
    std::vector<const HostCatalog*> others;
    for (const auto& other : members_) {
      if (other != member) others.push_back(&other->feeds.catalog());
    }
    member->feeds.lend_agents(std::move(others));
    parts.push_back({.name = member->name, .catalog = &member->feeds.catalog()});
  }
  hosts_.emplace(std::move(parts), true);
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
  }
  return std::make_unique<FleetFeed>(members_, std::move(parts), std::move(source_of), times);
}

}  // namespace pmjit
