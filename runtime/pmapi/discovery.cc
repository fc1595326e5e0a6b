// Services in reach. Source: spec pmapi.md §22.
#include <string_view>

#include "runtime/pmapi/border.h"

// Nobody is looked for yet: nothing is found, as on a network without services.
int pmDiscoverServices(const char* service, const char* mechanism, char*** urls) {
  if (service == nullptr || urls == nullptr) return -EINVAL;
  const std::string_view name = service;
  const bool known = name == PM_SERVER_SERVICE_SPEC || name == PM_SERVER_PROXY_SPEC ||
                     name == PM_SERVER_WEBAPI_SPEC;
  if (!known && mechanism != nullptr) return -EOPNOTSUPP;
  *urls = nullptr;
  return 0;
}
