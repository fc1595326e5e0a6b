// make_archive: writes an archive of growing counters, the input of the decoding benchmarks.
//
//   make_archive big --metrics 20 --instances 500 --records 1440 --type u64 --version 3
//
// Metric bench.mM, instance i, record r holds (M + 1) × 1,000,000 + i × 1,000 + r × (i + 1): every
// value differs from its neighbours and every counter grows. Without instances (--instances 0) the
// metrics are singular; --singular N adds so many: bench.sK, with M = metrics + K.
#include <fmt/core.h>

#include <charconv>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/archive/writer.h"
#include "runtime/model/desc.h"

namespace {

using namespace pmjit;

struct Options {
  std::string out, type = "u64";
  uint32_t metrics = 20, instances = 500, records = 1440, version = 3;
  uint32_t singular = 0;  // metrics beside those
  uint32_t churn = 0;     // instances replaced each record
  uint32_t step_s = 60;   // between records
  bool uneven = false;    // half of the records have a third of the metrics
};

// False: there is no such option, or what follows is no number.
bool take(Options& options, std::string_view name, std::string_view value) {
  struct {
    std::string_view name;
    uint32_t* target;
  } const numbers[] = {{"--metrics", &options.metrics},  {"--instances", &options.instances},
                       {"--records", &options.records},  {"--version", &options.version},
                       {"--churn", &options.churn},      {"--step", &options.step_s},
                       {"--singular", &options.singular}};
  if (name == "--type") return options.type = value, true;
  for (const auto& number : numbers) {
    if (number.name != name) continue;
    const char* const end = value.data() + value.size();
    const auto read = std::from_chars(value.data(), end, *number.target);
    return read.ec == std::errc() && read.ptr == end;
  }
  return false;
}

// What is wrong; empty: nothing.
std::string read_options(Options& options, int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--uneven") {
      options.uneven = true;
    } else if (!word.starts_with("--")) {
      options.out = word;
    } else if (i + 1 == argc || !take(options, word, argv[i + 1])) {
      return fmt::format("option {}: there is none, or its value is wrong", word);
    } else {
      ++i;
    }
  }
  if (options.out.empty()) return "name the archive: make_archive BASE [--metrics N] …";
  return options.version == 2 || options.version == 3 ? "" : "the version is 2 or 3";
}

constexpr uint32_t kDomainBits = 60u << 22;  // any domain number will do
constexpr int64_t kStart = 1'700'000'000;

template <class T>
void append(std::vector<std::byte>& out, T value) {
  const auto* raw = reinterpret_cast<const std::byte*>(&value);
  out.insert(out.end(), raw, raw + sizeof value);
}

void append_as(std::vector<std::byte>& out, Elem elem, uint64_t value) {
  switch (elem) {
    case Elem::i32:
    case Elem::u32: return append(out, static_cast<uint32_t>(value));
    case Elem::f32: return append(out, static_cast<float>(value));
    case Elem::f64: return append(out, static_cast<double>(value));
    default: return append(out, value);
  }
}

Result<void> write_archive(const Options& options, Elem elem, int pm_type) {
  auto output = file_output(options.out);
  ArchiveWriter writer({.version = static_cast<Version>(options.version),
                        .start = {.sec = kStart},
                        .host = "bench.example"},
                       *output);
  const InDomId indom = options.instances == 0 ? kNullId : kDomainBits | 1;
  const uint32_t metrics = options.metrics + options.singular;
  const auto is_singular = [&](uint32_t m) { return m >= options.metrics; };
  for (uint32_t m = 0; m < metrics; ++m) {
    writer.add_metric(is_singular(m) ? fmt::format("bench.s{}", m - options.metrics)
                                     : fmt::format("bench.m{}", m),
                      {.pmid = kDomainBits | m,
                       .pm_type = pm_type,
                       .indom = is_singular(m) ? kNullId : indom,
                       .semantics = Semantics::counter,
                       .units = {}});
  }
  const std::vector<int32_t> one{kSingular};
  std::vector<int32_t> ids(std::max(options.instances, 1u), kSingular);
  if (indom != kNullId) std::iota(ids.begin(), ids.end(), 0);
  int32_t next_id = static_cast<int32_t>(ids.size());
  for (uint32_t r = 0; r < options.records; ++r) {
    const Stamp stamp{.sec = kStart + int64_t{r} * options.step_s};
    for (uint32_t c = 0; r > 0 && c < options.churn; ++c)
      ids[(r * options.churn + c) % ids.size()] = next_id++;
    if (indom != kNullId) {
      std::vector<Catalog::Instance> named;
      for (const int32_t id : ids) named.push_back({.id = id, .name = fmt::format("inst{}", id)});
      writer.set_instances(indom, std::move(named), stamp);
    }
    std::vector<std::vector<std::byte>> values(metrics);
    std::vector<WrittenSet> sets;
    // By the middle bits of a multiple of 2^32 / golden ratio, so without a period.
    const bool small = options.uneven && (r * 2'654'435'769u >> 16 & 1) != 0;
    for (uint32_t m = 0; m < (small ? (metrics + 2) / 3 : metrics); ++m) {
      const auto& instances = is_singular(m) ? one : ids;
      for (size_t i = 0; i < instances.size(); ++i) {
        append_as(values[m], elem, (m + 1) * 1'000'000ull + i * 1'000 + uint64_t{r} * (i + 1));
      }
      sets.push_back({.pmid = kDomainBits | m, .instances = instances, .values = values[m]});
    }
    writer.put(stamp, sets);
  }
  return writer.close();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (const std::string wrong = read_options(options, argc, argv); !wrong.empty()) {
    fmt::print(stderr, "make_archive: {}\n", wrong);
    return 2;
  }
  const auto elem = elem_from_text(options.type);
  if (!elem || !is_number(*elem)) {
    fmt::print(stderr, "make_archive: no such number type: {}\n", options.type);
    return 2;
  }
  const int pm_type =
      static_cast<int>(*elem);  // the number types of elem.def are in PM_TYPE_* order
  if (auto done = write_archive(options, *elem, pm_type); !done) {
    fmt::print(stderr, "make_archive: {}\n", done.error().text());
    return 1;
  }
  return 0;
}
