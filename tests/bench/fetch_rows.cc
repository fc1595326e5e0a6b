// What a fetch costs: every metric below `sim` of the hosts of a list, as rows of batches, without
// an evaluation. tests/bench/fetch_cost runs it over hosts, metrics and instances.
//
//   fetch_rows ADDRESSES TICKS MILLISECONDS
//
// ADDRESSES has a line HOST:PORT per host. It prints a line of JSON: fetches, bytes, processor
// seconds of this process, kilobytes at most. The first tick, which looks metrics up, does not
// count.
#include <fmt/core.h>
#include <sys/resource.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/base/clock.h"
#include "runtime/client/host_fleet.h"
#include "runtime/client/net/asio_network.h"
#include "runtime/sched/host_rows.h"

namespace pmjit::bench {
namespace {

struct Used {
  double seconds = 0;
  long kilobytes = 0;
};

Used used() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  };
  return {.seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
          .kilobytes = usage.ru_maxrss};
}

struct OpenBatch {
  std::unique_ptr<HostRows> rows;
  std::unique_ptr<Rosters> rosters = std::make_unique<Rosters>();
  std::unique_ptr<Feed> feed{};
  Wave wave{};
};

Stamp now_of(const Clock& clock) {
  return stamp_from_nanos(clock.wall().time_since_epoch().count());
}

std::vector<OpenBatch> open_batches(const HostFleet& fleet, const FeedTimes& times) {
  const HostCatalog& catalog = fleet.members().front()->feeds.catalog();
  std::vector<WantedMetric> wanted;
  for (const std::string& name : catalog.leaves("sim")) {
    wanted.emplace_back(catalog.describe(name)->pmid);
  }
  std::vector<uint32_t> hosts;
  for (uint32_t i = 0; i < fleet.members().size(); ++i) hosts.push_back(i);
  std::vector<OpenBatch> out;
  give_places(fleet, {.part = 1});
  for (RowBatch& batch : in_batches(fleet, hosts)) {
    OpenBatch& open = out.emplace_back();
    open.rows = std::make_unique<HostRows>(fleet, 0, std::move(batch.hosts), batch.place);
    open.feed = *open.rows->open(wanted, times, *open.rosters);
  }
  return out;
}

// Until a tick has ended everywhere.
uint64_t run_until(std::vector<OpenBatch>& batches, const HostFleet& fleet, const Clock& clock,
                   Stamp end) {
  while (now_of(clock) < end) {
    Stamp wakes = end;
    for (OpenBatch& batch : batches) {
      (void)*batch.feed->next(batch.wave);
      wakes = std::min(wakes, batch.feed->due());
    }
    fleet.wait(wakes);
  }
  uint64_t records = 0;
  for (const OpenBatch& batch : batches) records += batch.feed->stats().records;
  return records;
}

int run(const char* list, int64_t ticks, int64_t milliseconds) {
  (void)raise_descriptor_limit();
  std::ifstream in(list);
  std::vector<FleetHost> hosts;
  for (std::string line; std::getline(in, line);) {
    hosts.push_back({.spec = *parse_host_spec(line), .name = line});
  }
  const SystemClock clock;
  const auto network = make_network(clock);
  auto fleet = HostFleet::open(*network, hosts, {});
  if (!fleet) return fmt::print(stderr, "{}\n", fleet.error().text()), 1;
  const Nanos step = milliseconds * 1'000'000;
  const Stamp begin = stamp_from_nanos(nanos(now_of(clock)) + step / 10);
  auto batches = open_batches(**fleet, {.origin = begin, .step = step});
  const uint64_t first =
      run_until(batches, **fleet, clock, stamp_from_nanos(nanos(begin) + step / 2));
  const Used before = used();
  const uint64_t last =
      run_until(batches, **fleet, clock, stamp_from_nanos(nanos(begin) + ticks * step + step / 2));
  const Used after = used();
  uint64_t bytes = 0;
  for (const OpenBatch& batch : batches) bytes += batch.feed->stats().bytes;
  fmt::print("{{\"fetches\": {}, \"bytes\": {}, \"seconds\": {:.6f}, \"kilobytes\": {}}}\n",
             last - first, bytes / std::max<uint64_t>(1, last), after.seconds - before.seconds,
             after.kilobytes);
  return 0;
}

}  // namespace
}  // namespace pmjit::bench

int main(int count, char** words) {
  if (count != 4) return 2;
  return pmjit::bench::run(words[1], std::atoll(words[2]), std::atoll(words[3]));
}
