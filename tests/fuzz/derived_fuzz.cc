// Definition files as the tools under PCP's names have them, all the way: the first byte says which
// dialect, the second what is fetched, the rest is a file. Every metric of it is bound to made-up
// recorded metrics (named as in the seeds) and evaluated over some fetches, by two derivers that
// must agree.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/registry/config_file.h"
#include "compiler/compat/registry/context_deriver.h"
#include "compiler/compat/registry/file_dialect.h"
#include "compiler/driver/strict_files.h"
#include "runtime/base/result.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/client/memory_context.h"

namespace pmjit {
namespace {

constexpr size_t kMetricsMax = 200;  // of a file: what more of them did would only take time
constexpr int kFetches = 5;
constexpr InDomId kDisks = 60u << 22 | 1, kBins = 29u << 22 | 2;
constexpr Units kKbyte{.dim_space = 1, .scale_space = 1}, kCount{.dim_count = 1};
constexpr Units kMillisec{.dim_time = 1, .scale_time = 2}, kNone{};

struct FuzzedMetric {
  std::string_view name;
  int type;
  Semantics semantics;
  InDomId indom;
  Units units;
};
constexpr Semantics kCounter = Semantics::counter, kInstant = Semantics::instant,
                    kDiscrete = Semantics::discrete;
constexpr FuzzedMetric kMetrics[] = {
    {"disk.dev.read", pm_type::u64, kCounter, kDisks, kCount},
    {"disk.dev.write", pm_type::u64, kCounter, kDisks, kCount},
    {"disk.all.read", pm_type::u64, kCounter, kNullId, kCount},
    {"hinv.ncpu", pm_type::u32, kDiscrete, kNullId, kNone},
    {"hinv.physmem", pm_type::u32, kDiscrete, kNullId, {.dim_space = 1, .scale_space = 2}},
    {"hinv.nfilesys", pm_type::u32, kDiscrete, kNullId, kCount},
    {"hinv.machine", pm_type::string, kDiscrete, kNullId, kNone},
    {"mem.physmem", pm_type::u64, kDiscrete, kNullId, kKbyte},
    {"mem.util.used", pm_type::u64, kInstant, kNullId, kKbyte},
    {"kernel.all.load", pm_type::f32, kInstant, 60u << 22 | 2, kNone},
    {"kernel.all.cpu.user", pm_type::u64, kCounter, kNullId, kMillisec},
    {"sample.long.million", pm_type::i32, kInstant, kNullId, kNone},
    {"sample.ulong.million", pm_type::u32, kInstant, kNullId, kNone},
    {"sample.longlong.million", pm_type::i64, kInstant, kNullId, kNone},
    {"sample.ulonglong.million", pm_type::u64, kInstant, kNullId, kNone},
    {"sample.float.million", pm_type::f32, kInstant, kNullId, kNone},
    {"sample.double.million", pm_type::f64, kInstant, kNullId, kNone},
    {"sample.long.bin_ctr", pm_type::i32, kCounter, kBins, kKbyte},
    {"sample.ulong.bin_ctr", pm_type::u32, kCounter, kBins, kKbyte},
    {"sample.longlong.bin_ctr", pm_type::i64, kCounter, kBins, kKbyte},
    {"sample.ulonglong.bin_ctr", pm_type::u64, kCounter, kBins, kKbyte},
    {"sample.float.bin_ctr", pm_type::f32, kCounter, kBins, kKbyte},
    {"sample.double.bin_ctr", pm_type::f64, kCounter, kBins, kKbyte},
    {"sample.colour", pm_type::i32, kInstant, 29u << 22 | 1, kNone},
    {"sample.string.null", pm_type::string, kInstant, kBins, kNone},
    {"sample.aggregate.hullo", pm_type::aggregate, kInstant, kNullId, kNone},
    {"sample.event.records", pm_type::event, kInstant, kNullId, kNone},
    {"undescribed", 0, kInstant, kNullId, kNone},
};
constexpr PmId kFirstPmid = 1000;

class Recorded final : public test::MemoryContext {
 public:
  OrPmError<PmId> look_up_one(std::string_view name) const {
    for (size_t i = 0; i < std::size(kMetrics); ++i) {
      if (kMetrics[i].name == name) return static_cast<PmId>(kFirstPmid + i);
    }
    return pm_fail(pm_err::E_NAME);
  }
  OrPmError<Desc> describe_one(PmId pmid) const {
    const size_t at = pmid - kFirstPmid;
    if (at >= std::size(kMetrics) || kMetrics[at].type == 0 || kMetrics[at].name == "undescribed") {
      return pm_fail(pm_err::E_PMID_LOG);
    }
    const FuzzedMetric& m = kMetrics[at];
    return Desc{.pmid = pmid,
                .pm_type = m.type,
                .indom = m.indom,
                .semantics = m.semantics,
                .units = m.units};
  }
  std::vector<OrPmError<PmId>> look_up_names(std::span<const std::string_view> names) override {
    std::vector<OrPmError<PmId>> out;
    for (const std::string_view name : names) out.push_back(look_up_one(name));
    return out;
  }
  std::vector<OrPmError<Desc>> describe_metrics(std::span<const PmId> metrics) override {
    std::vector<OrPmError<Desc>> out;
    for (const PmId pmid : metrics) out.push_back(describe_one(pmid));
    return out;
  }
  OrPmError<int32_t> instance_id(InDomId, std::string_view name) override {
    if (name.empty() || name.size() > 4) return pm_fail(pm_err::E_INST_LOG);
    return static_cast<int32_t>(name.back() & 7);
  }
  OrPmError<std::string> instance_name(InDomId, int32_t instance) override {
    if (instance == 5) return pm_fail(pm_err::E_INST_LOG);
    return std::string("sd") + static_cast<char>('a' + instance) + " more";
  }
  OrPmError<std::vector<Instance>> instances_ever(InDomId indom) override {
    std::vector<Instance> out;
    for (int32_t i = 0; i < 5; ++i) out.push_back({.id = i, .name = *instance_name(indom, i)});
    return out;
  }
};

// What is fetched: depends on the seed alone.
class Fetches {
 public:
  explicit Fetches(uint8_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  Fetched next(int number) {
    blocks_.clear();
    Fetched out{.stamp = {.sec = 1000 + number * static_cast<int64_t>(draw() % 3)}};
    for (size_t i = 0; i < std::size(kMetrics); ++i) out.sets.push_back(set(i));
    return out;
  }

 private:
  uint64_t draw() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return state_ >> 29;
  }
  // Small ones, and such as stand at the ends of their range.
  uint64_t number() {
    constexpr uint64_t kOdd[] = {0,          1,           0x7fffffff,         0x80000000,
                                 0xffffffff, 0x100000000, 0x7fffffffffffffff, ~uint64_t{0}};
    return draw() % 4 == 0 ? kOdd[draw() % std::size(kOdd)] : draw() % 100;
  }
  Bytes block(int type) {
    auto& bytes = blocks_.emplace_back(8);
    const uint64_t bits = number();
    if (type == pm_type::f64) {
      const double value = draw() % 4 == 0 ? std::bit_cast<double>(bits << 32) : double(bits) / 4;
      std::memcpy(bytes.data(), &value, sizeof value);
    } else if (type == pm_type::f32) {
      const auto value = static_cast<float>(bits);
      std::memcpy(bytes.data(), &value, sizeof value);
      bytes.resize(sizeof value);
    } else if (type == pm_type::string) {
      std::memcpy(bytes.data(), "x86_64", 7);
    } else {
      std::memcpy(bytes.data(), &bits, sizeof bits);
    }
    return {bytes.data(), bytes.size()};
  }
  FetchedSet set(size_t at) {
    const FuzzedMetric& m = kMetrics[at];
    const bool in_place = m.type == pm_type::i32 || m.type == pm_type::u32;
    FetchedSet out{.pmid = static_cast<PmId>(kFirstPmid + at),
                   .format = in_place ? ValueFormat::in_place : ValueFormat::block};
    const uint64_t fate = draw() % 8;
    if (fate == 0) out.count = pm_err::E_AGAIN;
    if (fate <= 1) return out;
    for (int32_t i = 0; i < 6; ++i) {
      if (m.indom == kNullId ? i > 0 : draw() % 4 == 0) continue;
      Value value{.instance = m.indom == kNullId ? kSingular
                              : fate == 2        ? 5 - i
                                                 : i,
                  .type = static_cast<uint8_t>(m.type)};
      if (in_place) {
        value.word = static_cast<uint32_t>(number());
      } else {
        value.block = block(m.type);
      }
      out.values.push_back(value);
    }
    out.count = static_cast<int>(out.values.size());
    return out;
  }

  uint64_t state_;
  std::deque<std::vector<std::byte>> blocks_;
};

void check_message(std::string_view text) {
  check(text.ends_with('\n') && text.size() > 1, "a message is a line, or some");
  check(text.starts_with("[F:") || text.starts_with("Semantic error: derived metric "),
        "a message says whose it is");
}

void check_set(const FetchedSet& set, const Desc& desc) {
  check(set.count < 0 ? set.values.empty() : set.values.size() == size_t(set.count),
        "a count is that of the values");
  const bool in_place = desc.pm_type == pm_type::i32 || desc.pm_type == pm_type::u32;
  check((set.format == ValueFormat::in_place) == in_place, "numbers of 32 bits stand in place");
  const bool singular = desc.indom == kNullId;
  check(!singular || set.values.size() <= 1, "a singular metric has one value");
  for (const Value& value : set.values) {
    // A domain may be that of a novalue() arm (pcp7), while the other arm has no instances.
    const bool named = value.instance >= 0 && value.instance < 6;
    check(value.instance == kSingular || (named && !singular), "an instance was fetched");
    check(value.type == desc.pm_type, "a value is of the metric's type");
    const size_t size = value.block.size();
    if (in_place) check(size == 0, "what stands in place has no block");
    if (desc.pm_type == pm_type::f32) check(size == 4, "a block of a float");
    if (desc.pm_type == pm_type::i64 || desc.pm_type == pm_type::u64 ||
        desc.pm_type == pm_type::f64) {
      check(size == 8, "a block of 64 bits");
    }
  }
}

// Everything that a deriver says of a metric and its values, as bytes.
void remember(const FetchedSet& set, std::string& out) {
  out += std::to_string(set.count);
  for (const Value& value : set.values) {
    out += ' ' + std::to_string(value.instance) + ':' + std::to_string(value.word) + '=';
    out.append(reinterpret_cast<const char*>(value.block.data()), value.block.size());
  }
  out += '\n';
}

std::string run(const Registry& registry, StrictFiles* strict, uint8_t seed) {
  std::string out;
  const std::function<void(std::string_view)> say = [&](std::string_view text) {
    if (strict == nullptr) check_message(text);
    out += text;
  };
  Recorded recorded;
  ContextDeriver deriver(registry, recorded, strict, say);
  auto metrics = deriver.metrics();
  if (metrics.size() > kMetricsMax) metrics.resize(kMetricsMax);
  std::vector<std::optional<Desc>> descs;
  for (const Deriver::Metric& metric : metrics) {
    const auto desc = deriver.describe(metric.pmid);
    check(!desc || desc->pmid == metric.pmid, "a descriptor has the metric's identifier");
    check(desc || desc.error() == pm_err::E_BADDERIVE, "what cannot be bound says so");
    descs.push_back(desc ? std::optional(*desc) : std::nullopt);
    for (const PmId operand : deriver.operands(metric.pmid)) {
      check(recorded.describe(operand).has_value() || registry.find(operand) != nullptr,
            "an operand is recorded, or another derived metric");
    }
  }
  Fetches fetches(seed);
  for (int number = 0; number < kFetches; ++number) {
    const Fetched fetched = fetches.next(number);
    deriver.begin_fetch();
    for (size_t i = 0; i < metrics.size(); ++i) {
      FetchedSet set;
      deriver.evaluate(metrics[i].pmid, fetched, set);
      check(set.pmid == metrics[i].pmid, "a set is of the metric that was asked for");
      if (descs[i]) check_set(set, *descs[i]);
      check(descs[i] || set.count == pm_err::E_PMID, "what cannot be bound has no values");
      remember(set, out);
    }
  }
  return out;
}

// A file that says that it is strict; what it says of that besides may be wrong.
int fuzz_strict(std::string_view text, uint8_t seed) {
  const SourceText file{.name = "F", .text = "#pmjit: dialect=strict\n" + std::string(text)};
  Diags wrong;
  if (dialect_of(file, {}, wrong) != Dialect::strict || wrong.has_errors()) return 0;
  const auto strict = make_strict_files({});
  Registry registry(Dialect::pcp6);
  const auto unheard = [](std::string_view) {};
  const auto definitions = strict->read(file, unheard);
  if (!definitions) return 0;
  strict->keep(file);
  for (const auto& definition : *definitions) {
    registry.add_strict(definition, "F");
  }
  check(run(registry, strict.get(), seed) == run(registry, strict.get(), seed),
        "two derivers agree");
  return 0;
}

}  // namespace
}  // namespace pmjit

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* bytes, size_t size) {
  using namespace pmjit;
  if (size < 2) return 0;
  const std::string_view text(reinterpret_cast<const char*>(bytes) + 2, size - 2);
  if ((bytes[0] & 2) != 0) return fuzz_strict(text, bytes[1]);
  Registry registry((bytes[0] & 1) != 0 ? Dialect::pcp7 : Dialect::pcp6);
  const std::function<void(std::string_view)> say = check_message;
  Controls controls(registry, say);
  const int defined = ConfigFile("F", text, registry, controls, say).read();
  check(registry.metrics().size() == static_cast<size_t>(defined) + 2, "a file says what it adds");
  check(run(registry, nullptr, bytes[1]) == run(registry, nullptr, bytes[1]), "two derivers agree");
  return 0;
}
