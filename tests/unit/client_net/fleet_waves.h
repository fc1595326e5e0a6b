// FleetWaves: what tests of feeds over several scripted hosts share: a clock that moves by what
// happens, and the next wave as a line.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "runtime/client/host_fleet.h"
#include "tests/unit/client_net/scripted_network.h"

namespace pmjit::test {

class FleetWaves : public testing::Test {
 protected:
  explicit FleetWaves(ClientSettings how) : settings(std::move(how)) {}

  // Of `wave`: when, for when, and of each host its values or status.
  virtual std::string line() = 0;

  [[nodiscard]] Stamp now() const {
    return stamp_from_nanos(clock.wall().time_since_epoch().count());
  }
  // Milliseconds after the start.
  [[nodiscard]] static int64_t since(Stamp stamp) {
    return static_cast<int64_t>((nanos(stamp) - kStart * kSecond) / 1'000'000);
  }

  // Until a wave comes: its line.
  std::string next() {
    for (int rounds = 0; rounds < 1'000; ++rounds) {
      for (auto& [host, collector] : network.others) collector.time = now();
      const auto next = feed->next(wave);
      if (!next) return next.error().text();
      if (*next == Feed::Next::end) return "end";
      if (*next == Feed::Next::wave) return line();
      fleet->wait(feed->due());
    }
    return "no wave";
  }

  FakeClock clock{{.now = {}, .wall = WallTime(std::chrono::seconds(kStart)), .boot = {}}};
  ScriptedNetwork network{clock};
  ClientSettings settings;
  std::unique_ptr<HostFleet> fleet;
  Rosters rosters;
  std::unique_ptr<Feed> feed;
  Wave wave;
};

}  // namespace pmjit::test
