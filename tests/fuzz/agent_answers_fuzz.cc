// An agent that answers anything: a client asks for all kinds of things, and what the agent sends
// is the input, in pieces. Whatever it is, the client gets whole PDUs that decode, and every
// request comes to its end. From 192 on the first byte says that it is a shared object, from 224 on
// that its process shares memory. The next two bytes are the number of bytes in it, which follow
// and change before the client is answered: then it gets whole PDUs, and no more.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "agent/collector/served_client.h"
#include "runtime/base/result.h"
#include "runtime/wire/codec.h"

namespace pmjit {
namespace {

constexpr size_t kBytesMax = 16'384;  // small pieces of more take long
constexpr uint32_t kAgentDomain = 251;
constexpr PmId kAsked = kAgentDomain << 22 | 1;

void check_reply(Bytes bytes, bool decodes) {
  while (!bytes.empty()) {
    const auto header = wire::read_header(bytes, UINT32_MAX);
    check(header && header->bytes <= bytes.size(), "collector: an answer that is no PDU");
    check(!decodes || wire::decode(bytes.first(header->bytes), {}).has_value(),
          "collector: an answer that does not decode");
    bytes = bytes.subspan(header->bytes);
  }
}

// A client's requests, one of each kind that an agent answers.
std::vector<wire::PduBody> all_requests() {
  return {wire::FetchRequest{.pmids = {kAsked, kAsked + 1}},
          wire::DescRequest{.pmid = kAsked},
          wire::DescsRequest{.pmids = {kAsked, kAsked + 1}},
          wire::InstanceRequest{.indom = kAgentDomain << 22},
          wire::TextRequest{.ident = kAsked, .kind = 5},
          wire::LabelRequest{.ident = kAgentDomain << 22, .type = 32},
          wire::NamesMessage{.names = {{.name = "dyn.a"}}},
          wire::IdsMessage{.pmids = {kAsked + 5}},
          wire::ChildRequest{.subtype = 1, .name = "dyn"},
          wire::TraverseRequest{}};
}

// One for all runs: to clear it takes longer than a run.
std::shared_ptr<std::byte> memory_of_all() {
  static const std::shared_ptr<std::byte> out(
      static_cast<std::byte*>(std::calloc(1, AnswerMemory::kBytes)), std::free);
  return out;
}

class FuzzedTalk {
 public:
  FuzzedTalk(size_t step, bool is_hosted, std::shared_ptr<std::byte> memory)
      : step_(step),
        memory_(std::move(memory)),
        agent_(clock_, {.name = "fuzzed", .domain = kAgentDomain, .is_hosted = is_hosted}, {}) {
    core_.set_remotes({&agent_}, {{.domain = kAgentDomain, .name = "fuzzed"}});
    core_.set_names(std::vector<NameSpaceTree::NamedLeaf>{
        {.name = "fuzzed.one", .pmid = kAsked},
        {.name = "dyn", .pmid = kDynamicDomain << 22 | kAgentDomain << 10}});
    agent_.begin(memory_);
  }

  void run(Bytes stream) {
    Bytes in_room;
    for (uint32_t room = 1; memory_ && room <= AnswerMemory::kRooms; ++room) {
      put_in(room, std::vector<std::byte>(kBytesMax));  // nothing stays of the run before
    }
    if (memory_ && stream.size() >= 2) {
      const size_t bytes = load_be<uint16_t>(stream.data());
      in_room = stream.subspan(2, std::min(bytes, stream.size() - 2));
      stream = stream.subspan(2 + in_room.size());
    }
    send(wire::CredsMessage{.credentials = {wire::Credential{}}});
    send(wire::ProfileMessage{});
    const auto requests = all_requests();
    for (size_t turn = 0; !stream.empty() && agent_.failure().empty(); ++turn) {
      if (!client_.waits()) send(requests[memory_ ? 0 : turn % requests.size()]);
      put_in(offered_room(), in_room);
      const auto room = agent_.room();
      const size_t now = std::min({room.size(), stream.size(), step_});
      std::ranges::copy(stream.first(now), room.begin());
      agent_.received(now);
      stream = stream.subspan(now);
      put_in(offered_room(), in_room.subspan(std::min<size_t>(in_room.size(), 4)));
      look();
    }
    agent_.ended();
    look();
    check(!client_.waits(), "collector: a request without an end");
  }

 private:
  void send(const wire::PduBody& body) {
    ByteWriter pdu;
    wire::encode({.body = body}, pdu);
    Bytes rest = pdu.written();
    while (!rest.empty() && client_.reads()) {
      const auto room = client_.room();
      const size_t now = std::min(room.size(), rest.size());
      std::ranges::copy(rest.first(now), room.begin());
      client_.received(now);
      rest = rest.subspan(now);
    }
    look();
  }
  [[nodiscard]] uint32_t offered_room() const {
    return memory_ ? *reinterpret_cast<const uint32_t*>(memory_.get()) : 0;
  }
  void put_in(uint32_t room, Bytes bytes) const {
    if (room != 0) std::ranges::copy(bytes, memory_.get() + AnswerMemory::place_of(room));
  }
  void look() {
    if (agent_.take_connected()) {
      core_.introduce_clients_to(agent_);
      agent_.go_on();
    }
    agent_.sent(agent_.unsent().size());
    core_.raise(agent_.take_changes());
    (void)agent_.take_answered();
    client_.look_at_agents();
    std::vector<std::byte> reply(client_.unsent().begin(), client_.unsent().end());
    reply.insert(reply.end(), client_.tail().begin(), client_.tail().end());
    check_reply(reply, memory_ == nullptr);
    client_.sent(reply.size());
  }

  size_t step_;
  std::shared_ptr<std::byte> memory_;  // null: there is none
  FakeClock clock_;
  CollectorState state_{.version = "1", .build = "fuzz"};
  CollectorCore core_{clock_, {}, state_};
  RemoteAgent agent_;
  ServedClient client_{core_, {.client = 1, .user_id = 1}, {}};
};

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const pmjit::Bytes stream(reinterpret_cast<const std::byte*>(data) + 1,
                            std::min(size - 1, pmjit::kBytesMax));
  const bool is_hosted = data[0] >= 192, shares = data[0] >= 224;
  pmjit::FuzzedTalk talk(data[0] % 32 == 0 ? SIZE_MAX : size_t{data[0]} % 64, is_hosted,
                         shares ? pmjit::memory_of_all() : nullptr);
  talk.run(stream);
  return 0;
}
