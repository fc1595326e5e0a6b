#include "rules/cmd/zone_option.h"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "rules/cmd/common.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

Result<Zone> zone_of_user(const std::string& name) {
  auto zone = known_zone(name);
  if (zone) return zone;
  const auto nearest = nearest_zone(name);
  if (!nearest) return zone;
  const bool east = nearest->starts_with("UTC-");
  return fail(Error(zone.error())
                  .help(near_names_text({*nearest}) +
                        (east ? " East of UTC the name of a zone has a minus sign" : "")));
}

// UTC+1, which many take for one hour east.
void note_direction(const std::string& name) {
  constexpr size_t kSign = 3;
  const bool counts = name.size() > kSign + 1 &&
                      (name.starts_with("UTC") || name.starts_with("GMT")) &&
                      (name[kSign] == '+' || name[kSign] == '-') &&
                      name.find_first_not_of("0123456789:", kSign + 1) == name.npos;
  if (!counts || !known_zone(name)) return;
  const bool west = name[kSign] == '+';
  std::string other = name;
  other[kSign] = west ? '-' : '+';
  complain(fmt::format("note: -Z {} is {} of UTC, as $TZ has it; {} is {}", name,
                       west ? "west" : "east", other, west ? "east" : "west"));
}

}  // namespace

Result<Zone> ZoneOption::zone(const std::string& host_zone) const {
  if (!host) return name.empty() ? Zone() : zone_of_user(name);
  if (!host_zone.empty()) return Zone(host_zone);
  return fail(Error(Fault::usage, "it is not known in which time zone the host is")
                  .help("name one with -Z"));
}

void warn_of_zone(const ZoneOption& option) {
  note_direction(option.name);
  const char* const value = std::getenv("TZ");
  if (option.given() || value == nullptr || is_zone_of_environment(value)) return;
  const auto nearest = nearest_zone(value);
  complain(fmt::format(
      "warning: there is no time zone {}, which $TZ names: times are in UTC\n  help: {}", value,
      nearest ? near_names_text({*nearest}) : "name one with -Z, such as Europe/Berlin or CET-1"));
}

CommandOption zone_option(ZoneOption& option, const std::string& what) {
  return {.names = "-Z,--timezone", .target = &option.name, .value = "TZ", .what = what};
}

CommandOption host_zone_option(ZoneOption& option) {
  return {.names = "-z,--hostzone",
          .target = &option.host,
          .what = "time zone of the host that was recorded or is asked",
          .excludes = {"--timezone"}};
}

}  // namespace pmjit
