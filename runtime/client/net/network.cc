#include "runtime/client/net/network.h"

#include <fmt/format.h>

namespace pmjit {

std::string Endpoint::text() const {
  if (is_unix()) return fmt::format("unix:{}", unix_path);
  if (host.find(':') != std::string::npos) return fmt::format("[{}]:{}", host, port);
  return fmt::format("{}:{}", host, port);
}

}  // namespace pmjit
