#include "rules/cmd/zone_option.h"

#include <CLI/CLI.hpp>

namespace pmjit {

Result<Zone> ZoneOption::zone(const std::string& host_zone) const {
  if (!host) return name.empty() ? Zone() : known_zone(name);
  if (!host_zone.empty()) return Zone(host_zone);
  return fail(
      Error(Fault::usage, "the archive does not say its time zone").help("name one with -Z"));
}

void add_zone_option(CLI::App& verb, ZoneOption& option, const std::string& what) {
  auto* zone = verb.add_option("-Z,--timezone", option.name, what)->type_name("TZ");
  verb.add_flag("-z,--hostzone", option.host, "the same: the zone of the archive's host")
      ->excludes(zone);
}

}  // namespace pmjit
