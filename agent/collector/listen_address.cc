#include "agent/collector/listen_address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <net/if.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <system_error>
#include <vector>

namespace pmjit {

namespace {

constexpr std::string_view kNumbers =
    "write it in numbers: 127.0.0.1, ::1, 0.0.0.0 for all of IPv4, :: for all of IPv6";

// An address in the bytes of its family.
struct NumericAddress {
  bool is_v6 = false;
  std::array<uint8_t, 16> bytes{};
  uint32_t scope = 0;

  bool operator==(const NumericAddress&) const = default;
  [[nodiscard]] bool is_all() const {
    return std::ranges::all_of(bytes, [](uint8_t byte) { return byte == 0; });
  }
  [[nodiscard]] bool is_link_local() const {
    return is_v6 && bytes[0] == 0xFE && (bytes[1] & 0xC0) == 0x80;
  }
  [[nodiscard]] bool is_multicast() const {
    return is_v6 ? bytes[0] == 0xFF : (bytes[0] & 0xF0) == 0xE0;
  }
  [[nodiscard]] bool is_broadcast() const {
    return !is_v6 && std::ranges::all_of(std::span(bytes).first(4),
                                         [](uint8_t byte) { return byte == 0xFF; });
  }
  [[nodiscard]] bool is_mapped_v4() const {
    constexpr std::array<uint8_t, 12> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    return is_v6 && std::ranges::equal(kMapped, std::span(bytes).first(kMapped.size()));
  }
};

Error wrong_address(const std::string& text, std::string what, std::string help) {
  return Error(Fault::usage, std::move(what)).at("address", text).help(std::move(help));
}

// Of no address in numbers: what it may have been meant to be.
Error not_numeric(const std::string& text) {
  if (text.empty()) {
    return Error(Fault::usage, "the address is empty")
        .at("option", "--address")
        .help("leave --address out to listen on loopback alone, or " + std::string(kNumbers));
  }
  const bool is_list = text.find(',') != text.npos;
  return wrong_address(text, "no address in numbers",
                       is_list ? "give --address once for each address, without commas"
                               : std::string(kNumbers) + "; a port is given with --port");
}

Result<NumericAddress> parse_address(const std::string& text) {
  NumericAddress out;
  if (inet_pton(AF_INET, text.c_str(), out.bytes.data()) == 1) return out;
  const size_t percent = text.find('%');
  const std::string number = text.substr(0, percent);
  out.is_v6 = true;
  if (inet_pton(AF_INET6, number.c_str(), out.bytes.data()) != 1) return fail(not_numeric(text));
  if (percent == text.npos) return out;
  const std::string interface = text.substr(percent + 1);
  out.scope = if_nametoindex(interface.c_str());
  const bool is_index =
      !interface.empty() && interface.find_first_not_of("0123456789") == interface.npos;
  if (out.scope == 0 && !is_index) {
    return fail(
        wrong_address(text, fmt::format("this machine has no network interface \"{}\"", interface),
                      "`ip -6 address` lists the interfaces with their addresses"));
  }
  if (out.scope == 0) {
    out.scope = static_cast<uint32_t>(std::strtoul(interface.c_str(), nullptr, 10));
  }
  return out;
}

std::optional<Error> unusable(const std::string& text, const NumericAddress& address) {
  if (address.is_link_local() && address.scope == 0) {
    return wrong_address(
        text, "a link-local address is of one network interface, and none is named",
        fmt::format("name it behind the address: --address {}%eth0; `ip -6 address`"
                    " lists the interfaces with their addresses",
                    text));
  }
  if (address.is_mapped_v4()) {
    const std::string in_v4 = fmt::format("{}", fmt::join(std::span(address.bytes).last(4), "."));
    return wrong_address(text, "it is an address of IPv4, written as one of IPv6",
                         "write --address " + in_v4);
  }
  if (address.is_multicast() || address.is_broadcast()) {
    return wrong_address(text, "it is the address of a group, and no client can connect to it",
                         "give an address of this machine; `ip address` lists them");
  }
  return std::nullopt;
}

// Two that cannot both be listened on, for one of them has the other's port.
std::optional<Error> overlapping(const std::string& text, const NumericAddress& address,
                                 const std::string& before, const NumericAddress& given) {
  if (address == given) {
    const std::string what =
        text == before ? "the address is given twice" : "it is the same address as " + before;
    return wrong_address(text, what, "give it once");
  }
  if (address.is_v6 != given.is_v6 || (!address.is_all() && !given.is_all())) return std::nullopt;
  const bool first_has_all = given.is_all();
  return wrong_address(first_has_all ? text : before,
                       fmt::format("{} has it already: that is all of {}",
                                   first_has_all ? before : text, address.is_v6 ? "IPv6" : "IPv4"),
                       fmt::format("leave out --address {}", first_has_all ? text : before));
}

}  // namespace

Result<void> check_listen_addresses(std::span<const std::string> addresses) {
  std::vector<NumericAddress> given;
  for (const std::string& text : addresses) {
    const auto address = parse_address(text);
    if (!address) return fail(address.error());
    if (auto wrong = unusable(text, *address)) return fail(*std::move(wrong));
    for (size_t i = 0; i < given.size(); ++i) {
      if (auto wrong = overlapping(text, *address, addresses[i], given[i])) {
        return fail(*std::move(wrong));
      }
    }
    given.push_back(*address);
  }
  return {};
}

Error listen_error(int code, const std::string& address, uint16_t port) {
  const auto error = [&](std::string what, std::string help) {
    return Error(Fault::io, std::move(what)).at("address", address).help(std::move(help));
  };
  if (code == EADDRINUSE && port == 0) {
    return error("no port is free",
                 "end some of the programs that listen or connect there, or "
                 "choose a port: --port 44321");
  }
  if (code == EADDRINUSE) {
    return error(
        fmt::format("port {} is in use", port),
        fmt::format("a pmcd or another collector listens there: stop it, or choose another "
                    "port: --port {}, or --port auto for a free one",
                    port == UINT16_MAX ? port - 1 : port + 1));
  }
  if (code == EACCES) {
    return error(fmt::format("port {} is not for users without privileges", port),
                 "choose a port from 1024 on");
  }
  if (code == EADDRNOTAVAIL) {
    return error("this machine has no such address, so it cannot listen there",
                 "give an address of this machine, in numbers: --address 127.0.0.1; `ip address` "
                 "lists them");
  }
  const std::string reason = std::generic_category().message(code);
  return error(port == 0 ? "cannot listen there: " + reason
                         : fmt::format("cannot listen on port {}: {}", port, reason),
               "give an address of this machine, in numbers: --address 192.0.2.7");
}

Error log_file_error(int code, const std::string& path) {
  const auto help = [&]() -> std::string {
    switch (code) {
      case ENOENT:
      case ENOTDIR: return "make its folder first, or choose another file with --log";
      case EISDIR: return fmt::format("name a file in that folder: --log {}/collect.log", path);
      case EACCES:
      case EPERM:
      case EROFS: return "choose a file with --log that you may write, or change its permissions";
      default: return "choose another file with --log, or leave --log out: the log is then printed";
    }
  };
  return Error(Fault::io, "cannot write the log: " + std::generic_category().message(code))
      .at("file", path)
      .help(help());
}

}  // namespace pmjit
