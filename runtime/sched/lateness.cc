#include "runtime/sched/lateness.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>

namespace pmjit {

namespace {

constexpr Nanos kStep = 100'000;  // 0.1 ms
constexpr size_t kSteps = 100'000;
constexpr double kNanosAMilli = 1e6;
constexpr size_t kLatestNamed = 5;

double milliseconds(Nanos time) { return static_cast<double>(time) / kNanosAMilli; }

}  // namespace

Lateness::Lateness(size_t hosts, Stamp begin) : begin_(begin) {
  for (Counts* const counts : {&all_, &later_}) {
    counts->by_steps.resize(kSteps + 1);
    counts->most.resize(hosts);
    counts->times.resize(hosts);
  }
}

void Lateness::Counts::add(uint32_t host, Nanos late) {
  ++by_steps[std::min<size_t>(static_cast<size_t>(late / kStep), kSteps)];
  most[host] = std::max(most[host], late);
  ++times[host];
  ++evaluations;
}

// A clock that was set back makes nobody early.
void Lateness::add(uint32_t host, Stamp due, Stamp ended) {
  const Nanos late = std::max<Nanos>(0, nanos(ended) - nanos(due));
  all_.add(host, late);
  if (nanos(due) - nanos(begin_) >= kSettled) later_.add(host, late);
}

double Lateness::percentile(double percent) const {
  const Counts& counts = settled();
  const double wanted = static_cast<double>(counts.evaluations) * percent / 100;
  uint64_t below = 0;
  for (size_t i = 0; i < counts.by_steps.size(); ++i) {
    below += counts.by_steps[i];
    if (below > 0 && static_cast<double>(below) >= wanted) {
      return milliseconds(static_cast<Nanos>(i + 1) * kStep);
    }
  }
  return 0;
}

std::string Lateness::text(std::span<const std::string> hosts) const {
  const Counts& counts = settled();
  std::vector<uint32_t> latest(hosts.size());
  std::iota(latest.begin(), latest.end(), 0U);
  const size_t named = std::min(kLatestNamed, latest.size());
  std::ranges::partial_sort(latest, latest.begin() + static_cast<std::ptrdiff_t>(named),
                            std::greater{}, [&](uint32_t host) { return counts.most[host]; });
  std::string out = fmt::format(
      "{} evaluations of a host ended after they were due: median {:.1f} "
      "ms, 99 % {:.1f} ms; latest",
      counts.evaluations, percentile(50), percentile(99));
  for (size_t i = 0; i < named; ++i) {
    out += fmt::format("{} {} {:.1f} ms", i == 0 ? "" : ",", hosts[latest[i]],
                       milliseconds(counts.most[latest[i]]));
  }
  return out;
}

std::string Lateness::times_text() const {
  std::map<uint32_t, size_t, std::greater<>> hosts;
  for (const uint32_t times : settled().times) ++hosts[times];
  std::string out;
  for (const auto& [times, count] : hosts) {
    out += fmt::format("{}{} times {} hosts", out.empty() ? "" : ", ", times, count);
  }
  return out;
}

}  // namespace pmjit
