// make_archive: writes an archive of growing counters, the input of the decoding benchmarks.
//
//   make_archive big --metrics 20 --instances 500 --records 1440 --type u64 --version 3
//
// Metric m, instance i, record r holds (m + 1) × 1,000,000 + i × 1,000 + r × (i + 1): every value
// differs from its neighbours and every counter grows. Without instances (--instances 0) the
// metrics are singular.
#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <numeric>
#include <string>
#include <vector>

#include "runtime/archive/writer.h"
#include "runtime/model/desc.h"

namespace {

using namespace pmjit;

struct Options {
  std::string out, type = "u64";
  uint32_t metrics = 20, instances = 500, records = 1440, version = 3;
  uint32_t churn = 0;  // instances replaced each record
  uint32_t step_s = 60;
  bool uneven = false;
};

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
  for (uint32_t m = 0; m < options.metrics; ++m) {
    writer.add_metric(fmt::format("bench.m{}", m), {.pmid = kDomainBits | m,
                                                    .pm_type = pm_type,
                                                    .indom = indom,
                                                    .semantics = Semantics::counter,
                                                    .units = {}});
  }
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
    std::vector<std::vector<std::byte>> values(options.metrics);
    std::vector<WrittenSet> sets;
    // By the middle bits of a multiple of 2^32 / golden ratio, so without a period.
    const bool small = options.uneven && (r * 2'654'435'769u >> 16 & 1) != 0;
    for (uint32_t m = 0; m < (small ? (options.metrics + 2) / 3 : options.metrics); ++m) {
      for (size_t i = 0; i < ids.size(); ++i) {
        append_as(values[m], elem, (m + 1) * 1'000'000ull + i * 1'000 + uint64_t{r} * (i + 1));
      }
      sets.push_back({.pmid = kDomainBits | m, .instances = ids, .values = values[m]});
    }
    writer.put(stamp, sets);
  }
  return writer.close();
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"writes an archive of growing counters"};
  app.add_option("OUT", options.out, "base name of the archive")->required();
  app.add_option("--metrics", options.metrics);
  app.add_option("--instances", options.instances, "of each metric; 0: singular metrics");
  app.add_option("--records", options.records);
  app.add_option("--type", options.type, "i32 u32 i64 u64 f32 f64");
  app.add_option("--version", options.version)->check(CLI::Range(2, 3));
  app.add_option("--churn", options.churn, "instances replaced each record");
  app.add_flag("--uneven", options.uneven, "half of the records have a third of the metrics");
  app.add_option("--step", options.step_s, "seconds between records");
  CLI11_PARSE(app, argc, argv);
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
