// HostSpec: which collector is meant, as users write it behind -h. Source: spec wire-protocol.md
// §14, pmapi.md §9.2.
//
//   host   host:44321,4321   [fe80::1]:44321   pcp://host?container=web   host@proxy
//   unix:/run/pcp/pmcd.socket                     that socket only
//   local:                                        the socket, else localhost by TCP
//
//   const auto spec = parse_host_spec(text);
//   if (!spec) return fail(spec_error(text, spec.error()));
//   if (auto refused = spec_refusal(*spec)) return fail(*refused);
//
// Parsing knows all that PCP's tools know. What cannot be done is refused afterwards, so that the
// message says that, and not that the text is wrong.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

enum class HostAttribute : uint8_t {
  compress,
  userauth,
  username,
  password,
  method,
  realm,
  secure,
  container,
  unixsock,
  local,
  userid,
  groupid,
  processid,
  exclusive,
};
[[nodiscard]] std::string_view attribute_name(HostAttribute attribute);

struct HostSpec {
  enum class Kind : uint8_t { remote, local, unix_socket };
  struct Address {
    std::string name;               // a name or a number; IPv6 without its brackets; of [] empty
    std::vector<uint32_t> ports{};  // to be tried in this order; none: those of the settings
  };

  std::string text;  // as written, but for a password: ***
  Kind kind = Kind::remote;
  std::string scheme{};              // pcp, pcps, local, unix; empty: none was written
  std::string path{};                // local, unix_socket; empty: that of the settings
  std::vector<Address> addresses{};  // remote: the host, then proxies; none: nothing was named
  std::map<HostAttribute, std::string> attributes{};  // decoded; one without a value has ""
  std::vector<std::string> ignored{};  // names of those that PCP's library reads over

  [[nodiscard]] bool wants_tls() const { return scheme == "pcps"; }
  [[nodiscard]] bool wants_login() const;
  [[nodiscard]] std::optional<std::string> container() const;
  // Null: it is not written.
  [[nodiscard]] const std::string* attribute(HostAttribute which) const;
  // For messages, and where the collector does not say what it is called.
  [[nodiscard]] std::string host() const;
};

struct HostSpecProblem {
  int code = 0;                // PM_ERR_GENERIC, or -EINVAL for an attribute's value
  size_t offset = 0;           // of the character that is wrong; the length: the end is
  std::string_view message{};  // as PCP's library has it; empty for -EINVAL
};

[[nodiscard]] std::expected<HostSpec, HostSpecProblem> parse_host_spec(std::string_view text);

// Of http://web1:44322/x: web1. Empty: it is no URL.
[[nodiscard]] std::string_view host_of_url(std::string_view text);

// The problem in pmjit's words, and as PCP's library prints it: the text, and a caret below;
// of an attribute's value "(null)", without an end of line.
[[nodiscard]] Error spec_error(std::string_view text, const HostSpecProblem& problem);
[[nodiscard]] std::string pcp_text(std::string_view text, const HostSpecProblem& problem);

// Why a collector cannot be asked for this container; none: it can. `from`: who names it.
[[nodiscard]] std::optional<Error> container_refusal(std::string_view container,
                                                     std::string_view from);

// Of a number that is no port. PCP's library takes it, and uses its last 16 bits.
[[nodiscard]] Error no_such_port(uint32_t number, const HostSpec& spec);
// The same of the first one that is written; none: all are ports.
[[nodiscard]] std::optional<Error> port_refusal(const HostSpec& spec);

// Why an attribute would do nothing, though PCP's library says nothing of it; none: all do.
[[nodiscard]] std::optional<Error> attribute_refusal(const HostSpec& spec);

// Why nothing can be connected to as a well formed specification says; none: it can be tried.
[[nodiscard]] std::optional<Error> spec_refusal(const HostSpec& spec);

}  // namespace pmjit
