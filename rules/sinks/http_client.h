// http_post(): one POST over a connection of its own, with one deadline for all of it. Source: spec
// alerting.md §8.
//
//   const auto url = read_http_url("http://127.0.0.1:9093/api/v2/alerts");
//   const auto answer = http_post(*network, {.url = *url, .body = json}, network->now() + 10s,
//   stop); if (answer && answer->status / 100 == 2) …
//
// Redirects are not followed. Of an answer at most 64 KiB are read.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "runtime/client/net/network.h"

namespace pmjit {

struct HttpUrl {
  std::string host;  // without the brackets of IPv6
  uint16_t port = 80;
  std::string path;  // with its query; at least "/"
  [[nodiscard]] std::string authority() const;
};
// Of http:// alone.
[[nodiscard]] std::optional<HttpUrl> read_http_url(std::string_view text);

struct HttpPost {
  HttpUrl url;
  std::vector<std::pair<std::string, std::string>> headers{};  // besides those of the body
  std::string body;
};

struct HttpAnswer {
  int status = 0;
  std::optional<std::chrono::seconds> retry_after{};  // if it says so, in seconds
  std::string body{};                                 // as far as it was read
};

// `stop`: asked ten times a second; true: the exchange fails. Errors: no connection, no answer in
// time, an answer that is no HTTP.
[[nodiscard]] Result<HttpAnswer> http_post(Network& network, const HttpPost& post, Instant deadline,
                                           const std::function<bool()>& stop);

// `Basic …`: of a user and a password.
[[nodiscard]] std::string basic_authorization(std::string_view user, std::string_view password);

}  // namespace pmjit
