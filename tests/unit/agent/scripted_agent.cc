#include "tests/unit/agent/scripted_agent.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>

#include "runtime/wire/frame.h"

namespace pmjit {

ScriptedAgent::ScriptedAgent() {
  metrics_ = {{.name = "test.one",
               .desc = {.pmid = kOne,
                        .pm_type = pm_type::u64,
                        .semantics = Semantics::counter,
                        .units = {.dim_count = 1}},
               .text = "one number",
               .help = "One number, and more of it."},
              {.name = "test.many",
               .desc = {.pmid = kMany, .pm_type = pm_type::f32, .indom = kColours},
               .text = "a number of each colour",
               .help = ""},
              {.name = "test.deep.text",
               .desc = {.pmid = kText, .pm_type = pm_type::string},
               .text = "",
               .help = ""}};
  indoms_ = {{.id = kColours, .text = "colours", .labels = {{"kind", json_string("paint")}}}};
}

void ScriptedAgent::fetch(std::span<const uint32_t> which, const AgentAsker&,
                          std::span<AgentValues* const> out) {
  ++fetches;
  for (size_t i = 0; i < which.size(); ++i) {
    if (which[i] == 0 && status_of_one != 0) out[i]->fail(status_of_one);
    if (which[i] == 0 && status_of_one == 0) out[i]->add_whole(kSingular, one);
    if (which[i] == 2) out[i]->add_text(kSingular, text);
    if (which[i] != 1) continue;
    for (const AgentInstance& colour : colours) out[i]->add_number(colour.id, colour.id + 0.5);
  }
}

int ScriptedAgent::store(uint32_t which, std::span<const StoredItem> items,
                         const AgentAsker& asker) {
  if (which != 2) return pm_err::E_PERMISSION;
  for (const StoredItem& item : items) {
    stored.push_back(fmt::format("{} {} {} {}", asker.client, item.instance, item.type, item.text));
  }
  return 0;
}

void ScriptedClient::connect() {
  ByteWriter out;
  session_.greet(out);
  EXPECT_EQ(ask(wire::CredsMessage{.credentials = {wire::Credential{}}}), "");
}

std::string ScriptedClient::ask(wire::PduBody body) {
  ByteWriter pdu;
  wire::encode({.body = std::move(body)}, pdu);
  return ask_bytes(pdu.written());
}

std::string ScriptedClient::ask_bytes(Bytes pdu) {
  ByteWriter out;
  const auto kept = session_.take(pdu, out);
  return rest(kept, out);
}

void ScriptedClient::start(wire::PduBody body) {
  ByteWriter pdu, out;
  wire::encode({.body = std::move(body)}, pdu);
  EXPECT_TRUE(session_.take(pdu.written(), out));
  EXPECT_EQ(out.size(), 0u);
}

std::string ScriptedClient::rest() {
  ByteWriter out;
  return rest({}, out);
}

std::string ScriptedClient::rest(const Result<void>& kept, ByteWriter& out) {
  std::string closed = kept ? "" : kept.error().what();
  while (session_.waits()) {
    if (const auto later = session_.go_on(out); !later) closed = later.error().what();
    std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  std::string text = pdus_text(out.written());
  if (!closed.empty()) text += "closed: " + closed + "\n";
  return text;
}

std::string pdus_text(Bytes bytes) {
  std::string out;
  while (!bytes.empty()) {
    const auto header = wire::read_header(bytes, static_cast<uint32_t>(bytes.size()));
    if (!header) return out + "no PDU: " + header.error().what();
    const auto pdu = wire::decode(bytes.first(header->bytes), {});
    std::string line = pdu ? wire::message_text(*pdu) : pdu.error().what();
    // The code is enough: "ERROR from=0 code=-12357 (Unknown metric name)".
    if (line.starts_with("ERROR")) line = line.substr(0, line.find(" ("));
    out += line + "\n";
    bytes = bytes.subspan(header->bytes);
  }
  return out;
}

}  // namespace pmjit
