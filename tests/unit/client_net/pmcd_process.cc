#include "tests/unit/client_net/pmcd_process.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string_view>

namespace pmjit::test {
namespace {

constexpr std::string_view kDaemon = "/usr/lib/pcp/bin/pmcd";
constexpr std::array kNameSpaces{"/var/lib/pcp/pmns/root_linux", "/var/lib/pcp/pmns/root_pmcd",
                                 "/var/lib/pcp/pmdas/sample/pmns"};

sockaddr_in loopback(uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

uint16_t free_port() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = loopback(0);
  socklen_t size = sizeof address;
  (void)::bind(fd, reinterpret_cast<const sockaddr*>(&address), size);
  (void)::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

bool accepts(uint16_t port) {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  const sockaddr_in address = loopback(port);
  const bool out = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return out;
}

bool accepts(const std::string& socket) {
  const int fd = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::ranges::copy(socket, address.sun_path);
  const bool out = ::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  ::close(fd);
  return out;
}

std::string contents(const char* path) {
  std::stringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

// The installed parts have roots of their own; one root names what they name.
std::string name_space() {
  std::string roots = "sample\n", rest;
  const std::regex root(R"((^|\n)root\s*\{([^}]*)\})");
  for (const char* path : kNameSpaces) {
    std::string text = contents(path);
    std::smatch found;
    if (std::regex_search(text, found, root)) {
      roots += found[2].str();
      text = found.prefix().str() + "\n" + found.suffix().str();
    }
    rest += text;
  }
  return "#define SAMPLE 29\n#define LINUX 60\nroot {\n" + roots + "}\n" + rest;
}

}  // namespace

PmcdProcess::PmcdProcess() {
  const char* wanted = std::getenv("PMJIT_ORACLE");
  if (wanted == nullptr || std::string_view(wanted) != "1") {
    why_ = "PMJIT_ORACLE is not 1";
  } else if (!std::filesystem::exists(kDaemon)) {
    why_ = "pmcd is not installed";
  } else if (!write_configuration()) {
    why_ = "no temporary folder";
  } else {
    port_ = free_port();
    start();
  }
}

PmcdProcess::~PmcdProcess() {
  if (runs()) kill();
  std::error_code ignored;
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

bool PmcdProcess::write_configuration() {
  std::string name = (std::filesystem::temp_directory_path() / "pmjit_pmcd.XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr) return false;
  folder_ = name;
  std::ofstream(folder_ + "/pmcd.conf")
      << "pmcd 2 dso pmcd_init /var/lib/pcp/pmdas/pmcd/pmda_pmcd.so\n"
         "linux 60 dso linux_init /var/lib/pcp/pmdas/linux/pmda_linux.so\n"
         "sample 29 dso sample_init /var/lib/pcp/pmdas/sample/pmda_sample.so\n";
  std::ofstream(folder_ + "/root") << name_space();
  return true;
}

void PmcdProcess::start() {
  pid_ = fork();
  if (pid_ == 0) {
    setenv("PCP_RUN_DIR", folder_.c_str(), 1);
    setenv("PMCD_ROOT_AGENT", "0", 1);
    const int null = ::open("/dev/null", O_RDWR);
    dup2(null, 1);
    dup2(null, 2);
    const std::string conf = folder_ + "/pmcd.conf", root = folder_ + "/root",
                      log = folder_ + "/pmcd.log", path = socket(), port = std::to_string(port_);
    execl(kDaemon.data(), "pmcd", "-f", "-A", "-c", conf.c_str(), "-n", root.c_str(), "-p",
          port.c_str(), "-i", "127.0.0.1", "-s", path.c_str(), "-l", log.c_str(), "-U",
          getuid() == 0 ? "root" : getenv("USER"), nullptr);
    _exit(127);
  }
  // It listens at its port first.
  for (int tries = 0; tries < 100 && !(accepts(port_) && accepts(socket())); ++tries) {
    usleep(100'000);
  }
  if (waitpid(pid_, nullptr, WNOHANG) != 0) {
    pid_ = 0;
    why_ = "pmcd does not start: " + contents((folder_ + "/pmcd.log").c_str());
  }
}

void PmcdProcess::kill() {
  ::kill(pid_, SIGKILL);
  waitpid(pid_, nullptr, 0);
  pid_ = 0;
  ::unlink(socket().c_str());  // which the next one cannot take over
}

void PmcdProcess::freeze() { ::kill(pid_, SIGSTOP); }
void PmcdProcess::thaw() { ::kill(pid_, SIGCONT); }

std::string PmcdProcess::tool(const std::string& command) const {
  const size_t blank = command.find(' ');
  const std::string line = "PCP_DERIVED_CONFIG= " + command.substr(0, blank) + " -h " + spec() +
                           (blank == std::string::npos ? "" : command.substr(blank)) + " 2>&1";
  FILE* const pipe = popen(line.c_str(), "r");
  std::string out;
  std::array<char, 4096> part{};
  while (const size_t got = fread(part.data(), 1, part.size(), pipe)) out.append(part.data(), got);
  pclose(pipe);
  return out;
}

}  // namespace pmjit::test
