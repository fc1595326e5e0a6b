#include "rules/cmd/rule_files.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <istream>
#include <iterator>

#include "compiler/strict_rules/rule_file.h"
#include "rules/cmd/interrupt.h"

namespace pmjit::pmie {

std::string read_to_end(int fd) {
  constexpr int kLongestUnseen = 50;  // milliseconds that a signal may be
  std::string out;
  std::array<char, 65536> room{};
  while (interrupted() == 0) {
    pollfd ready{.fd = fd, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, kLongestUnseen) <= 0) continue;
    const ssize_t got = ::read(fd, room.data(), room.size());
    if (got < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (got <= 0) break;
    out.append(room.data(), static_cast<size_t>(got));
  }
  return out;
}

// What the pragma of a file says decides who reads it.
Result<RuleFileText> taken_rules(RuleFileText file) {
  const SourceText source{.name = file.name.empty() ? "<stdin>" : file.name, .text = file.text};
  Diags diags;
  file.strict = strict::says_strict(source, diags);
  if (diags.has_errors()) return fail(Error(Fault::usage, render_all(diags, source)));
  return file;
}

std::string rule_folder() {
  const char* const var = std::getenv("PCP_VAR_DIR");
  return fmt::format("{}/config/pmie", var != nullptr ? var : "/var/lib/pcp");
}

std::string rule_path(const std::string& file) {
  if (file.starts_with('/') || access(file.c_str(), F_OK) == 0) return file;
  std::string other = fmt::format("{}/{}", rule_folder(), file);
  return access(other.c_str(), F_OK) == 0 ? other : file;
}

Result<RuleFileText> find_rule_file(const std::string& file, std::istream* typed) {
  if (file.empty() && typed != nullptr) {
    return taken_rules({.name = {}, .text = {std::istreambuf_iterator<char>(*typed), {}}});
  }
  if (file.empty()) return taken_rules({.name = {}, .text = read_to_end(STDIN_FILENO)});
  std::string path = file;
  if (access(path.c_str(), F_OK) != 0) {
    const std::string reason = std::strerror(errno);
    const bool absolute = file.front() == '/';
    const std::string other = fmt::format("{}/{}", rule_folder(), file);
    if (absolute || access(other.c_str(), F_OK) != 0) {
      const std::string where = absolute ? file : fmt::format("as either {} or {}", file, other);
      return fail(
          Error(Fault::not_found, fmt::format("cannot access config file {}: {}", where, reason))
              .help("is the name right?"));
    }
    path = other;
  }
  std::error_code unknown;
  const bool folder = std::filesystem::is_directory(path, unknown);
  // A pipe that nobody writes to yet is opened all the same.
  const int fd = ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) {
    return fail(
        Error(Fault::io, fmt::format("cannot open config file {}: {}", path, std::strerror(errno)))
            .help("may it be read?"));
  }
  std::string text = folder ? "" : read_to_end(fd);
  ::close(fd);
  if (folder) return RuleFileText{.name = path, .folder = true};
  return taken_rules({.name = path, .text = std::move(text)});
}

}  // namespace pmjit::pmie
