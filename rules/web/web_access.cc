#include "rules/web/web_access.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>

namespace pmjit {

namespace {

constexpr size_t kTokenBytes = 32, kTokenMost = 4'096;

Error token_error(const std::string& path, int code) {
  return Error(Fault::io, std::strerror(code))
      .at("token", path)
      .help(
          "[daemon] run names a folder that the daemon may write; [http] token_file a file that "
          "it may read");
}

bool is_number(std::string_view host) {
  return std::ranges::all_of(host, [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || c == '.' || c == ':';
  });
}

}  // namespace

bool bears_token(std::string_view authorization, std::string_view token) {
  constexpr std::string_view kBearer = "Bearer ";
  if (token.empty() || !authorization.starts_with(kBearer)) return false;
  const std::string_view given = authorization.substr(kBearer.size());
  uint32_t differs = given.size() == token.size() ? 0 : 1;
  for (size_t i = 0; i < given.size(); ++i) {
    differs |= static_cast<uint8_t>(given[i]) ^ static_cast<uint8_t>(token[i % token.size()]);
  }
  return differs == 0;
}

Result<std::string> make_token_file(const std::string& path) {
  std::array<uint8_t, kTokenBytes> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return fail(token_error(path, errno));
  }
  std::string token;
  for (const uint8_t byte : random) token += fmt::format("{:02x}", byte);
  ::unlink(path.c_str());
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return fail(token_error(path, errno));
  const std::string line = token + '\n';
  const ssize_t written = ::write(file, line.data(), line.size());
  ::close(file);
  if (written != static_cast<ssize_t>(line.size())) return fail(token_error(path, ENOSPC));
  return token;
}

Result<std::string> read_token_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return fail(token_error(path, errno));
  std::string out(kTokenMost, '\0');
  const ssize_t got = ::read(file, out.data(), out.size());
  const int code = errno;
  ::close(file);
  if (got < 0) return fail(token_error(path, code));
  out.resize(static_cast<size_t>(got));
  if (out.ends_with('\n')) out.pop_back();
  return out;
}

bool host_is_ours(std::string_view host, std::span<const std::string> names) {
  if (host.starts_with('[')) {
    host = host.substr(1, host.find(']') - 1);
  } else {
    host = host.substr(0, host.find(':'));
  }
  if (host == "localhost" || (!host.empty() && is_number(host))) return true;
  return std::ranges::find(names, host) != names.end();
}

}  // namespace pmjit
