// ScriptedNetwork: one collector in memory as a Network, over a clock that the test moves. Nothing
// waits: run_some() moves the clock to what happens next.
//
//   FakeClock clock;
//   ScriptedNetwork network(clock);
//   network.collector.metrics["load"] = {.desc = …, .values = {{kSingular, 7}}};
//   network.collector.delay = 800ms;               // of each answer
//   network.refuses = true;                        // connections from now on
//
// The collector answers with real PDUs, encoded by runtime/wire; `garble` changes or replaces them.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "runtime/client/net/network.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/frame.h"

namespace pmjit::test {

struct ScriptedMetric {
  Desc desc;
  std::vector<std::pair<int32_t, uint32_t>> values{};  // instance, value
  int32_t status = 0;                                  // else: instead of values
};

// What the collector knows and how it behaves. Everything may be changed at any time.
struct ScriptedCollector {
  std::map<std::string, ScriptedMetric> metrics{};
  std::map<InDomId, std::map<int32_t, std::string>> instances{};
  wire::FeatureSet features = wire::kPlainFeatures;
  int32_t hello_status = 0;
  uint8_t version = 2;
  std::string greeting{};  // not empty: these bytes in place of the hello
  bool silent = false;     // nothing is said any more
  std::chrono::nanoseconds delay{};
  uint32_t changes = 0;  // StateChange bits, told before the next result
  Stamp time{.sec = 1'700'000'000};
  // Changes the bytes of an answer. Not set: they go out as they are.
  std::function<void(std::vector<std::byte>&)> garble{};

  // What came.
  std::vector<std::string> log{};  // names of PDUs
  wire::FeatureSet wishes{};
  std::string container{};

  [[nodiscard]] std::vector<std::byte> hello() const;
  // The answers to one request, one after the other.
  [[nodiscard]] std::vector<std::byte> answer(Bytes request);

 private:
  void answer_fetch(const wire::FetchRequest& request, bool highres, ByteWriter& out);
  void answer_names(const wire::NamesMessage& request, ByteWriter& out) const;
  [[nodiscard]] const ScriptedMetric* find(PmId pmid) const;
};

class ScriptedStream;

class ScriptedNetwork final : public Network {
 public:
  explicit ScriptedNetwork(FakeClock& clock) : clock_(clock) {}

  const Clock& clock() const override { return clock_; }
  void connect(const Endpoint& to, Instant deadline, Connected done) override;
  TimerId at(Instant when, PostedTask task) override { return clock_.at(when, std::move(task)); }
  void cancel(TimerId timer) override { clock_.cancel(timer); }
  bool run_some(Instant until) override;
  // The collector ends the connection that was opened last.
  void hang_up();

  ScriptedCollector collector;
  bool refuses = false;
  std::vector<std::string> attempts{};  // endpoints

 private:
  FakeClock& clock_;
  std::weak_ptr<ScriptedStream> stream_;
};

}  // namespace pmjit::test
