#include "runtime/client/user_console.h"

#include <fcntl.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace pmjit {

namespace {

class OpenConsole {
 public:
  explicit OpenConsole(const char* path) : fd_(::open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)) {}
  ~OpenConsole() {
    if (hides_) (void)::tcsetattr(fd_, TCSAFLUSH, &before_);
    if (fd_ >= 0) ::close(fd_);
  }
  OpenConsole(const OpenConsole&) = delete;
  OpenConsole& operator=(const OpenConsole&) = delete;

  [[nodiscard]] bool is_open() const { return fd_ >= 0; }

  // `is_stopped_here`: an interrupt would end the program, and leave the terminal without its echo;
  // so it is a character that line() takes for giving up.
  void hide_input(bool is_stopped_here) {
    if (::tcgetattr(fd_, &before_) != 0) return;
    termios hidden = before_;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO | (is_stopped_here ? ISIG : 0));
    if (is_stopped_here) hidden.c_cc[VEOL] = before_.c_cc[VINTR];  // it is there without a newline
    hides_ = ::tcsetattr(fd_, TCSAFLUSH, &hidden) == 0;
  }

  void say(std::string_view text) const {
    while (!text.empty()) {
      const ssize_t written = ::write(fd_, text.data(), text.size());
      if (written <= 0) return;
      text.remove_prefix(static_cast<size_t>(written));
    }
  }

  [[nodiscard]] std::optional<std::string> line(const std::function<bool()>& stop) const {
    std::string out;
    while (out.size() < kLineMax) {
      pollfd waiting{.fd = fd_, .events = POLLIN, .revents = 0};
      const int ready = ::poll(&waiting, 1, kStopUnseenMs);
      if (stop && stop()) return std::nullopt;
      if (ready < 0 && errno != EINTR) return std::nullopt;
      if (ready <= 0) continue;
      char c = 0;
      if (::read(fd_, &c, 1) != 1) return std::nullopt;
      if (c == '\n') return out;
      if (hides_ && c == static_cast<char>(before_.c_cc[VINTR])) return std::nullopt;
      out += c;
    }
    return std::nullopt;
  }

 private:
  static constexpr size_t kLineMax = 1'024;
  static constexpr int kStopUnseenMs = 100;

  int fd_;
  termios before_{};
  bool hides_ = false;
};

}  // namespace

AskUser ask_on_console(std::function<bool()> stop) {
  return [stop = std::move(stop)](const std::string& prompt,
                                  bool is_secret) -> std::optional<std::string> {
    const char* const named = std::getenv("PCP_CONSOLE");
    if (named != nullptr && std::string_view(named) == "none") return std::nullopt;
    OpenConsole console(named != nullptr ? named : "/dev/tty");
    if (!console.is_open()) return std::nullopt;
    if (is_secret) console.hide_input(!stop);
    console.say(prompt);
    auto out = console.line(stop);
    if (is_secret) console.say("\n");
    return out;
  };
}

}  // namespace pmjit
