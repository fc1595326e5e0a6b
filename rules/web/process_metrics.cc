#include "rules/web/process_metrics.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

namespace pmjit {

namespace {

void put_metric(std::string& out, std::string_view name, std::string_view kind,
                std::string_view help, double value) {
  out += fmt::format("# HELP process_{0} {1}\n# TYPE process_{0} {2}\nprocess_{0} {3}\n", name,
                     help, kind, value);
}

// Of /proc/self/stat: the fields behind the name of the program, which may hold blanks.
struct ProcessStat {
  double user = 0, system = 0, start = 0;  // ticks of the clock; since the machine started
  double threads = 0, virtual_bytes = 0, resident_pages = 0;
};
std::optional<ProcessStat> read_stat() {
  std::ifstream file("/proc/self/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  constexpr size_t kFirst = 3;  // the number that proc(5) gives the field behind the name
  std::istringstream rest(text.substr(text.rfind(')') + 1));
  ProcessStat out;
  std::string field;
  for (size_t number = kFirst; rest >> field; ++number) {
    double* const to = number == 14   ? &out.user
                       : number == 15 ? &out.system
                       : number == 20 ? &out.threads
                       : number == 22 ? &out.start
                       : number == 23 ? &out.virtual_bytes
                       : number == 24 ? &out.resident_pages
                                      : nullptr;
    if (to != nullptr) *to = std::strtod(field.c_str(), nullptr);
  }
  return out;
}

// When the machine started, in seconds since 1970.
std::optional<double> boot_time() {
  std::ifstream file("/proc/stat");
  for (std::string word; file >> word;) {
    double seconds = 0;
    if (word == "btime" && file >> seconds) return seconds;
  }
  return std::nullopt;
}

size_t open_descriptors() {
  std::error_code failed;
  size_t out = 0;
  for (std::filesystem::directory_iterator at("/proc/self/fd", failed), end; !failed && at != end;
       at.increment(failed)) {
    ++out;
  }
  return out == 0 ? 0 : out - 1;  // one is of the folder itself
}

}  // namespace

std::string process_metrics_text() {
  std::string out;
  if (const auto stat = read_stat()) {
    const auto ticks = static_cast<double>(::sysconf(_SC_CLK_TCK));
    const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
    put_metric(out, "cpu_seconds_total", "counter", "Processor time of this process, in seconds.",
               (stat->user + stat->system) / ticks);
    put_metric(out, "resident_memory_bytes", "gauge", "Memory that is resident.",
               stat->resident_pages * page);
    put_metric(out, "virtual_memory_bytes", "gauge", "Addresses that are taken.",
               stat->virtual_bytes);
    put_metric(out, "threads", "gauge", "Threads of this process.", stat->threads);
    if (const auto boot = boot_time()) {
      put_metric(out, "start_time_seconds", "gauge",
                 "When this process started, in seconds since 1970.", *boot + stat->start / ticks);
    }
  }
  if (const size_t open = open_descriptors(); open > 0) {
    put_metric(out, "open_fds", "gauge", "File descriptors that are open.",
               static_cast<double>(open));
  }
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) == 0) {
    put_metric(out, "max_fds", "gauge", "File descriptors that there may be.",
               static_cast<double>(limit.rlim_cur));
  }
  return out;
}

}  // namespace pmjit
