#include "rules/cmd/zone_option.h"

namespace pmjit {

Result<Zone> ZoneOption::zone(const std::string& host_zone) const {
  if (!host) return name.empty() ? Zone() : known_zone(name);
  if (!host_zone.empty()) return Zone(host_zone);
  return fail(
      Error(Fault::usage, "the archive does not say its time zone").help("name one with -Z"));
}

CommandOption zone_option(ZoneOption& option, const std::string& what) {
  return {.names = "-Z,--timezone", .target = &option.name, .value = "TZ", .what = what};
}

CommandOption host_zone_option(ZoneOption& option) {
  return {.names = "-z,--hostzone",
          .target = &option.host,
          .what = "the same: the zone of the archive's host",
          .excludes = {"--timezone"}};
}

}  // namespace pmjit
