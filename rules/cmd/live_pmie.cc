#include "rules/cmd/live_pmie.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cmath>

#include "rules/compat/fetched_elements.h"
#include "runtime/client/net/asio_network.h"
#include "runtime/client/user_console.h"
#include "runtime/model/pm_codes.h"

namespace pmjit::pmie {

namespace {

constexpr double kLongestWait = 0.1;  // seconds that a signal may go unseen

ClientSettings settings_that(std::function<bool()> stop, std::vector<std::string>& warnings) {
  ClientSettings out = installed_client_settings(warnings);
  out.stop = std::move(stop);
  out.ask = ask_on_console(out.stop);
  out.reconnect_jitter = 0;
  out.fails_as_pcp = true;
  return out;
}

}  // namespace

LivePmie::LivePmie(const std::string& host, std::shared_ptr<const NameSpace> names,
                   DerivedMetrics& derived, const Clock& clock,
                   std::function<void(const HostChange&)> tell)
    : clock_(clock),
      host_(host),
      settings_(settings_that([this] { return stop_(); }, warnings_)),
      network_(make_network(clock)),
      sources_(*network_, settings_, derived,
               {.tell = std::move(tell), .refuse_bad_names = false, .names = std::move(names)}) {
  sources_.add_default(host);
}

Stamp LivePmie::stamp() const { return stamp_from_nanos(clock_.wall().time_since_epoch().count()); }

double LivePmie::now() const { return seconds_of(stamp()); }

bool LivePmie::wait_until(double due) {
  while (!stop_()) {
    const double left = due - now();
    if (left <= 0) return true;
    const auto some = static_cast<int64_t>(std::ceil(std::min(left, kLongestWait) * 1e9));
    (void)network_->run_some(network_->now() + std::chrono::nanoseconds(some));
  }
  return false;
}

std::string unreachable_text(const HostChange& change) {
  std::string what = "is unreachable";
  switch (change.why->pm_code()) {
    case -ECONNREFUSED:
    case -ENOENT: what = "does not respond"; break;
    case pm_err::E_CONNLIMIT: what = "has exceeded its connection limit"; break;
    case pm_err::E_PERMISSION:
      what = "does not permit delivery of metrics to the local host";
      break;
    default: break;
  }
  return fmt::format("pmcd via {} {}", change.connection, what);
}

}  // namespace pmjit::pmie
