// pmdaRoot…: the agent root, asked over its unix socket. Its messages are the machine's own words:
// type, length, status, version, then what the type has. Both ends run on one machine. Source: spec
// collector-and-agents.md §2.11, and what PCP 6.0.3 sends.
#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <optional>

#include "agent/pmda/agent_state.h"

using namespace pmjit;

namespace {

enum RootType : uint32_t {
  kInfo = 0x9000,
  kHostName = 0x9001,  // the answer is the next number
  kProcessId = 0x9003,
  kControlGroup = 0x9005,
  kStart = 0x9007,
  kStop = 0x9009,
};
constexpr uint32_t kRootVersion = 2;
constexpr uint32_t kMessageBytesMax = 64u << 10;
constexpr size_t kLabelBytes = 64;

struct RootHead {
  uint32_t type = 0, bytes = 0;
  int32_t status = 0;
  uint32_t version = kRootVersion;
};

struct RootAnswer {
  std::vector<char> body;  // behind the head
  std::array<int, 2> descriptors = {-1, -1};

  [[nodiscard]] int32_t word(size_t index) const {
    int32_t out = 0;
    if ((index + 1) * sizeof out <= body.size()) {
      std::memcpy(&out, body.data() + index * sizeof out, sizeof out);
    }
    return out;
  }
  void close_descriptors() {
    for (int& fd : descriptors) {
      if (fd >= 0) ::close(fd);
      fd = -1;
    }
  }
};

class RootMessage {
 public:
  explicit RootMessage(uint32_t type) : type_(type) {}
  RootMessage& word(int32_t value) { return text({reinterpret_cast<char*>(&value), sizeof value}); }
  RootMessage& text(std::string_view text) {
    body_.append(text);
    return *this;
  }
  // 0, or a negative errno.
  int send(int fd) const {
    const RootHead head{.type = type_,
                        .bytes = static_cast<uint32_t>(sizeof(RootHead) + body_.size())};
    std::string out(reinterpret_cast<const char*>(&head), sizeof head);
    out += body_;
    for (std::string_view left = out; !left.empty();) {
      const ssize_t sent = ::send(fd, left.data(), left.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent < 0) return -errno;
      left.remove_prefix(static_cast<size_t>(sent));
    }
    return 0;
  }

 private:
  uint32_t type_;
  std::string body_;
};

// Reads `bytes` whole; descriptors that come with them are kept. A negative code where that fails.
int receive_bytes(int fd, char* out, size_t bytes, RootAnswer& answer) {
  while (bytes > 0) {
    alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> room{};
    iovec part{.iov_base = out, .iov_len = bytes};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room.data();
    message.msg_controllen = room.size();
    const ssize_t got = ::recvmsg(fd, &message, MSG_CMSG_CLOEXEC);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return -errno;
    for (cmsghdr* at = CMSG_FIRSTHDR(&message); at != nullptr; at = CMSG_NXTHDR(&message, at)) {
      if (at->cmsg_level != SOL_SOCKET || at->cmsg_type != SCM_RIGHTS) continue;
      const size_t count = std::min<size_t>((at->cmsg_len - CMSG_LEN(0)) / sizeof(int), 2);
      answer.close_descriptors();
      std::memcpy(answer.descriptors.data(), CMSG_DATA(at), count * sizeof(int));
    }
    if (got == 0) return PM_ERR_IPC;
    out += got;
    bytes -= static_cast<size_t>(got);
  }
  return 0;
}

// The status of the answer, or why there is none.
int receive(int fd, uint32_t type, RootAnswer& answer) {
  RootHead head;
  int status = receive_bytes(fd, reinterpret_cast<char*>(&head), sizeof head, answer);
  if (status < 0) return status;
  if (head.type != type || head.bytes < sizeof head || head.bytes > kMessageBytesMax) {
    return PM_ERR_IPC;
  }
  if (head.version != kRootVersion) return -ENOTSUP;
  answer.body.resize(head.bytes - sizeof head);
  status = receive_bytes(fd, answer.body.data(), answer.body.size(), answer);
  return status < 0 ? status : std::min(head.status, 0);
}

int ask(int fd, const RootMessage& request, uint32_t type, RootAnswer& answer) {
  if (fd < 0) return -ENOTCONN;
  const int status = request.send(fd);
  return status < 0 ? status : receive(fd, type + 1, answer);
}

std::optional<std::string_view> text_of(const char* text, int bytes) {
  if (text == nullptr || bytes < 0) return std::nullopt;
  return std::string_view(text, strnlen(text, static_cast<size_t>(bytes)));
}

int ask_of_container(int fd, uint32_t type, const char* name, int bytes, RootAnswer& answer) {
  const auto container = text_of(name, bytes);
  if (!container || container->size() > kMessageBytesMax / 2) return -EINVAL;
  RootMessage request(type);
  request.word(0).word(static_cast<int32_t>(container->size())).text(*container);
  return ask(fd, request, type, answer);
}

// The number of its bytes.
int text_of_container(int fd, uint32_t type, const char* name, int bytes, char* out, int room) {
  if (out == nullptr || room < 1) return -EINVAL;
  return at_c_border([&] {
    RootAnswer answer;
    const int status = ask_of_container(fd, type, name, bytes, answer);
    if (status < 0) return status;
    const size_t begin = 2 * sizeof(int32_t);
    const auto claimed = static_cast<size_t>(std::max(answer.word(1), 0));
    if (answer.body.size() < begin + claimed) return PM_ERR_IPC;
    const size_t fits = std::min(claimed, static_cast<size_t>(room) - 1);
    std::memcpy(out, answer.body.data() + begin, fits);
    out[fits] = '\0';
    return static_cast<int>(fits);
  });
}

int stop_process(int fd, int pid, bool force, int* status_of_it) {
  return at_c_border([&] {
    RootMessage request(kStop);
    request.word(pid).word(0).word(force ? 1 : 0).word(0);
    RootAnswer answer;
    const int status = ask(fd, request, kStop, answer);
    if (status < 0) return status;
    if (status_of_it != nullptr) *status_of_it = answer.word(1);
    return answer.word(0);
  });
}

int connect_to(const std::string& path) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (path.size() >= sizeof at.sun_path) return -ENAMETOOLONG;
  std::memcpy(at.sun_path, path.data(), path.size());
  const int fd = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return -errno;
  if (::connect(fd, reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0) return fd;
  const int code = -errno;
  ::close(fd);
  return code;
}

}  // namespace

int pmdaRootConnect(const char* path) {
  return at_c_border([&] {
    std::string place = path == nullptr ? "" : path;
    if (path == nullptr) {
      const char* root = pmGetOptionalConfig("PCP_VAR_DIR");
      place = fmt::format("{}/pmcd/root.socket", root == nullptr ? "" : root);
    }
    const int fd = connect_to(place);
    if (fd < 0) return fd;
    // It says first what it can do.
    RootAnswer hello;
    const int status = receive(fd, kInfo, hello);
    hello.close_descriptors();
    if (status >= 0) return fd;
    pmNotifyErr(LOG_ERR, "pmdaRootConnect: cannot verify %s server: %s", place.c_str(),
                ErrorText(status).text);
    ::close(fd);
    return status;
  });
}

void pmdaRootShutdown(int fd) {
  if (fd < 0) return;
  ::shutdown(fd, SHUT_RDWR);
  ::close(fd);
}

int pmdaRootContainerHostName(int fd, const char* name, int bytes, char* out, int room) {
  return text_of_container(fd, kHostName, name, bytes, out, room);
}
int pmdaRootContainerCGroupName(int fd, const char* name, int bytes, char* out, int room) {
  return text_of_container(fd, kControlGroup, name, bytes, out, room);
}
int pmdaRootContainerProcessID(int fd, const char* name, int bytes) {
  return at_c_border([&] {
    RootAnswer answer;
    const int status = ask_of_container(fd, kProcessId, name, bytes, answer);
    return status < 0 ? status : answer.word(0);
  });
}

int pmdaRootProcessStart(int fd, int channel, const char* label, int label_bytes,
                         const char* command, int command_bytes, int* pid, int* in, int* out) {
  return at_c_border([&] {
    const auto name = text_of(label, label_bytes), words = text_of(command, command_bytes);
    if (!name || !words || pid == nullptr || in == nullptr || out == nullptr) return -EINVAL;
    if (words->size() > kMessageBytesMax / 2) return -E2BIG;
    std::string shown(name->substr(0, kLabelBytes - 1));
    RootMessage request(kStart);
    request.word(0).word(0).word(0).word(channel);
    request.word(static_cast<int32_t>(shown.size())).word(static_cast<int32_t>(words->size()));
    shown.resize(kLabelBytes);
    request.text(shown).text(*words);
    RootAnswer answer;
    const int status = ask(fd, request, kStart, answer);
    if (status < 0) {
      answer.close_descriptors();
      return status;
    }
    *pid = answer.word(0);
    *in = answer.descriptors[0];
    *out = answer.descriptors[1];
    return 0;
  });
}

int pmdaRootProcessWait(int fd, int pid, int* status) {
  return stop_process(fd, pid, false, status);
}

int pmdaRootProcessTerminate(int fd, int pid) {
  const int stopped = stop_process(fd, pid, true, nullptr);
  return std::min(stopped, 0);
}
