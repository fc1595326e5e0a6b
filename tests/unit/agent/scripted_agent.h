// An agent of three metrics whose values a test says, and a client that speaks PDUs to a session.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "agent/collector/collector_session.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit {

// Domain 250: test.one (U64 counter), test.many (FLOAT by instance of 250.0), test.text (STRING).
class ScriptedAgent final : public Agent {
 public:
  static constexpr uint32_t kDomain = 250;
  static constexpr InDomId kColours = make_indom(kDomain, 0);
  static constexpr PmId kOne = make_pmid(kDomain, 0, 1), kMany = make_pmid(kDomain, 0, 2),
                        kText = make_pmid(kDomain, 0, 3);

  ScriptedAgent();

  [[nodiscard]] std::string_view name() const override { return "scripted"; }
  [[nodiscard]] uint32_t domain() const override { return kDomain; }
  [[nodiscard]] std::span<const AgentMetric> metrics() const override { return metrics_; }
  [[nodiscard]] std::span<const AgentInDom> indoms() const override { return indoms_; }
  [[nodiscard]] OrPmError<std::vector<AgentInstance>> instances(InDomId,
                                                                const AgentAsker&) override {
    return colours;
  }
  [[nodiscard]] std::vector<std::vector<AgentLabel>> instance_labels(
      InDomId, std::span<const AgentInstance> instances) override {
    std::vector<std::vector<AgentLabel>> out;
    for (const AgentInstance& at : instances) out.push_back({{"colour", json_string(at.name)}});
    return out;
  }
  void fetch(std::span<const uint32_t> which, const AgentAsker& asker,
             std::span<AgentValues* const> out) override;
  [[nodiscard]] int store(uint32_t which, std::span<const StoredItem> items,
                          const AgentAsker& asker) override;
  [[nodiscard]] uint32_t take_changes() override { return std::exchange(changes, 0); }

  std::vector<AgentInstance> colours = {{0, "red"}, {1, "green"}, {7, "blue"}};
  uint64_t one = 42;
  int status_of_one = 0;
  std::string text = "hello";
  uint32_t changes = 0;
  size_t fetches = 0;
  std::vector<std::string> stored;

 private:
  std::vector<AgentMetric> metrics_;
  std::vector<AgentInDom> indoms_;
};

// A session with the agent, and what came back, as message_text() prints it.
class ScriptedClient {
 public:
  ScriptedClient(CollectorCore& core, uint32_t number) : session_(core, {.client = number}) {}

  // Greets and sends CREDS without wishes.
  void connect();
  // Every answer on a line; "closed" where the session ends.
  std::string ask(wire::PduBody body);
  std::string ask_bytes(Bytes pdu);
  // A request that waits for an agent, and what comes of it.
  void start(wire::PduBody body);
  std::string rest();
  CollectorSession& session() { return session_; }

 private:
  std::string rest(const Result<void>& kept, ByteWriter& out);

  CollectorSession session_;
};

// Bytes of PDUs, as lines of message_text().
[[nodiscard]] std::string pdus_text(Bytes bytes);

}  // namespace pmjit
