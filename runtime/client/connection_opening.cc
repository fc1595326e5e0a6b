// How a Connection is opened: from an address to one that answers requests.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

#include "runtime/base/limits.h"
#include "runtime/base/local_host.h"
#include "runtime/client/connection.h"
#include "runtime/client/login_refusal.h"
#include "runtime/client/net/secure_module.h"
#include "runtime/client/net/tls_settings.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

// One attempt. With a name that is known outside: g++ warns of a coroutine's frame else.
struct ConnectionDial {
  Endpoint endpoint{};
  std::string beyond{};  // what a proxy is asked for; empty: the endpoint is the collector
  [[nodiscard]] std::string text() const {
    return beyond.empty() ? endpoint.text() : fmt::format("{}@{}", beyond, endpoint.text());
  }
};

namespace {

using wire::Feature;

constexpr int32_t kLoginAttribute = 0, kContainerAttribute = 15;  // spec wire-protocol.md §3.7
constexpr uint8_t kProtocolVersion = 2;
// Of the greeting, whatever the environment says of requests: PCP's library reads that later.
constexpr std::chrono::seconds kGreetingPatience(10);
constexpr size_t kLoginBytesMax = 2'047;  // of each message of a login
constexpr int kLoginRoundsMax = 20;
constexpr std::string_view kProxyGreeting = "pmproxy-server 1";

Error refusal(int code, std::string what, std::string help) {
  return Error(Fault::unsupported, std::move(what)).pm_code(code).help(std::move(help));
}

// Of a host that PCP's library cannot look up.
Error unknown_host(const HostSpec& spec) {
  return Error(Fault::not_found, "no host is named")
      .at("host specification", spec.text)
      .pm_code(-EHOSTUNREACH)
      .help("write HOST, or local: for this machine");
}

Result<uint16_t> port_of(uint32_t number, const HostSpec& spec, const ClientSettings& settings) {
  constexpr uint32_t kNegative = 1u << 31;  // to PCP's library
  if (settings.fails_as_pcp)
    return number < kNegative ? static_cast<uint16_t>(number) : uint16_t{0};
  if (number > 0 && number <= UINT16_MAX) return static_cast<uint16_t>(number);
  return fail(no_such_port(number, spec));
}

struct Proxy {
  std::string host;
  uint32_t port = 0;
};

// Of several in a specification the first one is used, as by PCP. None: the host is dialled itself.
std::optional<Proxy> proxy_of(const HostSpec& spec, const ClientSettings& settings) {
  if (spec.kind != HostSpec::Kind::remote) return std::nullopt;
  if (spec.addresses.size() > 1) {
    const HostSpec::Address& first = spec.addresses[1];
    return Proxy{.host = first.name,
                 .port = first.ports.empty() ? settings.proxy_port : first.ports.front()};
  }
  if (!settings.proxy) return std::nullopt;
  return Proxy{.host = *settings.proxy, .port = settings.proxy_port};
}

// Ports or the socket, as they are to be tried.
Result<std::vector<ConnectionDial>> dials_of(const HostSpec& spec, const ClientSettings& settings) {
  std::vector<ConnectionDial> out;
  if (spec.kind == HostSpec::Kind::remote && spec.addresses.empty())
    return fail(unknown_host(spec));
  if (spec.kind != HostSpec::Kind::remote) {
    out.push_back({.endpoint{.unix_path = spec.path.empty() ? settings.socket_path : spec.path}});
    if (spec.kind == HostSpec::Kind::unix_socket) return out;
  }
  const std::string name =
      spec.kind == HostSpec::Kind::local ? "localhost" : spec.addresses.front().name;
  const auto proxy = proxy_of(spec, settings);
  if (proxy && proxy->host.empty()) return fail(unknown_host(spec));
  if (!proxy && name.empty()) return fail(unknown_host(spec));
  const bool has_ports =
      spec.kind == HostSpec::Kind::remote && !spec.addresses.front().ports.empty();
  for (const uint32_t number : has_ports ? spec.addresses.front().ports : settings.ports) {
    const auto port = port_of(proxy ? proxy->port : number, spec, settings);
    if (!port) return fail(port.error());
    if (proxy) {
      out.push_back({.endpoint{.host = proxy->host, .port = *port},
                     .beyond = fmt::format("{} {}", name, number)});
    } else {
      out.push_back({.endpoint{.host = name, .port = *port}});
    }
  }
  return out;
}

// PCP's library tells apart: a time-out, a name that nobody knows, and that nobody is there.
Error as_pcp_fails(Error error, const Endpoint& endpoint) {
  const int code = error.pm_code();
  if (code == pm_err::E_TIMEOUT) return std::move(error).pm_code(-ETIMEDOUT);
  const bool is_other =
      error.fault() == Fault::not_found || code == -EMFILE || code == -ENFILE || code == -EINTR;
  if (is_other) return error;
  return std::move(error).pm_code(endpoint.is_unix() ? -ENOENT : -ECONNREFUSED);
}

// As a Kerberos service has it: this machine's own name, as with PCP's library.
std::string login_host(const HostSpec& spec) {
  const std::string own = spec.host().starts_with("localhost") ? local_host_name() : "";
  return own.empty() ? spec.host() : own;
}

Result<TlsPeer> peer_of(const HostSpec& spec, const ClientSettings& settings, TlsWish wish) {
  auto tls = read_tls_settings(settings.tls_path);
  if (!tls) return fail(tls.error());
  tls->checks_peer = wish == TlsWish::enforced;
  tls->any_issuer = settings.any_issuer;
  tls->any_name = settings.any_name;
  return TlsPeer{.settings = *std::move(tls), .host = spec.host()};
}

}  // namespace

bool is_of_encryption(const Error& error) {
  return error.pm_code() == pm_err::E_TLS || error.pm_code() == pm_err::E_NOTCONN;
}

Async<Result<std::unique_ptr<Connection>>> Connection::open(Network& network, const HostSpec& spec,
                                                            const ClientSettings& settings,
                                                            LoginAnswers& answers) {
  const auto dials = dials_of(spec, settings);
  if (!dials) co_return fail(dials.error());
  std::optional<Error> last;
  for (const ConnectionDial& dial : *dials) {
    const Endpoint& endpoint = dial.endpoint;
    Later<Result<std::unique_ptr<Transport>>> arrival;
    network.connect(endpoint, network.now() + settings.connect_timeout, arrival.callback());
    auto transport = co_await arrival;
    if (!transport) {
      last = settings.fails_as_pcp ? as_pcp_fails(transport.error(), endpoint) : transport.error();
      continue;
    }
    if (auto refused = spec_refusal(spec)) co_return fail(*std::move(refused));
    const Opening how{.spec = spec,
                      .settings = settings,
                      .answers = answers,
                      .wishes = wishes_of(spec, settings, endpoint.is_unix())};
    if (auto refused = container_refusal(how.wishes.container, "PCP_CONTAINER")) {
      co_return fail(*std::move(refused));
    }
    std::unique_ptr<Connection> made(
        new Connection(network, *std::move(transport), dial.text(), settings));
    if (!dial.beyond.empty()) {
      auto passing = made->pass_proxy(dial.beyond);
      const Result<bool> passed = co_await passing;
      if (!passed) {
        last = passed.error();
        continue;
      }
    }
    auto shaking = made->shake_hands(how);
    const Result<bool> ready = co_await shaking;
    if (ready) co_return std::move(made);
    last = ready.error();
  }
  co_return fail(*last);
}

Async<Result<bool>> Connection::send_text(std::string text) {
  under_way_ = true;
  Later<Result<size_t>> written;
  transport_->write(std::as_bytes(std::span(text)), deadline_, written.callback());
  const Result<size_t> done = co_await written;
  if (!done) co_return fail(lose(done.error()));
  co_return true;
}

// The proxy says nothing of its own behind this line: it relays, or closes the connection.
Async<Result<bool>> Connection::pass_proxy(std::string beyond) {
  deadline_ = network_.now() + kGreetingPatience;
  auto greeting = send_text("pmproxy-client 1\n");
  if (const Result<bool> sent = co_await greeting; !sent) co_return fail(sent.error());
  std::string said;
  std::array<std::byte, 1> room{};
  while (said.size() <= kProxyGreeting.size()) {
    Later<Result<size_t>> arrival;
    transport_->read(room, deadline_, arrival.callback());
    const Result<size_t> got = co_await arrival;
    if (!got) co_return fail(lose(got.error()));
    const char c = *got == 0 ? '\n' : static_cast<char>(room[0]);
    if (c == '\n' || c == '\r') break;
    said += c;
  }
  if (said != kProxyGreeting) {
    co_return fail(lose(Error(Fault::format, "the proxy does not greet as a pmproxy does")
                            .pm_code(pm_err::E_IPC)
                            .help("is something else listening there? A pmproxy's port is 44322")));
  }
  beyond_proxy_ = true;
  auto asking = send_text(beyond + "\n");
  co_return co_await asking;
}

// The collector speaks first. To its greeting it gets credentials, and says nothing more to them.
Async<Result<bool>> Connection::shake_hands(const Opening& how) {
  deadline_ = network_.now() + kGreetingPatience;
  const Result<wire::Pdu> hello = co_await receive();
  if (!hello) co_return fail(hello.error());
  const Result<wire::FeatureSet> flags = take_hello(*hello, how);
  if (!flags) co_return fail(lose(flags.error()));
  const bool logs_in = begins_login(*flags, how.wishes);
  if (logs_in || flags->has(Feature::secure)) {
    if (const auto module = load_secure(); !module) co_return fail(lose(module.error()));
  }
  // The user may take his time now: the collector waits for nobody who has not begun to speak.
  std::optional<Credentials> who;
  if (logs_in) {
    auto given = credentials_of(how);
    if (!given) co_return fail(lose(given.error()));
    who = *std::move(given);
  }
  wire::Credential credential{.version = kProtocolVersion, .wishes = *flags};
  wire::CredsMessage creds;
  creds.credentials.push_back(credential);
  out_.clear();
  wire::encode({.from = static_cast<int32_t>(getpid()), .body = std::move(creds)}, out_);
  const bool goes_on = who || flags->has(Feature::secure);
  if (!goes_on) encode_container(how);
  greeted_ = true;
  deadline_ = network_.now() + patience_;
  Result<bool> done = co_await send();
  if (done && goes_on) {
    auto going_on = go_on(how, *flags, std::move(who));
    done = co_await going_on;
  }
  under_way_ = false;
  co_return done;
}

Async<Result<bool>> Connection::go_on(const Opening& how, wire::FeatureSet flags,
                                      std::optional<Credentials> who) {
  if (flags.has(Feature::secure)) {
    auto encrypting = encrypt(how, flags.has(Feature::secure_ack));
    if (const Result<bool> done = co_await encrypting; !done) co_return fail(done.error());
  }
  if (who) {
    const bool is_safe = how.wishes.by_unix || how.wishes.tls == TlsWish::enforced;
    who->may_send_clear = is_safe || !who->method.empty() || how.settings.fails_as_pcp;
    auto logging_in = log_in(how, *std::move(who));
    if (const Result<bool> done = co_await logging_in; !done) {
      how.answers = {};
      co_return fail(done.error());
    }
  }
  if (how.wishes.container.empty() && (!unconfirmed_ || how.settings.fails_as_pcp)) co_return true;
  out_.clear();
  encode_container(how);
  if (unconfirmed_ && !how.settings.fails_as_pcp)
    wire::encode({.body = wire::ChildRequest{}}, out_);
  deadline_ = network_.now() + patience_;
  if (const Result<bool> sent = co_await send(); !sent) co_return fail(sent.error());
  if (!unconfirmed_ || how.settings.fails_as_pcp) co_return true;
  const Result<wire::Pdu> answer = co_await receive();
  if (!answer) {
    how.answers = {};
    co_return fail(answer.error());
  }
  co_return true;
}

Result<wire::FeatureSet> Connection::take_hello(const wire::Pdu& pdu, const Opening& how) {
  const auto* const hello = std::get_if<wire::ErrorMessage>(&pdu.body);
  if (hello == nullptr || (!hello->hello && hello->code >= 0)) {
    return fail(Error(Fault::format, "the other side does not greet as a collector does")
                    .pm_code(pm_err::E_IPC)
                    .help("is something else listening on this port?"));
  }
  if (hello->code < 0) {
    return fail(
        Error(Fault::io, fmt::format("the collector refuses: {}", pm_error_text(hello->code)))
            .pm_code(hello->code)
            .help("the [access] section of its pmcd.conf says who may connect"));
  }
  if (hello->hello->version != kProtocolVersion) {
    return fail(refusal(pm_err::E_IPC,
                        fmt::format("the collector speaks version {} of the protocol; pmjit {}",
                                    hello->hello->version, kProtocolVersion),
                        "connect to a collector of PCP 2 or later"));
  }
  features_ = hello->hello->features;
  HelloWishes wishes = how.wishes;
  const bool where_it_can = wishes.tls == TlsWish::relaxed && features_.has(Feature::secure);
  if (where_it_can && !load_secure()) wishes.tls = TlsWish::none;
  return answer_to_hello(features_, wishes);
}

void Connection::encode_container(const Opening& how) {
  if (how.wishes.container.empty()) return;
  wire::encode(
      {.body = wire::AttributeMessage{.code = kContainerAttribute, .value = how.wishes.container}},
      out_);
}

Async<Result<bool>> Connection::encrypt(const Opening& how, bool waits) {
  if (waits) {
    const Result<wire::Pdu> answer = co_await receive();
    if (!answer) co_return fail(answer.error());
    const auto* const status = std::get_if<wire::ErrorMessage>(&answer->body);
    if (status == nullptr) co_return fail(break_off("it does not say whether it encrypts"));
    if (status->code < 0) {
      co_return fail(lose(
          refusal(status->code,
                  fmt::format("the collector cannot encrypt now: {}", pm_error_text(status->code)),
                  "its tls.conf has to name a certificate and its key; pmcd.log may say more")));
    }
  }
  // Encryption does not protect these bytes: an attacker on the way may have sent them.
  if (!framer_.ended()) co_return fail(break_off("it goes on in clear where encryption begins"));
  const auto peer = peer_of(how.spec, how.settings, how.wishes.tls);
  if (!peer) co_return fail(lose(peer.error()));
  deadline_ = network_.now() + patience_;
  Later<Result<bool>> encrypted;
  transport_->encrypt(*peer, deadline_, encrypted.callback());
  const Result<bool> done = co_await encrypted;
  if (!done) co_return fail(lose(done.error()));
  is_encrypted_ = true;
  co_return true;
}

// Of the specification, of what the user has said before, or what he says now.
Result<Credentials> Connection::credentials_of(const Opening& how) const {
  const auto written = [&](HostAttribute which) {
    const std::string* const value = how.spec.attribute(which);
    return value != nullptr ? *value : std::string();
  };
  const bool as_pcp = how.settings.fails_as_pcp;
  const auto ask = [&](std::optional<std::string>& known, const std::string& prompt, bool secret) {
    if (!known && how.settings.ask) known = how.settings.ask(prompt, secret);
  };
  Credentials out{.user = written(HostAttribute::username),
                  .password = written(HostAttribute::password),
                  .method = written(HostAttribute::method),
                  .realm = written(HostAttribute::realm)};
  if (!out.method.empty() && !needs_password(out.method)) return out;
  if (out.user.empty()) {
    ask(how.answers.user, as_pcp ? "Username: " : fmt::format("user name at {}: ", peer_), false);
    out.user = how.answers.user.value_or("");
  }
  if (out.user.empty()) {
    constexpr int kBadParameter = -7;  // SASL's
    return fail(refusal(sasl_pm_code(kBadParameter), "the collector wants a user to log in",
                        "write HOST?user=NAME; pmjit asks for the password at the terminal"));
  }
  if (how.spec.attribute(HostAttribute::password) != nullptr) return out;
  ask(how.answers.password,
      as_pcp ? "Password: " : fmt::format("password of {} at {}: ", out.user, peer_), true);
  if (!how.answers.password && !as_pcp) {
    return fail(refusal(pm_err::E_PERMISSION,
                        fmt::format("there is no password for the user \"{}\"", out.user),
                        "write ?user=…&pass=… behind the host, or run pmjit at a terminal"));
  }
  out.password = how.answers.password.value_or("");
  return out;
}

// The collector begins, with the methods that it has. Our side always has the last word.
Async<Result<bool>> Connection::log_in(const Opening& how, Credentials who) {
  LoginAs as{.user = who.user, .host = login_host(how.spec)};
  const auto module = load_secure();
  if (!module) co_return fail(lose(module.error()));
  const std::unique_ptr<SaslLogin> login = (*module)->log_in(as.host, std::move(who));
  for (int round = 0; round < kLoginRoundsMax; ++round) {
    auto waiting = next_challenge(as);
    const Result<std::string> challenge = co_await waiting;
    if (!challenge) co_return fail(challenge.error());
    const Result<std::string> answer =
        round == 0 ? login->start(*challenge) : login->step(*challenge);
    if (!answer) co_return fail(lose(answer.error()));
    if (round == 0) as.method = answer->substr(0, answer->find('\0'));
    if (answer->size() > kLoginBytesMax) {
      co_return fail(lose(refusal(pm_err::E_IPC, "user name and password are too long to be sent",
                                  fmt::format("a login has room for {} bytes", kLoginBytesMax))));
    }
    out_.clear();
    wire::encode({.body = wire::AttributeMessage{.code = kLoginAttribute, .value = *answer}}, out_);
    if (const Result<bool> sent = co_await send(); !sent) co_return fail(sent.error());
    if (login->done()) {
      unconfirmed_ = std::move(as);
      co_return true;
    }
  }
  co_return fail(break_off("its login has no end"));
}

Async<Result<std::string>> Connection::next_challenge(const LoginAs& who) {
  deadline_ = network_.now() + patience_;
  const Result<wire::Pdu> pdu = co_await receive();
  if (!pdu) co_return fail(pdu.error());
  if (const auto* const error = std::get_if<wire::ErrorMessage>(&pdu->body)) {
    co_return fail(lose(refused_login(error->code, who)));
  }
  const auto* const attribute = std::get_if<wire::AttributeMessage>(&pdu->body);
  if (attribute == nullptr || attribute->code != kLoginAttribute) {
    co_return fail(break_off("it does not go on with the login"));
  }
  co_return std::string(attribute->value);
}

}  // namespace pmjit
