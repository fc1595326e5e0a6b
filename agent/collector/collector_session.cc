#include "agent/collector/collector_session.h"

#include <fmt/format.h>

#include <algorithm>
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

// 0, or why we cannot do what a client asks for in CREDS.
int refusal_of(FeatureSet wishes) {
  FeatureSet unwelcome = wire::unwelcome_wishes(wishes);
  if (unwelcome.has(Feature::compress)) return -EOPNOTSUPP;
  if (unwelcome.bits() != 0) return pm_err::E_IPC;
  if (wishes.has(Feature::secure)) return pm_err::E_NOTCONN;  // as pmcd without a certificate
  if (wishes.has(Feature::auth) || wishes.has(Feature::container)) return -EOPNOTSUPP;
  return 0;
}

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

CollectorSession::~CollectorSession() { core_->client_went(asker_.client); }

void CollectorSession::greet(ByteWriter& out) {
  send(wire::ErrorMessage{.code = 0, .hello = wire::HelloWord{.features = wire::kPlainFeatures}},
       out);
}

void CollectorSession::send(wire::PduBody body, ByteWriter& out) {
  const wire::Pdu pdu{.body = std::move(body)};
  core_->state().out.count(static_cast<uint32_t>(wire::row_of(pdu).type));
  wire::encode(pdu, out);
}

void CollectorSession::send_error(int code, ByteWriter& out) {
  send(wire::ErrorMessage{.code = code}, out);
}

Result<void> CollectorSession::take(Bytes pdu, ByteWriter& out) {
  const auto header = wire::read_header(pdu, static_cast<uint32_t>(pdu.size()));
  if (!header) return fail(header.error());
  core_->state().in.count(header->code);
  const bool is_creds = header->code == static_cast<uint32_t>(wire::PduType::creds);
  if (state_ != SessionState::ready && !is_creds) {
    return fail(Fault::format, fmt::format("its first PDU is {}, and not CREDS with a version",
                                           wire::pdu_name(header->code)));
  }
  const auto message = wire::decode(pdu, kFromClient);
  if (!message) {
    send_error(pm_err::E_IPC, out);
    return {};
  }
  if (is_creds) return take_creds(std::get<wire::CredsMessage>(message->body), out);
  dispatch(message->body, out);
  return {};
}

Result<void> CollectorSession::take_creds(const wire::CredsMessage& creds, ByteWriter& out) {
  const auto version = wire::version_of(creds);
  if (!version || version->version == 0) {
    if (state_ != SessionState::ready) state_ = SessionState::unknown_version;
    return {};
  }
  if (const int code = refusal_of(version->wishes); code != 0) {
    send_error(code, out);
    return fail(Error(Fault::unsupported,
                      fmt::format("it asks for {}", wire::features_text(version->wishes)))
                    .help("this collector offers neither TLS, authentication nor containers"));
  }
  state_ = SessionState::ready;
  return {};
}

void CollectorSession::dispatch(const wire::PduBody& body, ByteWriter& out) {
  std::visit(
      [&]<class Message>(const Message& message) {
        if constexpr (std::is_same_v<Message, wire::FetchRequest>) {
          answer_fetch(message, false, out);
        } else if constexpr (std::is_same_v<Message, wire::HighresFetchRequest>) {
          answer_fetch(message, true, out);
        } else if constexpr (std::is_same_v<Message, wire::ResultMessage>) {
          send_error(core_->store(message.sets, asker_), out);
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
  wire::ProfileMessage& kept = profiles_[profile.context];
  kept = profile;
  for (wire::DomainProfile& domain : kept.domains) std::ranges::sort(domain.instances);
}

void CollectorSession::answer_fetch(const wire::FetchRequest& request, bool highres,
                                    ByteWriter& out) {
  const auto profile = profiles_.find(request.context);
  if (profile == profiles_.end()) return send_error(pm_err::E_NOPROFILE, out);
  const auto patience = core_->begin_fetch(fetch_of(request, highres));
  if (!patience) return core_->fetch(fetch_of(request, highres), out);
  held_ = {.request = request, .highres = highres, .until = core_->clock().now() + *patience};
}

CollectorFetch CollectorSession::fetch_of(const wire::FetchRequest& request, bool highres) const {
  return {.pmids = request.pmids,
          .profile = &profiles_.at(request.context),
          .asker = asker_,
          .highres = highres};
}

std::optional<Instant> CollectorSession::waits_until() const {
  if (!held_) return {};
  return held_->until;
}

void CollectorSession::go_on(ByteWriter& out) {
  if (!held_ || (core_->fetches(asker_) && core_->clock().now() < held_->until)) return;
  const HeldFetch held = *std::exchange(held_, std::nullopt);
  core_->fetch(fetch_of(held.request, held.highres), out);
}

void CollectorSession::answer(const wire::DescRequest& request, ByteWriter& out) {
  const auto desc = core_->describe(request.pmid);
  if (!desc) return send_error(desc.error(), out);
  send(wire::DescMessage{.desc = *desc}, out);
}

void CollectorSession::answer(const wire::DescsRequest& request, ByteWriter& out) {
  wire::DescsMessage reply;
  for (const PmId pmid : request.pmids) {
    const auto desc = core_->describe(pmid);
    if (!desc && request.pmids.size() == 1) return send_error(desc.error(), out);
    // One that is not known has a null identifier and zeros.
    reply.descs.push_back(desc.value_or(Desc{.indom = 0, .semantics = Semantics{}}));
  }
  send(std::move(reply), out);
}

void CollectorSession::answer(const wire::InstanceRequest& request, ByteWriter& out) {
  const auto instances = core_->instances(request.indom, asker_);
  if (!instances) return send_error(instances.error(), out);
  wire::InstanceMessage reply{.indom = request.indom};
  const bool all = request.instance == kSingular && request.name.empty();
  const bool both = request.instance != kSingular && !request.name.empty();
  for (const AgentInstance& instance : *instances) {
    if (all) {
      reply.instances.push_back({.instance = instance.id, .name = instance.name});
    } else if (!both && request.name.empty() && instance.id == request.instance) {
      reply.instances = {{.instance = kSingular, .name = instance.name}};
    } else if (!both && !request.name.empty() && is_called(instance.name, request.name)) {
      reply.instances = {{.instance = instance.id, .name = {}}};
    }
  }
  // Clients would read past an empty answer for one instance.
  if (!all && reply.instances.empty()) return send_error(pm_err::E_INST, out);
  send(std::move(reply), out);
}

void CollectorSession::answer(const wire::TextRequest& request, ByteWriter& out) {
  const auto text = core_->text(request);
  if (!text) return send_error(text.error(), out);
  send(wire::TextMessage{.ident = request.ident, .text = *text}, out);
}

void CollectorSession::answer(const wire::NamesMessage& request, ByteWriter& out) {
  if (request.names.empty()) return send_error(pm_err::E_TOOSMALL, out);
  wire::IdsMessage reply;
  for (const wire::NameAndStatus& name : request.names) {
    const auto pmid = core_->names().lookup(name.name.substr(0, name.name.find('\0')));
    if (!pmid && request.names.size() == 1) return send_error(pmid.error(), out);
    reply.pmids.push_back(pmid.value_or(kNullId));
    if (pmid) ++reply.resolved;
  }
  send(std::move(reply), out);
}

void CollectorSession::answer(const wire::IdsMessage& request, ByteWriter& out) {
  if (request.pmids.size() != 1) return send_error(pm_err::E_IPC, out);
  const auto names = core_->names_of(request.pmids.front());
  if (!names) return send_error(names.error(), out);
  wire::NamesMessage reply;
  for (const std::string_view name : *names) reply.names.push_back({.name = name});
  send(std::move(reply), out);
}

void CollectorSession::answer(const wire::ChildRequest& request, ByteWriter& out) {
  const auto children = core_->names().children(request.name);
  if (!children) return send_error(children.error(), out);
  wire::NamesMessage reply{.with_status = request.subtype != 0};
  for (const auto& child : *children) {
    reply.names.push_back({.name = child.name, .status = child.leaf ? 0 : 1});
  }
  send(std::move(reply), out);
}

void CollectorSession::answer(const wire::TraverseRequest& request, ByteWriter& out) {
  const auto leaves = core_->names().leaves(request.name);
  if (!leaves) return send_error(leaves.error(), out);
  wire::NamesMessage reply;
  for (const std::string_view name : *leaves) reply.names.push_back({.name = name});
  send(std::move(reply), out);
}

void CollectorSession::answer(const wire::LabelRequest& request, ByteWriter& out) {
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

}  // namespace pmjit
