#include "runtime/client/hello_answer.h"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

using wire::Feature;

Error lacks(int code, std::string what, std::string help) {
  return Error(Fault::unsupported, std::move(what)).pm_code(code).help(std::move(help));
}

TlsWish tls_wish(const HostSpec& spec, const ClientSettings& settings) {
  if (!spec.wants_tls()) return settings.secure;
  const std::string* const secure = spec.attribute(HostAttribute::secure);
  return secure != nullptr && *secure == "relaxed" ? TlsWish::relaxed : TlsWish::enforced;
}

}  // namespace

HelloWishes wishes_of(const HostSpec& spec, const ClientSettings& settings, bool by_unix) {
  const bool says_so = spec.attributes.contains(HostAttribute::local) ||
                       spec.attributes.contains(HostAttribute::unixsock);
  return {.tls = by_unix ? TlsWish::none : tls_wish(spec, settings),
          .login = spec.wants_login(),
          .container = spec.container().value_or(settings.container),
          .by_unix = by_unix,
          .seems_local = by_unix || says_so || spec.host().find("localhost") != std::string::npos};
}

Result<wire::FeatureSet> answer_to_hello(wire::FeatureSet offered, const HelloWishes& wishes) {
  wire::FeatureSet out;
  if (offered.has(Feature::creds_required)) out = out.with(Feature::creds_required);
  if (offered.has(Feature::cert_required) && !wishes.seems_local) {
    if (wishes.tls == TlsWish::none) {
      return fail(lacks(pm_err::E_NEEDCLIENTCERT, "the collector wants a client certificate",
                        "write pcps://HOST, and name a certificate in tls.conf: tls-cert-file and "
                        "tls-key-file"));
    }
    out = out.with(Feature::cert_required);
  }
  if (wishes.tls != TlsWish::none && offered.has(Feature::secure)) {
    out = out.with(Feature::secure);
    if (offered.has(Feature::secure_ack)) out = out.with(Feature::secure_ack);
  } else if (wishes.tls == TlsWish::enforced) {
    return fail(lacks(-EOPNOTSUPP, "the collector cannot encrypt",
                      "it needs a certificate in its tls.conf; or write pcp:// and unset "
                      "PCP_SECURE_SOCKETS, over a network that you trust"));
  }
  if (wishes.login) {
    if (!offered.has(Feature::auth)) {
      return fail(lacks(-EOPNOTSUPP, "users cannot log in at this collector",
                        "leave user, password and method out"));
    }
    out = out.with(Feature::auth);
  }
  if (!wishes.container.empty()) {
    if (!offered.has(Feature::container)) {
      return fail(lacks(-EOPNOTSUPP,
                        fmt::format("the collector knows no containers (\"{}\")", wishes.container),
                        "leave the container out"));
    }
    out = out.with(Feature::container);
  }
  return out;
}

bool begins_login(wire::FeatureSet flags, const HelloWishes& wishes) {
  return flags.has(Feature::auth) || (flags.has(Feature::creds_required) && !wishes.by_unix);
}

}  // namespace pmjit
