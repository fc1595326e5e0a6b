#include "agent/collector/collector_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <utility>

#include "runtime/base/limits.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/frame.h"

namespace pmjit {

namespace {

using wire::Feature;
using wire::FeatureSet;

constexpr wire::Channel kFromClient{.route = wire::Route::client_to_collector};

// To send less in two pieces costs more than to copy it.
constexpr size_t kTailBytesMin = 16u << 10;

// An instance may be named by its first word: "5" is "5 minute".
bool is_called(std::string_view instance, std::string_view name) {
  return instance == name || instance.substr(0, instance.find(' ')) == name;
}

}  // namespace

void refuse_client(int code, ByteWriter& out) {
  wire::encode({.body = wire::ErrorMessage{.code = code,
                                           .hello = wire::HelloWord{.version = 0, .licensed = 0}}},
               out);
}

CollectorSession::CollectorSession(CollectorCore& core, AgentAsker asker)
    : core_(&core), asker_(asker) {
  core_->client_came(asker_.client);
}

CollectorSession::~CollectorSession() { left(); }

void CollectorSession::left() {
  if (std::exchange(has_left_, true)) return;
  const bool logs_in = state_ == SessionState::logs_in && core_->logins() != nullptr;
  if (logs_in) core_->logins()->forget(asker_.client);
  core_->client_went(asker_);
}

bool CollectorSession::refuse_with(int code, ByteWriter& out) {
  refusal_ = code;
  if (code == 0 || state_ != SessionState::ready) return false;
  send_error(code, out);
  return true;
}

void CollectorSession::send(wire::PduBody body, ByteWriter& out) {
  const wire::Pdu pdu{.body = std::move(body)};
  const auto code = static_cast<uint32_t>(wire::row_of(pdu).type);
  core_->state().out.count(code);
  core_->trace().sent(asker_.client, code);
  wire::encode(pdu, out);
}

void CollectorSession::send_error(int code, ByteWriter& out) {
  send(wire::ErrorMessage{.code = code}, out);
}

Result<void> CollectorSession::take(Bytes pdu, ByteWriter& out) {
  const auto header = wire::read_header(pdu, static_cast<uint32_t>(pdu.size()));
  if (!header) return fail(header.error());
  core_->state().in.count(header->code);
  core_->trace().received(asker_.client, header->code);
  const bool is_creds = header->code == static_cast<uint32_t>(wire::PduType::creds);
  const bool tells = state_ == SessionState::logs_in || state_ == SessionState::names_container;
  if (state_ != SessionState::ready && !is_creds && !tells) {
    return fail(Fault::format, fmt::format("its first PDU is {}, and not CREDS with a version",
                                           wire::pdu_name(header->code)));
  }
  const auto message = wire::decode(pdu, kFromClient);
  if (tells) return take_attribute(message ? message->body : wire::PduBody(), out);
  if (!message) {
    send_error(pm_err::E_IPC, out);
    return {};
  }
  if (is_creds) return take_creds(std::get<wire::CredsMessage>(message->body), out);
  dispatch(message->body, out);
  return kept();
}

Result<void> CollectorSession::kept() {
  if (!turned_away_) return {};
  return fail(*turned_away_);
}

void CollectorSession::dispatch(const wire::PduBody& body, ByteWriter& out) {
  const bool is_store = std::holds_alternative<wire::ResultMessage>(body);
  if ((denied_ & (is_store ? kStoreOperation : kFetchOperation)) != 0) {
    return send_error(pm_err::E_PERMISSION, out);
  }
  std::visit(
      [&]<class Message>(const Message& message) {
        if constexpr (std::is_same_v<Message, wire::FetchRequest>) {
          answer_fetch(message, false, out);
        } else if constexpr (std::is_same_v<Message, wire::HighresFetchRequest>) {
          answer_fetch(message, true, out);
        } else if constexpr (std::is_same_v<Message, wire::ResultMessage>) {
          answer_store(message, out);
        } else if constexpr (requires { answer(message, out); }) {
          answer(message, out);
        } else {
          send_error(pm_err::E_IPC, out);  // it exists, and is not for us
        }
      },
      body);
}

void CollectorSession::answer(const wire::ProfileMessage& profile, ByteWriter& out) {
  if (profile.context < 0) return send_error(pm_err::E_IPC, out);
  const bool fits =
      profiles_.contains(profile.context) || profiles_.size() < limits::kClientContextsMax;
  if (!fits) return send_error(-EAGAIN, out);
  KeptProfile& kept = profiles_[profile.context];
  const auto sent = std::make_shared<SentProfile>();
  wire::encode({.from = asker_.slot, .body = profile}, sent->pdu);
  kept = {.message = profile, .sent = sent};
  for (wire::DomainProfile& domain : kept.message.domains) std::ranges::sort(domain.instances);
}

void CollectorSession::answer_fetch(const wire::FetchRequest& request, bool highres,
                                    ByteWriter& out) {
  const auto profile = profiles_.find(request.context);
  if (profile == profiles_.end()) return send_error(pm_err::E_NOPROFILE, out);
  CollectorFetch fetch{.pmids = request.pmids,
                       .context = request.context,
                       .profile = &profile->second,
                       .asker = asker_,
                       .highres = highres};
  const auto calls = core_->ask_remotes(fetch);
  const auto patience = core_->begin_fetch(fetch);
  if (calls.empty() && !patience) return finish_fetch(fetch, calls, out);
  HeldRequest held;
  for (const auto& [domain, call] : calls) held.calls.push_back(call);
  if (patience) held.until = core_->clock().now() + *patience;
  held.finish = [this, calls, pmids = request.pmids, fetch](ByteWriter& answer) mutable {
    fetch.pmids = pmids;
    finish_fetch(fetch, calls, answer);
  };
  hold(std::move(held), out);
}

void CollectorSession::finish_fetch(CollectorFetch& request, const FetchCalls& calls,
                                    ByteWriter& out) {
  AnswerTail tail = core_->fetch(request, calls, out);
  if (tail_ != nullptr && tail.bytes.size() > kTailBytesMin) {
    *tail_ = std::move(tail);
  } else {
    out.bytes(tail.bytes);
  }
}

void CollectorSession::answer_store(const wire::ResultMessage& request, ByteWriter& out) {
  const FetchCalls calls = core_->ask_to_store(request.sets, asker_);
  const auto here = core_->store_here(request.sets, asker_);
  HeldRequest held;
  for (const auto& [domain, call] : calls) held.calls.push_back(call);
  held.finish = [this, calls, here](ByteWriter& answer) {
    send_error(core_->store_code(here, calls), answer);
  };
  hold(std::move(held), out);
}

// ---- waiting

bool CollectorSession::over(const HeldRequest& request) const {
  if (request.login && request.login->over) return true;
  if (!std::ranges::all_of(request.calls, &AgentCall::done)) return false;
  if (request.login) return core_->clock().now() >= *request.until;
  return !request.until || !core_->fetches(asker_) || core_->clock().now() >= *request.until;
}

void CollectorSession::hold(HeldRequest request, ByteWriter& out) {
  if (over(request)) return request.finish(out);
  held_ = std::move(request);
}

std::optional<Instant> CollectorSession::waits_until() const {
  if (!held_) return {};
  return held_->until;
}

Result<void> CollectorSession::go_on(ByteWriter& out) {
  if (!held_ || !over(*held_)) return {};
  const HeldRequest held = *std::exchange(held_, std::nullopt);
  held.finish(out);
  return kept();
}

AgentCallPtr CollectorSession::ask(RemoteAgent& agent, wire::PduBody request,
                                   wire::PduType wanted) {
  return agent.ask({.client = asker_.client,
                    .slot = asker_.slot,
                    .request = std::move(request),
                    .wanted = wanted});
}

void CollectorSession::answer_with(AgentCall& call, ByteWriter& out) {
  if (call.code < 0) return send_error(call.code, out);
  send(std::move(call.answer.body), out);
}

void CollectorSession::forward(RemoteAgent& agent, wire::PduBody request, wire::PduType wanted,
                               ByteWriter& out) {
  const AgentCallPtr call = ask(agent, std::move(request), wanted);
  hold(
      {.calls = {call}, .finish = [this, call](ByteWriter& answer) { answer_with(*call, answer); }},
      out);
}

template <class Request>
bool CollectorSession::forwarded(uint32_t domain, const Request& request, wire::PduType wanted,
                                 ByteWriter& out) {
  RemoteAgent* const agent = core_->remote_of(domain);
  if (agent == nullptr) return false;
  forward(*agent, request, wanted, out);
  return true;
}

// ---- metadata

void CollectorSession::answer(const wire::DescRequest& request, ByteWriter& out) {
  if (forwarded(domain_of(request.pmid), request, wire::PduType::desc, out)) return;
  const auto desc = core_->describe(request.pmid);
  if (!desc) return send_error(desc.error(), out);
  send(wire::DescMessage{.desc = *desc}, out);
}

void CollectorSession::answer(const wire::DescsRequest& request, ByteWriter& out) {
  // One that is not known has a null identifier and zeros.
  const Desc unknown{.indom = 0, .semantics = Semantics{}};
  HeldRequest held;
  std::vector<std::pair<AgentCallPtr, OrPmError<Desc>>> all;
  for (const PmId pmid : request.pmids) {
    RemoteAgent* const agent = core_->remote_of(domain_of(pmid));
    if (agent == nullptr) {
      all.emplace_back(nullptr, core_->describe(pmid));
      continue;
    }
    held.calls.push_back(ask(*agent, wire::DescRequest{.pmid = pmid}, wire::PduType::desc));
    all.emplace_back(held.calls.back(), pm_fail(pm_err::E_PMID));
  }
  held.finish = [this, all = std::move(all), unknown](ByteWriter& answer) {
    wire::DescsMessage reply;
    for (const auto& [call, here] : all) {
      OrPmError<Desc> desc = here;
      if (call && call->code < 0) desc = pm_fail(call->code);
      if (call && call->code == 0) desc = std::get<wire::DescMessage>(call->answer.body).desc;
      if (!desc && all.size() == 1) return send_error(desc.error(), answer);
      reply.descs.push_back(desc.value_or(unknown));
    }
    send(std::move(reply), answer);
  };
  hold(std::move(held), out);
}

void CollectorSession::answer(const wire::InstanceRequest& request, ByteWriter& out) {
  if (forwarded(domain_of(request.indom), request, wire::PduType::instance, out)) return;
  hold_for_instances(
      request.indom,
      [this, indom = request.indom, instance = request.instance, name = std::string(request.name)](
          ByteWriter& answer) { send_instances(indom, instance, name, answer); },
      out);
}

void CollectorSession::hold_for_instances(InDomId indom, std::function<void(ByteWriter&)> finish,
                                          ByteWriter& out) {
  HeldRequest held{.finish = std::move(finish)};
  const auto patience = core_->begin_instances(indom, asker_);
  if (patience) held.until = core_->clock().now() + *patience;
  hold(std::move(held), out);
}

void CollectorSession::send_instances(InDomId indom, int32_t wanted, std::string_view name,
                                      ByteWriter& out) {
  const auto instances = core_->instances(indom, asker_);
  if (!instances) return send_error(instances.error(), out);
  wire::InstanceMessage reply{.indom = indom};
  const bool all = wanted == kSingular && name.empty();
  const bool both = wanted != kSingular && !name.empty();
  for (const AgentInstance& instance : *instances) {
    if (all) {
      reply.instances.push_back({.instance = instance.id, .name = instance.name});
    } else if (!both && name.empty() && instance.id == wanted) {
      reply.instances = {{.instance = kSingular, .name = instance.name}};
    } else if (!both && !name.empty() && is_called(instance.name, name)) {
      reply.instances = {{.instance = instance.id, .name = {}}};
    }
  }
  // Clients would read past an empty answer for one instance.
  if (!all && reply.instances.empty()) return send_error(pm_err::E_INST, out);
  send(std::move(reply), out);
}

void CollectorSession::answer(const wire::TextRequest& request, ByteWriter& out) {
  const bool of_something = (request.kind & 0xC) != 0;  // a metric, or a domain
  RemoteAgent* const agent = of_something ? core_->remote_of(domain_of(request.ident)) : nullptr;
  if (agent != nullptr) {
    const AgentCallPtr call = ask(*agent, request, wire::PduType::text);
    return hold({.calls = {call},
                 .finish =
                     [this, call, ident = request.ident](ByteWriter& answer) {
                       if (call->code == 0) {
                         std::get<wire::TextMessage>(call->answer.body).ident = ident;
                       }
                       answer_with(*call, answer);
                     }},
                out);
  }
  const auto text = core_->text(request);
  if (!text) return send_error(text.error(), out);
  send(wire::TextMessage{.ident = request.ident, .text = *text}, out);
}

// ---- names

void CollectorSession::answer(const wire::NamesMessage& request, ByteWriter& out) {
  if (request.names.empty()) return send_error(pm_err::E_TOOSMALL, out);
  HeldRequest held;
  std::vector<std::pair<AgentCallPtr, OrPmError<PmId>>> all;
  for (const wire::NameAndStatus& one : request.names) {
    const std::string_view name = one.name.substr(0, one.name.find('\0'));
    const auto dynamic = core_->names().dynamic_domain(name);
    RemoteAgent* const agent = dynamic ? core_->remote_of(*dynamic) : nullptr;
    if (agent == nullptr) {
      const auto known = core_->names().lookup(name);
      all.emplace_back(nullptr, dynamic ? pm_fail(pm_err::E_NOAGENT) : known);
      continue;
    }
    held.calls.push_back(
        ask(*agent, wire::NamesMessage{.names = {{.name = name}}}, wire::PduType::ids));
    all.emplace_back(held.calls.back(), pm_fail(pm_err::E_NAME));
  }
  held.finish = [this, all = std::move(all)](ByteWriter& answer) {
    wire::IdsMessage reply;
    for (const auto& [call, here] : all) {
      OrPmError<PmId> pmid = here;
      if (call && call->code < 0) pmid = pm_fail(call->code);
      if (call && call->code == 0) {
        const auto& pmids = std::get<wire::IdsMessage>(call->answer.body).pmids;
        pmid = pmids.size() == 1 ? OrPmError<PmId>(pmids.front()) : pm_fail(pm_err::E_NAME);
      }
      if (!pmid && all.size() == 1) return send_error(pmid.error(), answer);
      reply.pmids.push_back(pmid.value_or(kNullId));
      if (pmid) ++reply.resolved;
    }
    send(std::move(reply), answer);
  };
  hold(std::move(held), out);
}

void CollectorSession::answer(const wire::IdsMessage& request, ByteWriter& out) {
  if (request.pmids.size() != 1) return send_error(pm_err::E_IPC, out);
  const PmId pmid = request.pmids.front();
  const auto names = core_->names_of(pmid);
  if (!names) {
    if (forwarded(domain_of(pmid), request, wire::PduType::names, out)) return;
    return send_error(names.error(), out);
  }
  wire::NamesMessage reply;
  for (const std::string_view name : *names) reply.names.push_back({.name = name});
  send(std::move(reply), out);
}

void CollectorSession::answer(const wire::ChildRequest& request, ByteWriter& out) {
  if (const auto dynamic = core_->names().dynamic_domain(request.name)) {
    if (forwarded(*dynamic, request, wire::PduType::names, out)) return;
    return send_error(pm_err::E_NOAGENT, out);
  }
  const auto children = core_->names().children(request.name);
  if (!children) return send_error(children.error(), out);
  wire::NamesMessage reply{.with_status = request.subtype != 0};
  for (const auto& child : *children) {
    reply.names.push_back({.name = child.name, .status = child.leaf ? 0 : 1});
  }
  send(std::move(reply), out);
}

// Roots of dynamic subtrees stand for what their agents say; those of agents that fail are left
// out.
void CollectorSession::answer(const wire::TraverseRequest& request, ByteWriter& out) {
  if (const auto dynamic = core_->names().dynamic_domain(request.name)) {
    if (forwarded(*dynamic, request, wire::PduType::names, out)) return;
    return send_error(pm_err::E_NOAGENT, out);
  }
  const auto leaves = core_->names().named_leaves(request.name);
  if (!leaves) return send_error(leaves.error(), out);
  HeldRequest held;
  std::vector<std::pair<std::string, AgentCallPtr>> all;
  for (const auto& [name, pmid] : *leaves) {
    AgentCallPtr call;
    if (is_dynamic_root(pmid)) {
      RemoteAgent* const agent = core_->remote_of(*core_->names().dynamic_domain(name));
      if (agent == nullptr) continue;
      call = ask(*agent, wire::TraverseRequest{.subtype = request.subtype, .name = name},
                 wire::PduType::names);
      held.calls.push_back(call);
    }
    all.emplace_back(name, call);
  }
  held.finish = [this, all = std::move(all)](ByteWriter& answer) {
    wire::NamesMessage reply;
    for (const auto& [name, call] : all) {
      if (!call) {
        reply.names.push_back({.name = name});
      } else if (call->code == pm_err::E_AGAIN) {
        return send_error(call->code, answer);
      } else if (call->code == 0) {
        const auto& names = std::get<wire::NamesMessage>(call->answer.body).names;
        for (const auto& one : names) reply.names.push_back({.name = one.name});
      }
    }
    send(std::move(reply), answer);
  };
  hold(std::move(held), out);
}

void CollectorSession::answer(const wire::LabelRequest& request, ByteWriter& out) {
  const bool of_context = request.type == static_cast<uint32_t>(AgentLabelLevel::context);
  const bool of_domain = request.type == static_cast<uint32_t>(AgentLabelLevel::domain);
  const bool of_instances = request.type == static_cast<uint32_t>(AgentLabelLevel::instances);
  const uint32_t of = of_domain ? request.ident : domain_of(request.ident);
  const bool of_agent = !of_context && std::has_single_bit(request.type) &&
                        request.type <= static_cast<uint32_t>(AgentLabelLevel::instances);
  RemoteAgent* const agent = of_agent ? core_->remote_of(of) : nullptr;
  if (agent != nullptr && agent->has_labels()) {
    return forward(*agent, request, wire::PduType::label, out);
  }
  if (agent != nullptr) return send_labels_for(*agent, request, out);
  if (!of_instances) return send_labels(request, out);
  hold_for_instances(
      request.ident, [this, request](ByteWriter& answer) { send_labels(request, answer); }, out);
}

void CollectorSession::send_labels(const wire::LabelRequest& request, ByteWriter& out) {
  LabelSheets sheets;
  const int code = core_->labels(request, asker_, sheets);
  if (code < 0) return send_error(code, out);
  // Those of the context are nobody's.
  const bool of_context = request.type == static_cast<uint32_t>(AgentLabelLevel::context);
  send(wire::LabelMessage{.ident = of_context ? kNullId : request.ident,
                          .type = request.type,
                          .sets = sheets.take_sets()},
       out);
}

// What pmcd says of an agent whose interface has no labels.
void CollectorSession::send_labels_for(const RemoteAgent& agent, const wire::LabelRequest& request,
                                       ByteWriter& out) {
  if (const int code = agent.refusal_of(wire::PduType::label); code < 0) {
    return send_error(code, out);
  }
  LabelSheets sheets;
  if (request.type == static_cast<uint32_t>(AgentLabelLevel::domain)) {
    sheets.add(kSingular, AgentLabelLevel::domain, {{"agent", json_string(agent.name())}});
  }
  send(wire::LabelMessage{.ident = request.ident, .type = request.type, .sets = sheets.take_sets()},
       out);
}

}  // namespace pmjit
