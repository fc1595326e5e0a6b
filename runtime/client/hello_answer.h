// answer_to_hello() chooses the features that the client asks for, from those that the collector's
// greeting offers. Source: spec wire-protocol.md §3.3, the client's decision table.
//
//   const auto wanted = answer_to_hello(hello.features, {.tls = TlsWish::enforced});
//   if (!wanted) …                        // the collector lacks something, or demands something
//   if (wanted->has(wire::Feature::secure)) …
#pragma once

#include <string>

#include "runtime/client/client_settings.h"
#include "runtime/client/host_spec.h"
#include "runtime/wire/pdu.h"

namespace pmjit {

struct HelloWishes {
  TlsWish tls = TlsWish::none;
  bool login = false;
  std::string container{};
  bool by_unix = false;      // over a socket of this machine: the collector knows the user
  bool seems_local = false;  // a collector that wants certificates takes this client without one
};

[[nodiscard]] HelloWishes wishes_of(const HostSpec& spec, const ClientSettings& settings,
                                    bool by_unix);

// The flags of CREDS.
[[nodiscard]] Result<wire::FeatureSet> answer_to_hello(wire::FeatureSet offered,
                                                       const HelloWishes& wishes);
// Whether those flags make the collector begin a login.
[[nodiscard]] bool begins_login(wire::FeatureSet flags, const HelloWishes& wishes);

}  // namespace pmjit
