// Where rules come from: files first, as the C library has it, whatever the text looks like; then
// the text itself.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <utility>

#include "runtime/base/file.h"
#include "runtime/base/limits.h"
#include "runtime/tz/rules.h"

namespace pmjit::tz {

namespace {

namespace fs = std::filesystem;

constexpr const char* kSystemZone = "/etc/localtime";

std::string data_base() {
  const char* folder = std::getenv("TZDIR");
  return folder && *folder ? folder : "/usr/share/zoneinfo";
}

std::string path_of(const std::string& name) {
  return name.starts_with('/') ? name : data_base() + "/" + name;
}

// Pipes and devices are no zones, and one may wait at them for ever.
Result<ZoneData> load_data(const std::string& name) {
  const std::string path = path_of(name);
  std::error_code unseen;
  if (name.empty() || !fs::is_regular_file(path, unseen)) return fail(Fault::not_found, path);
  auto file = open_file(path);
  if (!file) return fail(file.error());
  const auto bytes = read_whole(**file, limits::kZoneFileBytesMax);
  if (!bytes) return fail(bytes.error());
  return read_zone_data({bytes->data(), bytes->size()});
}

// The clock that the changes were written by.
int64_t last_standard(const ZoneData& data) {
  int64_t east = 0;
  for (const uint8_t kind : data.kinds) {
    if (!data.types[kind].summer) east = data.types[kind].east;
  }
  return east;
}

// Two clocks without a word on when they change: as in the zone that the data base calls
// "posixrules", with the clocks of the text. The C library moves changes from standard time by the
// difference of the two standard times, east for later. Those from summer it moves by what it knows
// of a zone before; from the second conversion on they stay where they are, and so they do here.
// Years behind the last change are that zone's own, offsets and all.
std::optional<ZoneData> by_posixrules(const PosixZone& text) {
  auto data = load_data("posixrules");
  if (!data || data->types.size() < 2) return std::nullopt;
  const int64_t standard = text.to_summer.east, later = standard - last_standard(*data);
  bool was_summer = false;
  for (size_t i = 0; i < data->times.size(); ++i) {
    const ZoneType& type = data->types[data->kinds[i]];
    data->kinds[i] = type.summer;
    const bool stays = type.by_universal_time || (was_summer && !type.by_standard_time);
    if (!stays && __builtin_add_overflow(data->times[i], later, &data->times[i]))
      return std::nullopt;
    was_summer = type.summer;
  }
  data->types = {{.east = standard, .name = text.standard},
                 {.east = text.to_standard.east, .summer = true, .name = text.summer}};
  std::ranges::sort(data->times);  // one may pass its neighbour
  return *std::move(data);
}

}  // namespace

SharedRules load_rules(const char* name) {
  std::string text = name ? name : kSystemZone;
  if (text.empty()) text = "Universal";
  if (text.starts_with(':')) text.erase(0, 1);
  if (auto data = load_data(text)) return std::make_shared<const Rules>(*std::move(data));
  if (text == kSystemZone) text.clear();
  const PosixZone zone = PosixZone::parse(text);
  if (zone.lacks_rules) {
    if (auto data = by_posixrules(zone)) return std::make_shared<const Rules>(*std::move(data));
  }
  return std::make_shared<const Rules>(zone);
}

bool is_in_data_base(std::string_view name) {
  const std::string path = path_of(std::string(name));
  std::error_code unseen;
  return !name.empty() && fs::is_regular_file(path, unseen) && access(path.c_str(), R_OK) == 0;
}

// The same zones stand in folders of their own with and without leap seconds; what has a small
// letter first or a point is about the data base.
std::vector<std::string> zone_names() {
  std::vector<std::string> names;
  const fs::path folder = data_base();
  std::error_code failed;
  for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end;
       at.increment(failed)) {
    const std::string name = at->path().lexically_relative(folder).string();
    const bool about = name.front() < 'A' || name.front() > 'Z' || name.contains('.');
    std::error_code unseen;
    if (at->is_directory(unseen)) {
      if (about) at.disable_recursion_pending();
    } else if (!about) {
      names.push_back(name);
    }
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace pmjit::tz
