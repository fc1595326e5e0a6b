// How a connection begins, until requests are taken: the greeting, CREDS, TLS, a login and the name
// of a container.
#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "agent/collector/collector_session.h"
#include "runtime/wire/codec.h"

namespace pmjit {

namespace {

using wire::Feature;
using wire::FeatureSet;

// A step of a login that takes longer ends it. Source: spec wire-protocol.md §12.3.
constexpr auto kLoginStep = std::chrono::seconds(10);
// Of an ATTR PDU: what SASL says, and the name of a container. In a login pmcd looks at no code.
constexpr int32_t kLoginAttribute = 0, kContainerAttribute = 15;

// 0, or why we cannot do what a client asks for in CREDS.
int refusal_of(FeatureSet wishes, FeatureSet offers) {
  const FeatureSet unwelcome = wire::unwelcome_wishes(wishes);
  if (unwelcome.has(Feature::compress)) return -EOPNOTSUPP;
  if (unwelcome.bits() != 0) return pm_err::E_IPC;
  const auto lacks = [&](Feature one) { return wishes.has(one) && !offers.has(one); };
  if (lacks(Feature::secure)) return pm_err::E_NOTCONN;  // as pmcd without a certificate
  return lacks(Feature::auth) || lacks(Feature::container) ? -EOPNOTSUPP : 0;
}

// "neither TLS, authentication nor containers"
std::string lacks_text(FeatureSet offers) {
  std::vector<std::string_view> lacks;
  if (!offers.has(Feature::secure)) lacks.emplace_back("TLS");
  if (!offers.has(Feature::auth)) lacks.emplace_back("authentication");
  if (!offers.has(Feature::container)) lacks.emplace_back("containers");
  if (lacks.empty()) return "this collector offers it at the start of a connection alone";
  return fmt::format("this collector does not offer {}", fmt::join(lacks, " or "));
}

}  // namespace

wire::FeatureSet CollectorSession::offers() const {
  wire::FeatureSet out = wire::kPlainFeatures;
  const CollectorState& state = core_->state();
  if (state.takes_logins) out = out.with(Feature::auth);
  if (state.knows_containers) out = out.with(Feature::container);
  if (state.creds_required) out = out.with(Feature::creds_required);
  if (state.encrypts) out = out.with(Feature::secure).with(Feature::secure_ack);
  if (state.certificates_required) out = out.with(Feature::cert_required);
  return out;
}

void CollectorSession::greet(ByteWriter& out) {
  send(wire::ErrorMessage{.code = 0, .hello = wire::HelloWord{.features = offers()}}, out);
}

Result<void> CollectorSession::take_creds(const wire::CredsMessage& creds, ByteWriter& out) {
  const auto version = wire::version_of(creds);
  if (!version || version->version == 0) {
    if (state_ != SessionState::ready) state_ = SessionState::unknown_version;
    return {};
  }
  wishes_ = version->wishes;
  // What has begun in clear, and as nobody, goes on so.
  const bool secure = wishes_.has(Feature::secure), begun = state_ == SessionState::ready;
  const FeatureSet offered = begun ? wire::kPlainFeatures : offers();
  if (const int code = refusal_of(wishes_, offered); code != 0) {
    send_error(code, out);
    return fail(
        Error(Fault::unsupported, fmt::format("it asks for {}", wire::features_text(wishes_)))
            .help(lacks_text(offers())));
  }
  if (!secure && !in_clear_ && !begun) {
    send_error(pm_err::E_NEEDCLIENTCERT, out);
    return fail(Fault::usage, "it has to use TLS and to show a certificate");
  }
  if (secure) {
    if (wishes_.has(Feature::secure_ack)) send_error(0, out);
    wants_certificate_ =
        wishes_.has(Feature::cert_required) || core_->state().certificates_required;
    state_ = SessionState::begins_tls;
    return {};
  }
  return begun ? welcome(out) : identify(out);
}

Result<void> CollectorSession::encrypted(ByteWriter& out) { return identify(out); }

// ---- who it is, and what it asks about

Result<void> CollectorSession::identify(ByteWriter& out) {
  // For those of a unix socket the system vouches.
  const bool has_to =
      wishes_.has(Feature::creds_required) && core_->state().creds_required && !asker_.user_id;
  const bool logs_in = (wishes_.has(Feature::auth) || has_to) && core_->logins() != nullptr;
  if (logs_in && !user_) {
    state_ = SessionState::logs_in;
    log_in({}, out);
    return kept();
  }
  if (wishes_.has(Feature::container)) {
    state_ = SessionState::names_container;
    return {};
  }
  return welcome(out);
}

Result<void> CollectorSession::take_attribute(const wire::PduBody& body, ByteWriter& out) {
  if (state_ == SessionState::names_container) return take_container(body, out);
  const auto* const said = std::get_if<wire::AttributeMessage>(&body);
  if (said == nullptr) {
    send_error(pm_err::E_IPC, out);
    return fail(Fault::format, "it does not answer within its login");
  }
  log_in(std::string(said->value), out);
  return kept();
}

Result<void> CollectorSession::take_container(const wire::PduBody& body, ByteWriter& out) {
  const auto* const named = std::get_if<wire::AttributeMessage>(&body);
  if (named == nullptr || named->code != kContainerAttribute) {
    send_error(pm_err::E_IPC, out);  // and it goes on without one, as with pmcd
  } else {
    asker_.container = wire::plain_value(*named);
  }
  return welcome(out);
}

// None: it begins.
void CollectorSession::log_in(std::optional<std::string> said, ByteWriter& out) {
  const auto step = std::make_shared<LoginStep>(
      LoginStep{.client = asker_.client, .begins = !said, .said = said.value_or("")});
  core_->logins()->take(step);
  hold({.finish = [this, step](ByteWriter& answer) { end_step(*step, answer); },
        .until = core_->clock().now() + kLoginStep,
        .login = step},
       out);
}

void CollectorSession::end_step(const LoginStep& step, ByteWriter& out) {
  if (step.over && step.reply && !step.user) {
    return send(wire::AttributeMessage{.code = kLoginAttribute, .value = *step.reply}, out);
  }
  core_->logins()->forget(asker_.client);
  if (!step.over) {
    send_error(pm_err::E_TIMEOUT, out);
    turned_away_ = Error(Fault::io, "its login took longer than 10 s");
  } else if (!step.reply) {
    const Error& why = step.reply.error();
    send_error(why.pm_code() != 0 ? why.pm_code() : pm_err::E_PERMISSION, out);
    turned_away_ = Error(why.fault(), "its login fails: " + why.what()).help(why.help());
  } else {
    user_ = step.user;
    asker_.user_name = user_->name;
    asker_.user_id = user_->user_id;
    asker_.group_id = user_->group_id;
    state_ = SessionState::logged_in;
  }
}

Result<void> CollectorSession::admitted(ByteWriter& out) { return identify(out); }

Result<void> CollectorSession::welcome(ByteWriter& out) {
  if (refusal_ != 0) {
    send_error(refusal_, out);
    return fail(Fault::usage, "it may not connect: users have to be known and allowed");
  }
  if (state_ != SessionState::ready) core_->client_is_known(asker_);
  state_ = SessionState::ready;
  return {};
}

}  // namespace pmjit
