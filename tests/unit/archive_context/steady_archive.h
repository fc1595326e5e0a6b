// SteadyArchive: archives whose metrics mostly keep their instances, for tests that compare ways of
// reading them.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include "runtime/archive/recording/archives.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {

inline constexpr Stamp kSteadyStart{1'700'000'000, 250'000'000};

// Metrics whose instances stay, in groups that are logged at times of their own. What else may be
// found in archives is rare, and at any time of them.
class SteadyArchive {
 public:
  static constexpr PmId kMetrics = 12;

  enum class Damage : uint8_t { none, in_last_third };
  SteadyArchive(uint32_t seed, int records, Damage damage = Damage::none,
                Stamp start = kSteadyStart)
      : random_(seed), odd_(seed % 3 == 0 ? 0 : 1), start_(start) {
    ArchiveParts parts;
    const auto output = memory_output(parts);
    ArchiveWriter writer({.start = start_}, *output);
    for (PmId pmid = 1; pmid <= kMetrics; ++pmid) add(writer, pmid, seed);
    for (int k = 0; k < records; ++k) {
      const Stamp second{start_.sec + 10 * k,
                         start_.nsec + static_cast<int32_t>(k == 0 ? 0 : random_() % 1000)};
      if (odd()) writer.mark(second);
      put(writer, {second.sec, second.nsec + 1000}, [](PmId pmid) { return pmid <= 6; });
      if (k % 6 == 1) {
        put(writer, {second.sec + (odd() ? 0 : 1), second.nsec + 1000},
            [](PmId pmid) { return pmid > 6 && pmid < kMetrics - 1; });
      }
      if (k == 3) put(writer, {second.sec + 2, 0}, [](PmId pmid) { return pmid == kMetrics - 1; });
    }
    EXPECT_TRUE(writer.close().has_value());
    if (damage == Damage::in_last_third) {
      auto& volume = parts.at({0});
      const size_t from = volume.size() * 2 / 3 + random_() % 100;
      for (size_t at = from; at < from + 4096; ++at) volume[at] = std::byte{0xff};
    }
    archive_ = *open_parts(parts);
  }
  [[nodiscard]] std::unique_ptr<Archive> take_one() { return std::move(archive_); }
  [[nodiscard]] std::unique_ptr<Archives> take() {
    std::vector<std::unique_ptr<Archive>> one;
    one.push_back(take_one());
    return *Archives::of(std::move(one));
  }

 private:
  struct Shape {
    Desc desc;
    std::vector<int32_t> instances;
    std::vector<uint64_t> values;
  };

  bool odd() { return odd_ > 0 && random_() % 100 < odd_; }

  void add(ArchiveWriter& writer, PmId pmid, uint32_t seed) {
    constexpr int kTypes[] = {pm_type::u64, pm_type::u32, pm_type::f64,
                              pm_type::i32, pm_type::f32, pm_type::i64};
    constexpr Semantics kSemantics[] = {Semantics::counter, Semantics::instant, Semantics::discrete,
                                        Semantics::counter};
    const InDomId domain = pmid % 3 == 0 ? kNullId : 0x400000 + pmid;
    Shape& shape = shapes_[pmid];
    shape.desc = {.pmid = pmid,
                  .pm_type = kTypes[(pmid + seed) % std::size(kTypes)],
                  .indom = domain,
                  .semantics = kSemantics[(pmid + seed / 2) % std::size(kSemantics)]};
    writer.add_metric(fmt::format("m{}", pmid), shape.desc);
    if (domain == kNullId) {
      shape.instances = {kSingular};
    } else {
      std::vector<Catalog::Instance> named;
      for (uint32_t i = 0, many = pmid % 2 == 0 ? 3 : 20; i < many; ++i) {
        const auto id = static_cast<int32_t>(i * 7 + random_() % 7);
        named.push_back({.id = id, .name = fmt::format("i{}", id)});
        shape.instances.push_back(id);
      }
      // Of some an instance is never recorded.
      if (seed % 4 == 1) shape.instances.pop_back();
      writer.set_instances(domain, named, start_);
    }
    shape.values.resize(shape.instances.size());
  }

  uint64_t bits_of(uint64_t value, int type) const {
    switch (type) {
      case pm_type::f32: return std::bit_cast<uint32_t>(static_cast<float>(value));
      case pm_type::f64: return std::bit_cast<uint64_t>(static_cast<double>(value) / 3);
      default: return value;
    }
  }

  template <class Which>
  void put(ArchiveWriter& writer, Stamp stamp, Which which) {
    std::vector<WrittenSet> sets;
    std::vector<std::vector<std::byte>> bytes(shapes_.size() + 1);
    for (auto& [pmid, shape] : shapes_) {
      if (!which(pmid) || odd()) continue;
      const size_t width = is_of_8(static_cast<uint32_t>(shape.desc.pm_type)) ? 8 : 4;
      std::span<const int32_t> instances = shape.instances;
      if (instances.size() > 1 && odd()) instances = instances.first(1);
      for (size_t i = 0; i < instances.size(); ++i) {
        // Sometimes it stays, sometimes it falls.
        if (random_() % 3 != 0) shape.values[i] += random_() % 1'000'000'000;
        if (odd()) shape.values[i] = random_();
        const uint64_t bits = bits_of(shape.values[i], shape.desc.pm_type);
        const auto* raw = reinterpret_cast<const std::byte*>(&bits);
        bytes[pmid].insert(bytes[pmid].end(), raw, raw + width);
      }
      if (odd()) {
        sets.push_back({.pmid = pmid, .status = -12345});
      } else {
        sets.push_back({.pmid = pmid, .instances = instances, .values = bytes[pmid]});
      }
    }
    if (!sets.empty()) writer.put(stamp, sets);
  }

  std::mt19937 random_;
  uint32_t odd_;  // of a hundred
  Stamp start_;
  std::map<PmId, Shape> shapes_;
  std::unique_ptr<Archive> archive_;
};

}  // namespace pmjit::test
