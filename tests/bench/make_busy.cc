// make_busy: writes an archive as a busy server's logger does, the input of the benchmarks of
// irregular records.
//
//   make_busy BASE --hours 3
//
// Four groups of metrics, each logged at its own times: the host every 10 s (counters and gauges of
// all widths, CPUs, disks), processes every 10 s (three of 200 are replaced each time, with their
// names and states as texts), load every 5 s, filesystems every minute (reals and texts). A logger
// that was stopped leaves a mark and a gap of five minutes every hour. Names are busy.GROUP.N.
#include <fmt/core.h>

#include <charconv>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/archive/writer.h"
#include "runtime/model/desc.h"

namespace {

using namespace pmjit;

constexpr uint32_t kDomainBits = 61u << 22;  // any domain number will do
constexpr int64_t kStart = 1'700'000'000, kHour = 3'600, kStopEvery = kHour, kStopped = 300;
constexpr uint32_t kProcesses = 200, kReplaced = 3;

// A number that differs for each three of arguments, the same in every run.
uint64_t mixed(uint64_t a, uint64_t b, uint64_t c = 0) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b * 0xbf58476d1ce4e5b9u + c;
  x = (x ^ x >> 30) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

struct Metric {
  PmId pmid = kNullId;
  Elem elem = Elem::u64;
  Semantics semantics = Semantics::counter;
};

// Metrics that are logged together, over one domain or none.
struct Group {
  std::string_view name;
  int64_t every_s = 10;
  int32_t after_ms = 0;  // behind the second: loggers have one group after the other
  InDomId indom = kNullId;
  std::vector<int32_t> instances{kSingular};
  std::vector<Metric> metrics{};
};

class Server {
 public:
  explicit Server(ArchiveWriter& writer) : writer_(writer) {
    using enum Elem;
    const auto counter = Semantics::counter, gauge = Semantics::instant, set = Semantics::discrete;
    add("host", 10, 0,
        {{u64, counter, 90},
         {u32, counter, 60},
         {f32, gauge, 20},
         {i32, gauge, 20},
         {text, set, 2}});
    add("cpu", 10, 8, {{u64, counter, 12}});
    add("disk", 10, 6, {{u64, counter, 8}, {u32, counter, 4}});
    add("process", 10, kProcesses, {{u64, counter, 6}, {u32, gauge, 4}, {text, gauge, 1}});
    add("load", 5, 3, {{f32, gauge, 1}, {u32, gauge, 2}});
    add("filesystem", 60, 12, {{u64, gauge, 4}, {f64, gauge, 2}, {text, set, 1}});
  }

  void run(int64_t hours) {
    int64_t until = 0;
    for (int64_t t = 0; t < hours * kHour; t += 5) {
      const int64_t gone = t % kStopEvery;
      if (t > 0 && gone < kStopped) {
        if (gone == 0) writer_.mark({.sec = kStart + until, .nsec = 100'000'000});
        continue;
      }
      log(t, {"host", "cpu", "disk"});
      for (const std::string_view name : {"process", "load", "filesystem"}) log(t, {name});
      until = t;
    }
  }

 private:
  struct Kind {
    Elem elem;
    Semantics semantics;
    uint32_t count;
  };

  void add(std::string_view name, int64_t every_s, uint32_t instances, std::vector<Kind> kinds) {
    Group& group = groups_[name];
    const auto number = static_cast<uint32_t>(groups_.size());
    group = {.name = name, .every_s = every_s, .after_ms = static_cast<int32_t>(number)};
    if (instances != 0) {
      group.indom = kDomainBits | number;
      group.instances.clear();
      for (uint32_t i = 0; i < instances; ++i) group.instances.push_back(static_cast<int32_t>(i));
    }
    for (const Kind& kind : kinds) {
      for (uint32_t i = 0; i < kind.count; ++i) {
        const auto item = static_cast<uint32_t>(group.metrics.size());
        const PmId pmid = kDomainBits | number << 10 | item;
        group.metrics.push_back({.pmid = pmid, .elem = kind.elem, .semantics = kind.semantics});
        writer_.add_metric(fmt::format("busy.{}.{}", name, item),
                           {.pmid = pmid,
                            .pm_type = static_cast<int>(kind.elem),
                            .indom = group.indom,
                            .semantics = kind.semantics,
                            .units = {}});
      }
    }
  }

  // One record of these groups, where it is their time.
  void log(int64_t t, std::vector<std::string_view> names) {
    const Stamp stamp{.sec = kStart + t, .nsec = groups_.at(names.front()).after_ms * 1'000'000};
    std::vector<std::vector<std::byte>> numbers;
    std::vector<std::vector<std::string>> texts;
    std::vector<WrittenSet> sets;
    for (const std::string_view name : names) {
      Group& group = groups_.at(name);
      if (t % group.every_s != 0) return;
      if (name == "process" && t > 0) replace_processes(group);
      if (group.indom != kNullId) name_instances(group, stamp);
      for (const Metric& metric : group.metrics) {
        WrittenSet set{.pmid = metric.pmid, .instances = group.instances};
        if (is_number(metric.elem)) {
          std::vector<std::byte>& out = numbers.emplace_back();
          for (const int32_t one : group.instances) append(out, metric, one, t);
          set.values = out;
        } else {
          std::vector<std::string>& out = texts.emplace_back();
          for (const int32_t one : group.instances) out.push_back(text(metric, one, t));
          set.texts = out;
        }
        sets.push_back(set);
      }
    }
    // Where vectors grew their content stayed where it was.
    writer_.put(stamp, sets);
  }

  void replace_processes(Group& group) {
    for (uint32_t i = 0; i < kReplaced; ++i) {
      group.instances.erase(group.instances.begin() +
                            static_cast<ptrdiff_t>(mixed(static_cast<uint64_t>(next_process_), i) %
                                                   group.instances.size()));
      group.instances.push_back(next_process_++);
    }
  }

  void name_instances(const Group& group, Stamp stamp) {
    std::vector<Catalog::Instance> named;
    for (const int32_t one : group.instances) {
      named.push_back({.id = one, .name = fmt::format("{:06} {}", one, group.name)});
    }
    writer_.set_instances(group.indom, std::move(named), stamp);
  }

  static void append(std::vector<std::byte>& out, const Metric& metric, int32_t one, int64_t t) {
    const uint64_t noise = mixed(metric.pmid, static_cast<uint64_t>(one), static_cast<uint64_t>(t));
    const uint64_t speed = mixed(metric.pmid, static_cast<uint64_t>(one)) % 4'000;
    uint64_t value = noise % 10'000;
    if (metric.semantics == Semantics::counter)
      value = speed * static_cast<uint64_t>(t) + noise % 500;
    const auto add = [&](auto number) {
      const auto bytes = std::as_bytes(std::span(&number, 1));
      out.insert(out.end(), bytes.begin(), bytes.end());
    };
    switch (metric.elem) {
      case Elem::i32:
      case Elem::u32: return add(static_cast<uint32_t>(value));
      case Elem::f32: return add(static_cast<float>(value) / 100);
      case Elem::f64: return add(static_cast<double>(value) / 100);
      default: return add(value);
    }
  }

  static std::string text(const Metric& metric, int32_t one, int64_t t) {
    if (metric.semantics == Semantics::discrete) return fmt::format("kind-{}", one % 5);
    constexpr std::string_view kStates = "RSSSSSSD";
    return std::string(
        1, kStates[mixed(static_cast<uint64_t>(one), static_cast<uint64_t>(t)) % kStates.size()]);
  }

  ArchiveWriter& writer_;
  std::map<std::string_view, Group> groups_;
  int32_t next_process_ = kProcesses;
};

Result<void> write_archive(const std::string& base, int64_t hours) {
  auto output = file_output(base);
  ArchiveWriter writer({.start = {.sec = kStart}, .host = "busy.example"}, *output);
  Server(writer).run(hours);
  return writer.close();
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view option = argc == 4 ? argv[2] : "", value = argc == 4 ? argv[3] : "";
  int64_t hours = 0;
  const auto read = std::from_chars(value.data(), value.data() + value.size(), hours);
  if (option != "--hours" || read.ec != std::errc() || read.ptr != value.data() + value.size() ||
      hours < 1) {
    fmt::print(stderr, "usage: make_busy BASE --hours N\n");
    return 2;
  }
  if (auto done = write_archive(argv[1], hours); !done) {
    fmt::print(stderr, "make_busy: {}\n", done.error().text());
    return 1;
  }
  return 0;
}
