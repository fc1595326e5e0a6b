// ScriptedNetwork: collectors in memory as a Network, over a clock that the test moves. Nothing
// waits: run_some() moves the clock to what happens next.
//
//   FakeClock clock;
//   ScriptedNetwork network(clock);
//   network.collector.metrics["load"] = {.desc = …, .values = {{kSingular, 7}}};
//   network.collector.delay = 800ms;               // of each answer
//   network.refuses = true;                        // connections from now on
//   network.others["web2"].silent = true;          // another host's; else it is `collector`
//
// The collector answers with real PDUs, encoded by runtime/wire; `garble` changes or replaces them.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/client/net/network.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/frame.h"

namespace pmjit::test {

// Of the metrics and the domain that most tests give the collector.
inline constexpr PmId kLoad = 0x0f000001, kReads = 0x0f000002;
inline constexpr InDomId kDisks = 0x0f000001;
// Where the clock of most tests of feeds begins, in seconds.
inline constexpr int64_t kStart = 1'700'000'000;
inline constexpr Nanos kSecond = 1'000'000'000;

struct ScriptedMetric {
  Desc desc;
  std::vector<std::pair<int32_t, uint32_t>> values{};  // instance, value
  int32_t status = 0;                                  // else: instead of values
  int32_t agent_status = 0;                            // else: instead of the descriptor and values
};

// What the collector knows and how it behaves. Everything may be changed at any time.
struct ScriptedCollector {
  std::map<std::string, ScriptedMetric> metrics{};
  std::map<InDomId, std::map<int32_t, std::string>> instances{};
  wire::FeatureSet features = wire::kPlainFeatures;
  int32_t hello_status = 0;
  uint8_t version = 2;
  std::string greeting{};    // not empty: these bytes in place of the hello
  int32_t fetch_status = 0;  // else: instead of every result
  bool silent = false;       // nothing is said any more
  std::chrono::nanoseconds delay{};
  uint32_t changes = 0;  // StateChange bits, told before the next result
  Stamp time{.sec = 1'700'000'000};
  int32_t secure_status = 0;           // to those who want to encrypt
  std::optional<Error> tls_problem{};  // what the handshake ends with; none: it goes well
  std::string methods = "PLAIN";       // of logging in
  int32_t login_status = 0;            // else: what comes of a login
  std::string proxy_line{};            // not empty: it is a proxy, and greets so
  bool is_out_of_reach = false;        // for the proxy
  // Changes the bytes of an answer. Not set: they go out as they are.
  std::function<void(std::vector<std::byte>&)> garble{};

  // What came.
  std::vector<std::string> log{};  // names of PDUs
  wire::FeatureSet wishes{};
  std::string container{};
  std::vector<std::string> logins{};  // what was said in logins
  std::vector<TlsPeer> encrypted{};
  int pdus_of_a_write = 0;  // at most, where it is encrypted
  std::string beyond{};     // whom the proxy was asked for

  // kLoad is 7; kReads has 10 and 11 on the disks sda and sdb.
  void add_load_and_reads();
  [[nodiscard]] std::vector<std::byte> hello() const;
  // Where a login begins.
  [[nodiscard]] std::vector<std::byte> offer() const;
  // The answers to one request, one after the other.
  [[nodiscard]] std::vector<std::byte> answer(Bytes request);

 private:
  void take_creds(const wire::CredsMessage& creds, ByteWriter& out);
  void take_attribute(const wire::AttributeMessage& attribute, ByteWriter& out);
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
  // The collector ends the connection that was opened last; of that host, if one is named.
  void hang_up(const std::string& host = "");
  // The host's collector.
  [[nodiscard]] ScriptedCollector& of(const std::string& host);

  ScriptedCollector collector;
  std::map<std::string, ScriptedCollector> others{};  // by host
  bool refuses = false;
  std::set<std::string> refused{};      // hosts; besides `refuses`
  std::vector<std::string> attempts{};  // endpoints

 private:
  FakeClock& clock_;
  std::map<std::string, std::weak_ptr<ScriptedStream>> streams_;  // by host; "": the last one
};

}  // namespace pmjit::test
