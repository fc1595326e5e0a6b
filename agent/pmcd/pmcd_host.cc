// The machine's name and time zone. Read when asked for: both may change while a collector runs.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <utility>

#include "agent/pmcd/pmcd_agent.h"

namespace pmjit {

namespace {

// A file of the tz database ends with a line feed, the rule in POSIX form, and a line feed.
std::string last_line_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream all;
  all << file.rdbuf();  // of a folder: nothing
  const std::string bytes = std::move(all).str();
  if (bytes.size() < 2 || bytes.back() != '\n') return "";
  const size_t before = bytes.rfind('\n', bytes.size() - 2);
  if (before == std::string::npos) return "";
  return bytes.substr(before + 1, bytes.size() - before - 2);
}

}  // namespace

std::string collector_host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0) return "";
  return name.data();
}

std::string posix_time_zone(const std::string& local_time) {
  const char* const set = std::getenv("TZ");
  if (set != nullptr && *set != '\0' && *set != ':') return set;
  const std::string rule = last_line_of(local_time);
  return rule.empty() || rule == "UTC0" ? "UTC" : rule;
}

std::string zone_info_name(const std::string& local_time) {
  const char* const set = std::getenv("TZ");
  if (set != nullptr && *set == ':') return set;
  std::array<char, 4096> target{};
  const ssize_t bytes = readlink(local_time.c_str(), target.data(), target.size());
  const std::string_view path(target.data(), bytes < 0 ? 0 : static_cast<size_t>(bytes));
  constexpr std::string_view kFolder = "zoneinfo/";
  const size_t at = path.find(kFolder);
  if (at != std::string_view::npos) return ":" + std::string(path.substr(at + kFolder.size()));
  std::ifstream named("/etc/timezone");
  std::string name;
  std::getline(named, name);
  return name.empty() ? "" : ":" + name;
}

}  // namespace pmjit
