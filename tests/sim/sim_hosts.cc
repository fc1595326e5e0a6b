// sim_hosts: thousands of collectors that are scripted, in one process.
//
//   sim_hosts --hosts 1000 --fault "3 dead" --fault "7 hang from 5s" --addresses hosts.txt
//
// Prints `ready PORT HOSTS FIRST_STEP`, runs until SIGTERM or SIGINT, and prints what it has done
// as one line of JSON, at each SIGUSR1, too. README.md has the options and the faults.
#include <fmt/core.h>
#include <sys/resource.h>

#include <charconv>
#include <cstdio>
#include <fstream>

#include "tests/sim/sim_ports.h"
#include "tests/sim/sim_server.h"

namespace {

using namespace pmjit;
using namespace pmjit::test;

struct SimOptions {
  SimSetup setup;
  std::string addresses, times;  // files
};

bool take_number(std::string_view text, uint32_t& out) {
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, out);
  return read.ec == std::errc() && read.ptr == end;
}

Result<void> add_fault(std::string_view line, SimSetup& setup) {
  const auto fault = parse_fault(line);
  if (!fault) return fail(fault.error());
  if (*fault) setup.faults.push_back(**fault);
  return {};
}

Result<void> add_faults(const std::string& path, SimSetup& setup) {
  std::ifstream file(path);
  if (!file) return fail(Fault::not_found, fmt::format("cannot read {}", path));
  for (std::string line; std::getline(file, line);) {
    if (auto added = add_fault(line, setup); !added) return fail(added.error().at("file", path));
  }
  return {};
}

Result<void> take_option(std::string_view name, std::string_view value, SimOptions& options) {
  SimSetup& setup = options.setup;
  struct {
    std::string_view name;
    uint32_t* target;
  } const numbers[] = {{"--hosts", &setup.hosts},
                       {"--first", &setup.first_host},
                       {"--metrics", &setup.shape.metrics},
                       {"--instanced", &setup.shape.instanced},
                       {"--instances", &setup.shape.instances}};
  for (const auto& number : numbers) {
    if (number.name != name) continue;
    if (take_number(value, *number.target)) return {};
    return fail(Fault::usage, fmt::format("{} {}: it is no number", name, value));
  }
  if (name == "--fault") return add_fault(value, setup);
  if (name == "--faults") return add_faults(std::string(value), setup);
  if (name == "--addresses") return options.addresses = value, Result<void>{};
  if (name == "--times") {
    options.times = value;
    setup.keeps_times = true;
    return {};
  }
  if (name == "--port") {
    uint32_t port = 0;
    const bool is_port = value == "auto" || (take_number(value, port) && port < UINT16_MAX);
    if (!is_port) return fail(Fault::usage, fmt::format("--port {}: it is no port", value));
    setup.port = static_cast<uint16_t>(port);
    return {};
  }
  return fail(Fault::usage, fmt::format("there is no option {}", name));
}

Result<SimOptions> read_options(std::span<char*> words) {
  SimOptions out;
  for (size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) {
      return fail(Fault::usage, fmt::format("{} has no value behind it", words[i]));
    }
    if (auto taken = take_option(words[i], words[i + 1], out); !taken) return fail(taken.error());
  }
  const SimSetup& setup = out.setup;
  if (setup.hosts == 0 || setup.hosts > kSimHostsMax ||
      setup.first_host > kSimHostsMax - setup.hosts) {
    return fail(Fault::usage, fmt::format("hosts have numbers below {}", kSimHostsMax));
  }
  // Identifiers of metrics have ten bits for the number.
  if (setup.shape.metrics == 0 || setup.shape.metrics > 1'000 ||
      setup.shape.instanced > setup.shape.metrics || setup.shape.instances == 0 ||
      setup.shape.instances > 10'000) {
    return fail(Fault::usage,
                "1 to 1000 metrics, as many or fewer with instances, 1 to 10000 instances");
  }
  return out;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

void print_counts(const SimServer& server, const SimSetup& setup) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const SimCounts& counts = server.counts();
  fmt::print(
      "{{\"hosts\":{},\"seconds\":{:.3f},\"fetches\":{},\"prepared\":{},\"requests\":{},"
      "\"bytes_in\":{},\"bytes_out\":{},\"connections\":{},\"open\":{},\"user_s\":{:.6f},"
      "\"system_s\":{:.6f},\"max_rss_kb\":{}}}\n",
      setup.hosts, std::chrono::duration<double>(server.running()).count(), counts.fetches,
      counts.prepared, counts.requests, counts.bytes_in, counts.bytes_out, counts.connections,
      counts.open, seconds_of(usage.ru_utime), seconds_of(usage.ru_stime), usage.ru_maxrss);
  std::fflush(stdout);
}

// `fill` writes lines to the file.
template <class Fill>
bool write_file(const std::string& path, Fill&& fill) {
  if (path.empty()) return true;
  std::FILE* const file = std::fopen(path.c_str(), "we");
  bool written = file != nullptr;
  if (written) fill(file);
  written = written && std::ferror(file) == 0;
  if (file != nullptr) written = std::fclose(file) == 0 && written;
  if (!written) fmt::print(stderr, "sim_hosts: cannot write {}\n", path);
  return written;
}

void write_times(std::FILE* file, std::span<const FetchTimes> times) {
  const auto micros = [](WallTime when) {
    return std::chrono::floor<std::chrono::microseconds>(when.time_since_epoch()).count();
  };
  fmt::print(file, "host,asked_us,answered_us\n");
  for (const FetchTimes& one : times) {
    fmt::print(file, "{},{},", one.host, micros(one.asked));
    if (one.answered != WallTime{}) fmt::print(file, "{}", micros(one.answered));
    fmt::print(file, "\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto options = read_options(std::span(argv, static_cast<size_t>(argc)).subspan(1));
  if (!options) return fmt::print(stderr, "sim_hosts: {}\n", options.error().text()), 2;
  const SimSetup& setup = options->setup;
  const SystemClock clock;
  SimServer server(clock, setup);
  if (const auto listening = server.listen(); !listening) {
    return fmt::print(stderr, "sim_hosts: {}\n", listening.error().text()), 2;
  }
  const bool listed = write_file(options->addresses, [&](std::FILE* file) {
    for (uint32_t n = 0; n < setup.hosts; ++n) {
      fmt::print(file, "{}\n", server.address_of(setup.first_host + n));
    }
  });
  if (!listed) return 2;
  fmt::print("ready {} {} {}\n", server.port(), setup.hosts, server.first_step());
  std::fflush(stdout);
  server.run([&] { print_counts(server, setup); });
  print_counts(server, setup);
  const bool kept =
      write_file(options->times, [&](std::FILE* file) { write_times(file, server.times()); });
  return kept ? 0 : 2;
}
