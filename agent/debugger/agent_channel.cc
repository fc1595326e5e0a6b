#include "agent/debugger/agent_channel.h"

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <system_error>
#include <utility>

#include "agent/collector/agent_process.h"
#include "runtime/base/byte_writer.h"
#include "runtime/base/module_file.h"
#include "runtime/wire/codec.h"

namespace pmjit {

namespace {

constexpr wire::Channel kDebuggedAgent{.route = wire::Route::agent_to_collector,
                                       .features = wire::kPlainFeatures};

std::string errno_text(int error) { return std::generic_category().message(error); }

// What the host of a shared object says, in the words of dbpmda.
std::string object_refusal(std::string_view said, const std::string& path,
                           const std::string& entry) {
  const auto behind = [&](std::string_view mark) {
    const size_t at = said.find(mark);
    return at == said.npos ? std::string() : std::string(said.substr(at + mark.size()));
  };
  if (said.starts_with("Couldn't find init function")) {
    return fmt::format("Error: couldn't find init function \"{}\" in DSO \"{}\"\n", entry, path);
  }
  if (said.starts_with("Initialization routine")) {
    return fmt::format("Error: initialization routine \"{}\" failed in DSO \"{}\": {}\n", entry,
                       path, behind(" failed: "));
  }
  if (said.starts_with("Unknown PMDA interface version")) {
    const std::string number = behind("(");
    return fmt::format("Error: Unsupported PMDA interface version {} returned by DSO \"{}\"\n",
                       number.substr(0, number.find(')')), path);
  }
  if (said.starts_with("Error attaching")) {
    return fmt::format("Error attaching DSO \"{}\"\n{}\n\n", path, behind("\n"));
  }
  return fmt::format("Error: {}\n", said);
}

}  // namespace

std::string AgentChannel::start(const std::vector<std::string>& command) {
  AgentPipe to_agent, from_agent;
  int error = to_agent.open();
  if (error == 0) error = from_agent.open();
  if (error == 0) error = spawn_agent(command, to_agent.read, from_agent.write, process_);
  if (error != 0) {
    to_agent.close_all();
    from_agent.close_all();
    return fmt::format("openpmda: {}: {}\n", command.front(), errno_text(error));
  }
  ::close(std::exchange(to_agent.read, -1));
  ::close(std::exchange(from_agent.write, -1));
  read_ = from_agent.read;
  write_ = to_agent.write;
  begin();
  return {};
}

std::string AgentChannel::open_pipe(const std::vector<std::string>& command,
                                    std::chrono::seconds patience) {
  path_ = command.front();
  if (::access(path_.c_str(), F_OK) != 0) {
    return fmt::format("openpmda: stat {} failed: {}\n", path_, errno_text(errno));
  }
  if (std::string failure = start(command); !failure.empty()) return failure;
  return greet(patience);
}

std::string AgentChannel::connect_to(int socket, const void* address, uint32_t bytes,
                                     const std::string& what) {
  if (socket < 0) return fmt::format("opensocket: socket: {}\n", errno_text(errno));
  if (::connect(socket, static_cast<const sockaddr*>(address), bytes) != 0) {
    const int error = errno;
    ::close(socket);
    return fmt::format("opensocket: {}: {}\n", what, errno_text(error));
  }
  read_ = socket;
  write_ = socket;
  begin();
  return {};
}

std::string AgentChannel::open_unix(const std::string& path, std::chrono::seconds patience) {
  path_ = path;
  sockaddr_un address{.sun_family = AF_UNIX, .sun_path = {}};
  if (path.size() >= sizeof address.sun_path) {
    return fmt::format("opensocket: {}: {}\n", path, errno_text(ENAMETOOLONG));
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string failure = connect_to(socket, &address, sizeof address, path);
  return failure.empty() ? greet(patience) : failure;
}

std::string AgentChannel::open_inet(int family, const std::string& port,
                                    std::chrono::seconds patience) {
  path_ = port;
  addrinfo wanted{};
  wanted.ai_family = family;
  wanted.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(nullptr, port.c_str(), &wanted, &found);
  if (error != 0) return fmt::format("opensocket: {}: {}\n", port, ::gai_strerror(error));
  const int socket = ::socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  std::string failure = connect_to(socket, found->ai_addr, found->ai_addrlen, "connect");
  ::freeaddrinfo(found);
  return failure.empty() ? greet(patience) : failure;
}

std::string AgentChannel::open_object(const std::string& path, const std::string& entry,
                                      uint32_t domain, std::chrono::seconds patience) {
  constexpr ModuleFile kObjectHost{.file = "pmjit-pmda-host",
                                   .symbol = "",
                                   .variable = "PMJIT_PMDA_HOST",
                                   .what = "program that runs agents which are shared objects"};
  path_ = path;
  if (::access(path.c_str(), F_OK) != 0) {
    return fmt::format("opendso: {}: {}\n", path, errno_text(errno));
  }
  const auto host = find_module(kObjectHost);
  if (!host) return host.error().text() + "\n";
  const std::vector<std::string> command{*host, "dbpmda", fmt::format("{}", domain), entry, path};
  if (std::string failure = start(command); !failure.empty()) return failure;
  const auto word = receive();
  if (const auto* const refusal = word ? std::get_if<wire::TextMessage>(&*word) : nullptr) {
    std::string said = object_refusal(refusal->text, path, entry);
    close();
    return said;
  }
  const auto* const opened = word ? std::get_if<wire::ErrorMessage>(&*word) : nullptr;
  if (opened == nullptr || opened->code <= 0) {
    close();
    return fmt::format("Error: DSO \"{}\" has ended as it was opened\n", path);
  }
  interface_ = opened->code;
  return greet(patience);
}

bool AgentChannel::readable_within(std::chrono::milliseconds time) const {
  pollfd waiting{.fd = read_, .events = POLLIN, .revents = 0};
  return ::poll(&waiting, 1, static_cast<int>(time.count())) > 0;
}

std::string AgentChannel::greet(std::chrono::seconds patience) {
  const std::string silent = fmt::format(
      "Warning: no version exchange with PMDA {} after {} secs\n", path_, patience.count());
  // The greeting of an object may have come with the word of its host.
  if (!is_object() && !readable_within(patience)) return silent;
  const auto greeting = receive();
  const auto* const creds = greeting ? std::get_if<wire::CredsMessage>(&*greeting) : nullptr;
  if (creds == nullptr) {
    return fmt::format("pmdaversion: expecting PDU_CREDS, got EOF\n{}", silent);
  }
  const auto version = wire::version_of(*creds);
  if (!version || version->version == 0) return {};
  wire::Credential answer;
  if (version->wishes.has(wire::Feature::auth)) {
    answer.wishes = wire::FeatureSet{wire::Feature::auth};
  }
  if (send_from(::getpid(), wire::CredsMessage{.credentials = {answer}})) return {};
  close();
  return fmt::format("Error: PMDA {} takes no answer to its greeting\n", path_);
}

void AgentChannel::close() {
  if (write_ >= 0 && write_ != read_) ::close(write_);
  if (read_ >= 0) ::close(read_);
  read_ = write_ = -1;
  interface_ = 0;
  // Agents end when their pipe is closed. One that does not gets SIGTERM.
  const pid_t process = std::exchange(process_, 0);
  for (int tries = 0; process > 0 && tries < 50; ++tries) {
    if (::waitpid(process, nullptr, WNOHANG) != 0) return;
    clock_.wait_until(clock_.now() + std::chrono::milliseconds(10));
  }
  if (process > 0) {
    ::kill(process, SIGTERM);
    ::waitpid(process, nullptr, 0);
  }
}

bool AgentChannel::send_from(int32_t from, const wire::PduBody& body) {
  ByteWriter out;
  wire::encode({.from = from, .body = body}, out);
  return send_bytes(Bytes(out.written()));
}

bool AgentChannel::send_bytes(Bytes left) {
  while (!left.empty()) {
    const ssize_t sent = ::write(write_, left.data(), left.size());
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    left = left.subspan(static_cast<size_t>(sent));
  }
  return true;
}

std::optional<wire::PduBody> AgentChannel::receive() {
  for (;;) {
    const auto frame = framer_->next();
    if (!frame) return {};
    if (*frame) {
      auto pdu = wire::decode((*frame)->bytes, kDebuggedAgent);
      if (!pdu) return {};
      return std::move(pdu->body);
    }
    const auto room = framer_->room();
    const ssize_t got = ::read(read_, room.data(), room.size());
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return {};
    framer_->filled(static_cast<size_t>(got));
  }
}

}  // namespace pmjit
