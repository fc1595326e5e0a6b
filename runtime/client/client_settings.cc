#include "runtime/client/client_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include "runtime/base/installed.h"

namespace pmjit {

namespace {

constexpr uint32_t kPortMax = 65'535;
constexpr double kTimeOutMax = 1e9;  // of a time-out: thirty years

std::optional<uint32_t> whole_number(std::string_view text) {
  uint32_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return out;
}

std::vector<std::string_view> comma_list(std::string_view text) {
  std::vector<std::string_view> out;
  for (;;) {
    const size_t comma = text.find(',');
    out.push_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return out;
    text.remove_prefix(comma + 1);
  }
}

// Seconds, with a fraction perhaps.
std::optional<double> seconds_in(const char* text) {
  char* end = nullptr;
  const double out = std::strtod(text, &end);
  if (end == text || *end != '\0' || !std::isfinite(out) || out < 0 || out > kTimeOutMax) {
    return std::nullopt;
  }
  return out;
}

class SettingsReader {
 public:
  SettingsReader(const std::function<const char*(const char*)>& get, std::vector<BadSetting>& bad)
      : get_(get), bad_(bad) {}

  ClientSettings run() {
    ports();
    sockets();
    time_outs();
    delays();
    if (const char* text = get_("PCP_CONTAINER")) out_.container = text;
    proxy();
    encryption();
    return std::move(out_);
  }

 private:
  void warn(std::string_view name, std::string_view value, std::string_view why) {
    bad_.push_back(
        {.name = std::string(name), .value = std::string(value), .why = std::string(why)});
  }

  void ports() {
    const char* text = get_("PMCD_PORT");
    if (text == nullptr) return;
    std::vector<uint32_t> ports;
    for (std::string_view word : comma_list(text)) {
      word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
      if (word.empty()) continue;
      const auto port = whole_number(word);
      // As to PCP's library: such a list does not count at all.
      if (!port) return warn("PMCD_PORT", text, "it is not a list of numbers");
      if (*port > 0 && *port <= kPortMax) {
        ports.push_back(*port);
      } else {
        warn("PMCD_PORT", word, "a port is a number from 1 to 65535");
      }
    }
    if (!ports.empty()) out_.ports = std::move(ports);
  }

  void sockets() {
    if (const char* folder = get_("PCP_RUN_DIR")) {
      out_.socket_path = fmt::format("{}/pmcd.socket", folder);
    }
    if (const char* path = get_("PMCD_SOCKET")) out_.socket_path = path;
  }

  void time_outs() {
    using std::chrono::duration;
    if (const char* text = get_("PMCD_CONNECT_TIMEOUT"); text != nullptr && *text != '\0') {
      if (const auto seconds = seconds_in(text); !seconds) {
        warn("PMCD_CONNECT_TIMEOUT", text, "it is not a number of seconds");
      } else {
        out_.connect_timeout =
            *seconds == 0
                ? kNoTimeLimit
                : std::chrono::duration_cast<std::chrono::nanoseconds>(duration<double>(*seconds));
      }
    }
    if (const char* text = get_("PMCD_REQUEST_TIMEOUT"); text != nullptr && *text != '\0') {
      // PCP cuts the fraction off, and below one second waits without an end.
      if (const auto seconds = seconds_in(text); !seconds) {
        warn("PMCD_REQUEST_TIMEOUT", text, "it is not a number of seconds");
      } else {
        out_.request_timeout =
            *seconds < 1 ? kNoTimeLimit : std::chrono::seconds(static_cast<int64_t>(*seconds));
      }
    }
  }

  void delays() {
    const char* text = get_("PMCD_RECONNECT_TIMEOUT");
    if (text == nullptr || *text == '\0') return;
    std::vector<std::chrono::seconds> delays;
    for (const std::string_view word : comma_list(text)) {
      const auto seconds = whole_number(word);
      if (!seconds || *seconds == 0) {
        return warn("PMCD_RECONNECT_TIMEOUT", text, "it is not a list of whole seconds above 0");
      }
      delays.emplace_back(*seconds);
    }
    out_.reconnect_delays = std::move(delays);
  }

  void proxy() {
    if (const char* host = get_("PMPROXY_HOST")) out_.proxy = host;
    const char* text = get_("PMPROXY_PORT");
    if (text == nullptr) return;
    const std::string_view first = comma_list(text).front();
    const auto port = whole_number(first);
    if (port && *port > 0 && *port <= kPortMax) {
      out_.proxy_port = *port;
    } else {
      warn("PMPROXY_PORT", first, "a port is a number from 1 to 65535");
    }
  }

  void encryption() {
    if (const char* text = get_("PCP_SECURE_SOCKETS")) {
      const std::string_view wish(text);
      if (wish.empty() || wish == "1" || wish == "enforce") out_.secure = TlsWish::enforced;
      if (wish == "relaxed") out_.secure = TlsWish::relaxed;
    }
    if (const char* path = get_("PCP_TLSCONF_PATH")) out_.tls_path = path;
    out_.any_issuer = get_("PCP_ALLOW_SERVER_SELF_CERT") != nullptr;
    out_.any_name = get_("PCP_ALLOW_BAD_CERT_DOMAIN") != nullptr;
  }

  const std::function<const char*(const char*)>& get_;
  std::vector<BadSetting>& bad_;
  ClientSettings out_;
};

}  // namespace

std::string BadSetting::text() const {
  return fmt::format("ignored bad {} = '{}': {}", name, value, why);
}

ClientSettings installed_client_settings(std::vector<std::string>& warnings) {
  std::vector<BadSetting> bad;
  ClientSettings out = installed_client_settings(bad);
  for (const BadSetting& one : bad) warnings.push_back(one.text());
  return out;
}

ClientSettings installed_client_settings(std::vector<BadSetting>& bad) {
  std::map<std::string, std::string> settings;
  for (auto& [name, value] : installed_settings()) settings.try_emplace(name, std::move(value));
  return read_client_settings(
      [&](const char* name) -> const char* {
        if (const char* const value = std::getenv(name)) return value;
        const auto found = settings.find(name);
        return found == settings.end() ? nullptr : found->second.c_str();
      },
      bad);
}

ClientSettings read_client_settings(const std::function<const char*(const char*)>& get,
                                    std::vector<BadSetting>& bad) {
  return SettingsReader(get, bad).run();
}

}  // namespace pmjit
