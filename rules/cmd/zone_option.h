// -Z and -z: the zone in which a verb reads and shows times.
#pragma once

#include <string>

#include "rules/cmd/command.h"
#include "runtime/text/zone.h"

namespace pmjit {

struct ZoneOption {
  std::string name;
  bool host = false;  // that of the archive's host

  [[nodiscard]] bool given() const { return host || !name.empty(); }
  // `host_zone` is what the archive says of its host. Fault::usage: it says nothing, or there is no
  // such zone. Nothing given: Zone().
  [[nodiscard]] Result<Zone> zone(const std::string& host_zone) const;
};

// A warning where nothing is given and $TZ is no zone: times are in UTC. Once, as a verb begins.
void warn_of_zone(const ZoneOption& option);

// `what` says of which times.
[[nodiscard]] CommandOption zone_option(ZoneOption& option, const std::string& what);
[[nodiscard]] CommandOption host_zone_option(ZoneOption& option);

}  // namespace pmjit
