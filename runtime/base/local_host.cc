#include "runtime/base/local_host.h"

#include <unistd.h>

#include <array>
#include <climits>

namespace pmjit {

std::string local_host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : std::string();
}

}  // namespace pmjit
