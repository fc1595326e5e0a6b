#include "runtime/base/local_host.h"

#include <unistd.h>

#include <array>
#include <climits>
#include <fstream>

namespace pmjit {

namespace {

std::string line_of(const char* path) {
  std::ifstream file(path);
  std::string out;
  std::getline(file, out);
  return out;
}

}  // namespace

std::string local_host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : std::string();
}

// The kernel writes "(none)" where nobody has named the domain.
std::string local_domain_name() {
  std::string out = line_of("/proc/sys/kernel/domainname");
  return out.empty() || out == "(none)" ? "localdomain" : out;
}

std::string local_machine_id() { return line_of("/etc/machine-id"); }

}  // namespace pmjit
