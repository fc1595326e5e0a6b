#include "rules/sinks/http_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "runtime/base/chars.h"
#include "runtime/client/net/async.h"

namespace pmjit {

namespace {

constexpr size_t kAnswerMost = 65'536;
constexpr auto kStopUnseen = std::chrono::milliseconds(100);
constexpr std::string_view kEndOfHead = "\r\n\r\n";
constexpr size_t kStatusAt = 9, kStatusSize = 3;  // `HTTP/1.1 200 …`

std::optional<uint64_t> number_of(std::string_view text) {
  uint64_t out = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (wrong != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return out;
}

std::string request_text(const HttpPost& post) {
  std::string out = fmt::format(
      "POST {} HTTP/1.1\r\nHost: {}\r\nUser-Agent: pmjit\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\nConnection: close\r\n",
      post.url.path, post.url.authority(), post.body.size());
  for (const auto& [name, value] : post.headers) out += fmt::format("{}: {}\r\n", name, value);
  return out + "\r\n" + post.body;
}

bool same_name(std::string_view one, std::string_view other) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::ranges::equal(one, other, {}, lower, lower);
}

// The value of a field of a head; none: it is not there.
std::optional<std::string_view> field_of(std::string_view head, std::string_view wanted) {
  for (size_t at = head.find("\r\n"); at != std::string_view::npos; at = head.find("\r\n", at)) {
    at += 2;
    const std::string_view line = head.substr(at, head.find("\r\n", at) - at);
    const size_t colon = line.find(':');
    if (colon == std::string_view::npos || !same_name(line.substr(0, colon), wanted)) continue;
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ') || value.starts_with('\t')) value.remove_prefix(1);
    while (value.ends_with(' ') || value.ends_with('\t')) value.remove_suffix(1);
    return value;
  }
  return std::nullopt;
}

Error no_http(const std::string& to) {
  return Error(Fault::format, "its answer is no HTTP").at("server", to);
}

// How many bytes an answer has; none: it is not known yet, or as many as come.
std::optional<size_t> whole_size(std::string_view text) {
  const size_t head = text.find(kEndOfHead);
  if (head == std::string_view::npos) return std::nullopt;
  const auto length = field_of(text.substr(0, head), "Content-Length");
  const auto bytes = length ? number_of(*length) : std::nullopt;
  if (!bytes || *bytes > kAnswerMost) return std::nullopt;
  return head + kEndOfHead.size() + *bytes;
}

Result<HttpAnswer> read_answer(std::string_view text, const std::string& to) {
  const size_t head_size = text.find(kEndOfHead);
  if (head_size == std::string_view::npos || !text.starts_with("HTTP/1.")) return fail(no_http(to));
  const std::string_view head = text.substr(0, head_size);
  const std::string_view line = head.substr(0, head.find("\r\n"));
  if (line.size() < kStatusAt + kStatusSize) return fail(no_http(to));
  const auto status = number_of(line.substr(kStatusAt, kStatusSize));
  if (!status || *status < 100 || *status > 599) return fail(no_http(to));
  HttpAnswer out{.status = static_cast<int>(*status),
                 .body = std::string(text.substr(head_size + kEndOfHead.size()))};
  if (const auto field = field_of(head, "Retry-After")) {
    if (const auto seconds = number_of(*field); seconds && *seconds < 1'000'000'000) {
      out.retry_after = std::chrono::seconds(*seconds);
    }
  }
  return out;
}

Async<Result<HttpAnswer>> exchange(Network& network, const HttpPost& post, Instant deadline) {
  const Endpoint to{.host = post.url.host, .port = post.url.port};
  Later<Result<std::unique_ptr<Transport>>> connected;
  network.connect(to, deadline, connected.callback());
  auto connection = co_await connected;
  if (!connection) co_return fail(connection.error());
  Transport& transport = **connection;
  const std::string request = request_text(post);
  Later<Result<size_t>> written;
  transport.write(std::as_bytes(std::span(request)), deadline, written.callback());
  const auto sent = co_await written;
  if (!sent) co_return fail(sent.error());
  std::string answer;
  std::array<std::byte, 4'096> room;
  while (answer.size() < kAnswerMost) {
    Later<Result<size_t>> got;
    transport.read(room, deadline, got.callback());
    const auto bytes = co_await got;
    if (!bytes && answer.find(kEndOfHead) == std::string::npos) co_return fail(bytes.error());
    if (!bytes || *bytes == 0) break;
    answer.append(reinterpret_cast<const char*>(room.data()), *bytes);
    const auto whole = whole_size(answer);
    if (whole && answer.size() >= *whole) break;
  }
  co_return read_answer(answer, to.text());
}

}  // namespace

std::string HttpUrl::authority() const {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return is_ipv6 ? fmt::format("[{}]:{}", host, port) : fmt::format("{}:{}", host, port);
}

std::optional<HttpUrl> read_http_url(std::string_view text) {
  constexpr std::string_view kScheme = "http://";
  if (!text.starts_with(kScheme)) return std::nullopt;
  text.remove_prefix(kScheme.size());
  const size_t end = std::min(text.find_first_of("/?#"), text.size());
  std::string_view authority = text.substr(0, end);
  HttpUrl out{.path = std::string(text.substr(end, text.find('#', end) - end))};
  if (!out.path.starts_with('/')) out.path.insert(0, "/");
  const size_t colon = authority.rfind(':');
  if (colon != std::string_view::npos && authority.find(']', colon) == std::string_view::npos) {
    const auto port = number_of(authority.substr(colon + 1));
    if (!port || *port == 0 || *port > 65'535) return std::nullopt;
    out.port = static_cast<uint16_t>(*port);
    authority = authority.substr(0, colon);
  }
  if (authority.starts_with('[') && authority.ends_with(']')) {
    authority = authority.substr(1, authority.size() - 2);
  }
  if (authority.empty()) return std::nullopt;
  out.host = authority;
  return out;
}

Result<HttpAnswer> http_post(Network& network, const HttpPost& post, Instant deadline,
                             const std::function<bool()>& stop) {
  Async<Result<HttpAnswer>> answer = exchange(network, post, deadline);
  answer.start();
  while (!answer.done()) {
    if (stop()) return fail(Fault::io, "the daemon stops");
    (void)network.run_some(network.now() + kStopUnseen);
  }
  return answer.take();
}

std::string basic_authorization(std::string_view user, std::string_view password) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string plain = fmt::format("{}:{}", user, password);
  std::string out = "Basic ";
  for (size_t at = 0; at < plain.size(); at += 3) {
    uint32_t bits = 0;
    for (size_t i = 0; i < 3; ++i) {
      bits = bits << 8 | (at + i < plain.size() ? static_cast<uint8_t>(plain[at + i]) : 0U);
    }
    for (size_t i = 0; i < 4; ++i) {
      out += at + i > plain.size() ? '=' : kDigits[bits >> (18 - 6 * i) & 63];
    }
  }
  return out;
}

}  // namespace pmjit
