// ChangingArchive: a random recording in memory whose instances come and go, for tests of replay.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <set>
#include <utility>

#include "runtime/archive/recording/archives.h"
#include "runtime/model/pm_codes.h"
#include "tests/unit/archive/support.h"

namespace pmjit::test {

// Records whose instances change, marks, gaps and errors. The same twice but that the stamps of one
// do not rise strictly at its start, which is no matter to values and ends what is kept.
class ChangingArchive {
 public:
  static constexpr PmId kWide = 1, kNarrow = 2, kText = 3, kSingle = 4, kUnasked = 9;
  static constexpr Stamp kStart{1'700'000'000, 0};

  ChangingArchive(uint32_t seed, int records, bool rising) : random_(seed), rising_(rising) {
    odd_ = seed % 3 == 0 ? 0 : 5;
    return_ = seed % 2 == 1;
    for (uint32_t k = 0, few = seed % 4 < 2 ? 3 : 24; k < few; ++k) now_.insert(next_id_++);
    write(records);
  }
  [[nodiscard]] const Archives& archives() const { return *archives_; }
  [[nodiscard]] std::unique_ptr<Archives> take() { return std::move(archives_); }

 private:
  static constexpr InDomId kDomain = 0x400001;

  bool odd() { return odd_ > 0 && random_() % 100 < odd_; }

  void change() {
    if (random_() % 3 == 0) return;
    gone_.push_back(*std::next(now_.begin(), static_cast<int>(random_() % now_.size())));
    now_.erase(gone_.back());
    now_.insert(return_ && random_() % 4 == 0 ? gone_[random_() % gone_.size()] : next_id_++);
  }

  void write(int records) {
    ArchiveParts parts;
    const auto output = memory_output(parts);
    ArchiveWriter writer({.start = kStart}, *output);
    const auto add = [&](PmId pmid, int type, InDomId indom, Semantics semantics) {
      writer.add_metric(fmt::format("m{}", pmid),
                        {.pmid = pmid, .pm_type = type, .indom = indom, .semantics = semantics});
    };
    add(kWide, pm_type::u64, kDomain, Semantics::counter);
    add(kNarrow, pm_type::i32, kDomain, Semantics::instant);
    add(kText, pm_type::string, kDomain, Semantics::discrete);
    add(kSingle, pm_type::f64, kNullId, Semantics::instant);
    add(kUnasked, pm_type::u64, kNullId, Semantics::counter);
    for (int k = 0; k < records; ++k) {
      const Stamp stamp{kStart.sec + 10 * k, static_cast<int32_t>(random_() % 1000)};
      if (k > 0 && odd()) {
        writer.mark(stamp);
        continue;
      }
      change();
      std::vector<Catalog::Instance> named;
      for (const int32_t id : now_) named.push_back({.id = id, .name = fmt::format("i{}", id)});
      if (!odd()) writer.set_instances(kDomain, named, stamp);
      if (k == 2 && !rising_) put_single(writer, stamp, kUnasked);
      put_record(writer, stamp);
    }
    EXPECT_TRUE(writer.close().has_value());
    std::vector<std::unique_ptr<Archive>> one;
    one.push_back(*open_parts(parts));
    archives_ = *Archives::of(std::move(one));
  }

  void put_record(ArchiveWriter& writer, Stamp stamp) {
    std::vector<int32_t> ids;
    std::vector<uint64_t> wide;
    std::vector<int32_t> narrow;
    std::vector<std::string> texts;
    for (const int32_t id : now_) {
      if (odd()) continue;
      ids.push_back(id);
      wide.push_back(random_() % 100'000);
      narrow.push_back(static_cast<int32_t>(random_() % 100));
      texts.push_back(std::to_string(random_() % 10));
    }
    std::vector<WrittenSet> sets;
    sets.push_back({.pmid = kWide, .instances = ids, .values = std::as_bytes(std::span(wide))});
    sets.push_back({.pmid = kNarrow, .instances = ids, .values = std::as_bytes(std::span(narrow))});
    sets.push_back({.pmid = kText, .instances = ids, .texts = texts});
    if (odd()) sets.erase(sets.begin() + random_() % 3);
    if (odd()) sets.front() = {.pmid = sets.front().pmid, .status = -12345};
    writer.put(stamp, sets);
    if (random_() % 4 == 0) put_single(writer, {stamp.sec + 3, 0}, kSingle);
  }

  static void put_single(ArchiveWriter& writer, Stamp stamp, PmId pmid) {
    const auto value = static_cast<uint64_t>(stamp.sec);
    const std::vector<int32_t> one{kSingular};
    const std::vector<WrittenSet> sets{
        {.pmid = pmid, .instances = one, .values = std::as_bytes(std::span(&value, 1))}};
    writer.put(stamp, sets);
  }

  std::mt19937 random_;
  bool rising_, return_ = false;  // does what went come again?
  uint32_t odd_ = 0;              // of a hundred
  int32_t next_id_ = 1;
  std::set<int32_t> now_;
  std::vector<int32_t> gone_;
  std::unique_ptr<Archives> archives_;
};

}  // namespace pmjit::test
