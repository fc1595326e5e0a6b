#include "tests/unit/client_net/scripted_network.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "runtime/base/limits.h"
#include "runtime/client/net/asio_network.h"
#include "runtime/model/pm_codes.h"
#include "runtime/wire/result_encoder.h"

namespace pmjit::test {

void ScriptedCollector::add_load_and_reads() {
  metrics["load"] = {.desc = {.pmid = kLoad, .pm_type = pm_type::u32}, .values = {{kSingular, 7}}};
  metrics["reads"] = {.desc = {.pmid = kReads, .pm_type = pm_type::u32, .indom = kDisks},
                      .values = {{0, 10}, {1, 11}}};
  instances[kDisks] = {{0, "sda"}, {1, "sdb"}};
}

std::vector<std::byte> ScriptedCollector::hello() const {
  if (!greeting.empty()) {
    const auto bytes = std::as_bytes(std::span(greeting));
    return {bytes.begin(), bytes.end()};
  }
  ByteWriter out;
  wire::HelloWord word{.version = version, .features = features};
  wire::encode({.body = wire::ErrorMessage{.code = hello_status, .hello = word}}, out);
  return out.take();
}

const ScriptedMetric* ScriptedCollector::find(PmId pmid) const {
  for (const auto& [name, metric] : metrics) {
    if (metric.desc.pmid == pmid) return &metric;
  }
  return nullptr;
}

void ScriptedCollector::answer_names(const wire::NamesMessage& request, ByteWriter& out) const {
  wire::IdsMessage ids;
  for (const auto& one : request.names) {
    const auto found = metrics.find(std::string(one.name));
    ids.pmids.push_back(found == metrics.end() ? kNullId : found->second.desc.pmid);
    if (found != metrics.end()) ++ids.resolved;
  }
  if (ids.resolved == 0 && ids.pmids.size() == 1) {
    wire::encode({.body = wire::ErrorMessage{.code = pm_err::E_NAME}}, out);
  } else {
    wire::encode({.body = std::move(ids)}, out);
  }
}

void ScriptedCollector::answer_fetch(const wire::FetchRequest& request, bool highres,
                                     ByteWriter& out) {
  if (changes != 0) {
    wire::encode({.body = wire::ErrorMessage{.code = static_cast<int32_t>(changes)}}, out);
    changes = 0;
  }
  if (fetch_status != 0) {
    wire::encode({.body = wire::ErrorMessage{.code = fetch_status}}, out);
    return;
  }
  const auto type = highres ? wire::PduType::highres_result : wire::PduType::result;
  wire::ResultEncoder result(type, wire::result_time(type, time));
  for (const PmId pmid : request.pmids) {
    const ScriptedMetric* const metric = find(pmid);
    const int none = metric == nullptr           ? int{pm_err::E_PMID}
                     : metric->agent_status != 0 ? metric->agent_status
                                                 : metric->status;
    if (none < 0) {
      result.add(pmid, none);
      continue;
    }
    FetchedSet set{.pmid = pmid, .count = static_cast<int32_t>(metric->values.size())};
    for (const auto& [instance, value] : metric->values) {
      set.values.push_back({.instance = instance, .word = value});
    }
    result.add(set);
  }
  result.finish(0, out);
}

std::vector<std::byte> ScriptedCollector::offer() const {
  ByteWriter out;
  wire::encode({.body = wire::AttributeMessage{.code = 0, .value = methods}}, out);
  return out.take();
}

void ScriptedCollector::take_creds(const wire::CredsMessage& creds, ByteWriter& out) {
  wishes = wire::version_of(creds)->wishes;
  if (wishes.has(wire::Feature::secure_ack)) {
    wire::encode({.body = wire::ErrorMessage{.code = secure_status}}, out);
  }
  if (wishes.has(wire::Feature::auth) && !wishes.has(wire::Feature::secure)) out.bytes(offer());
}

void ScriptedCollector::take_attribute(const wire::AttributeMessage& attribute, ByteWriter& out) {
  if (attribute.code != 0) {
    container = attribute.value;
    return;
  }
  logins.emplace_back(attribute.value);
  if (login_status != 0) wire::encode({.body = wire::ErrorMessage{.code = login_status}}, out);
}

std::vector<std::byte> ScriptedCollector::answer(Bytes request) {
  ByteWriter out;
  const auto pdu =
      wire::decode(request, {.route = wire::Route::client_to_collector, .features = features});
  if (!pdu) {
    log.emplace_back("bad");
    wire::encode({.body = wire::ErrorMessage{.code = pm_err::E_IPC}}, out);
    return out.take();
  }
  log.emplace_back(wire::row_of(*pdu).text);
  const auto& body = pdu->body;
  if (const auto* creds = std::get_if<wire::CredsMessage>(&body)) {
    take_creds(*creds, out);
  } else if (const auto* attribute = std::get_if<wire::AttributeMessage>(&body)) {
    take_attribute(*attribute, out);
  } else if (const auto* names = std::get_if<wire::NamesMessage>(&body)) {
    answer_names(*names, out);
  } else if (const auto* desc = std::get_if<wire::DescRequest>(&body)) {
    const auto* metric = find(desc->pmid);
    if (metric != nullptr && metric->agent_status == 0) {
      wire::encode({.body = wire::DescMessage{metric->desc}}, out);
    } else {
      const int code = metric == nullptr ? int{pm_err::E_PMID} : metric->agent_status;
      wire::encode({.body = wire::ErrorMessage{.code = code}}, out);
    }
  } else if (const auto* descs = std::get_if<wire::DescsRequest>(&body)) {
    wire::DescsMessage all;
    for (const PmId pmid : descs->pmids) {
      const auto* metric = find(pmid);
      const bool there = metric != nullptr && metric->agent_status == 0;
      all.descs.push_back(there ? metric->desc : Desc{});
    }
    wire::encode({.body = std::move(all)}, out);
  } else if (const auto* instance = std::get_if<wire::InstanceRequest>(&body)) {
    wire::InstanceMessage all{.indom = instance->indom};
    for (const auto& [id, name] : instances[instance->indom]) all.instances.push_back({id, name});
    wire::encode({.body = std::move(all)}, out);
  } else if (const auto* highres = std::get_if<wire::HighresFetchRequest>(&body)) {
    answer_fetch(*highres, true, out);
  } else if (const auto* fetch = std::get_if<wire::FetchRequest>(&body)) {
    answer_fetch(*fetch, false, out);
  } else if (std::holds_alternative<wire::TraverseRequest>(body) ||
             std::holds_alternative<wire::ChildRequest>(body)) {
    wire::NamesMessage all;
    for (const auto& [name, metric] : metrics) all.names.push_back({.name = name});
    wire::encode({.body = std::move(all)}, out);
  }
  std::vector<std::byte> bytes = out.take();
  if (garble && !bytes.empty()) garble(bytes);
  return bytes;
}

// Both ends of one connection.
class ScriptedStream final : public std::enable_shared_from_this<ScriptedStream> {
 public:
  ScriptedStream(FakeClock& clock, ScriptedCollector& collector)
      : clock_(clock), collector_(collector) {}

  void say(std::vector<std::byte> bytes) {
    if (collector_.silent || bytes.empty()) return;
    clock_.at(clock_.now() + collector_.delay,
              [stream = weak_from_this(), bytes = std::move(bytes)] {
                const auto self = stream.lock();
                if (!self) return;
                self->incoming_.insert(self->incoming_.end(), bytes.begin(), bytes.end());
                self->deliver();
              });
  }
  void hang_up() {
    ended_ = true;
    deliver();
  }

  void read(std::span<std::byte> room, Instant deadline, Transport::Read done) {
    room_ = room;
    done_ = std::move(done);
    const uint64_t number = ++reads_;
    clock_.at(deadline, [stream = weak_from_this(), number] {
      const auto self = stream.lock();
      if (!self || self->reads_ != number || !self->done_) return;
      std::exchange(self->done_, nullptr)(
          fail(Error(Fault::io, "no answer in time").pm_code(pm_err::E_TIMEOUT)));
    });
    deliver();
  }
  void write(Bytes bytes, Transport::Written done) {
    if (!collector_.proxy_line.empty() && lines_ < 2) {
      take_line(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
      return done(bytes.size());
    }
    int pdus = 0;
    for (Bytes left = bytes; !left.empty(); ++pdus) {
      const auto header = wire::read_header(left, limits::kServerPduBytesMax);
      say(collector_.answer(left.first(header->bytes)));
      left = left.subspan(header->bytes);
    }
    if (is_encrypted_) {
      collector_.pdus_of_a_write = std::max(collector_.pdus_of_a_write, pdus);
    }
    done(bytes.size());
  }
  void encrypt(const TlsPeer& peer, Transport::Encrypted done) {
    collector_.encrypted.push_back(peer);
    if (collector_.tls_problem) return done(fail(*collector_.tls_problem));
    is_encrypted_ = true;
    if (collector_.wishes.has(wire::Feature::auth)) say(collector_.offer());
    done(true);
  }

 private:
  void take_line(const std::string& line) {
    if (++lines_ == 1) {
      const auto said = std::as_bytes(std::span(collector_.proxy_line));
      return say({said.begin(), said.end()});
    }
    collector_.beyond = line;
    if (collector_.is_out_of_reach) return hang_up();
    say(collector_.hello());
  }

  void deliver() {
    if (!done_ || (incoming_.empty() && !ended_)) return;
    const size_t some = std::min(room_.size(), incoming_.size());
    std::copy_n(incoming_.begin(), some, room_.begin());
    incoming_.erase(incoming_.begin(), incoming_.begin() + static_cast<std::ptrdiff_t>(some));
    std::exchange(done_, nullptr)(some);
  }

  FakeClock& clock_;
  ScriptedCollector& collector_;
  std::vector<std::byte> incoming_;
  std::span<std::byte> room_;
  Transport::Read done_;
  uint64_t reads_ = 0;
  int lines_ = 0;  // to a proxy
  bool is_encrypted_ = false;
  bool ended_ = false;
};

namespace {

class ScriptedTransport final : public Transport {
 public:
  explicit ScriptedTransport(std::shared_ptr<ScriptedStream> stream) : stream_(std::move(stream)) {}
  void read(std::span<std::byte> room, Instant deadline, Read done) override {
    stream_->read(room, deadline, std::move(done));
  }
  void write(Bytes bytes, Instant, Written done) override {
    stream_->write(bytes, std::move(done));
  }
  void encrypt(const TlsPeer& peer, Instant, Encrypted done) override {
    stream_->encrypt(peer, std::move(done));
  }

 private:
  std::shared_ptr<ScriptedStream> stream_;
};

}  // namespace

void ScriptedNetwork::connect(const Endpoint& to, Instant, Connected done) {
  attempts.push_back(to.text());
  if (refuses || refused.contains(to.host))
    return done(fail(socket_error(ECONNREFUSED, to.text())));
  ScriptedCollector& with = of(to.host);
  const auto stream = std::make_shared<ScriptedStream>(clock_, with);
  streams_[to.host] = streams_[""] = stream;
  if (with.proxy_line.empty()) stream->say(with.hello());
  done(std::make_unique<ScriptedTransport>(stream));
}

bool ScriptedNetwork::run_some(Instant until) {
  const auto next = clock_.next_timer();
  if (!next || *next > until) {
    check(until - clock_.now() < std::chrono::hours(24 * 365), "the test waits for nothing");
    clock_.advance(until - clock_.now());
    return false;
  }
  clock_.advance(std::max(*next - clock_.now(), std::chrono::nanoseconds(0)));
  return true;
}

void ScriptedNetwork::hang_up(const std::string& host) {
  if (const auto stream = streams_[host].lock()) stream->hang_up();
}

ScriptedCollector& ScriptedNetwork::of(const std::string& host) {
  const auto other = others.find(host);
  return other == others.end() ? collector : other->second;
}

}  // namespace pmjit::test
