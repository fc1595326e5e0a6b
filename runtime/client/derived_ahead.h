// DerivedAhead: derived metrics beside the recorded ones that are fetched ahead. They are evaluated
// when a block of times is there: over times at which each operand brings the same instances, with
// a value each, all at once, and one after the other elsewhere. Evaluating them moves their history
// to the last time of the block. So a caller takes every time of a block from here.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "runtime/client/ahead_times.h"
#include "runtime/client/context.h"
#include "runtime/client/deriver.h"
#include "runtime/model/fetched_values.h"
#include "runtime/model/set_columns.h"

namespace pmjit {

class DerivedAhead final : public AheadTimes {
 public:
  struct Metric {
    PmId pmid = kNullId;
    bool derived = false;
    Desc desc{};  // of a derived one: its values are numbers
  };
  // What is fetched, in its order; `recorded` are the metrics of `source`, the operands among them.
  // Source and deriver outlive it.
  struct Wanted {
    std::vector<Metric> metrics;
    std::vector<PmId> recorded;
    std::vector<Desc> descs;  // of recorded
    Profile profile;
  };
  DerivedAhead(AheadTimes& source, Deriver& deriver, Wanted wanted);

  [[nodiscard]] const AheadTimes& source() const { return source_; }
  // Are its values what a fetch of these brings?
  [[nodiscard]] bool serves(std::span<const PmId> metrics, const Profile& profile) const;
  // The next fetch, from the values that are there.
  void serve(Fetched& out);

  [[nodiscard]] bool load() override;
  [[nodiscard]] size_t place() const override { return source_.place(); }
  [[nodiscard]] size_t times() const override { return source_.times(); }
  [[nodiscard]] Stamp time(size_t row) const override { return source_.time(row); }
  [[nodiscard]] const Column& column(size_t metric) const override;
  [[nodiscard]] std::span<const int32_t> instances(size_t metric, const Row& row) const override;
  void take(size_t metric, size_t row, const Profile& profile, FetchedSet& out) override;
  void pass(size_t times) override;
  void look_at(std::optional<size_t> row) override { source_.look_at(row); }

 private:
  struct Operand {
    size_t place = 0;  // in recorded
    std::vector<int32_t> instances{}, lanes{};
    std::vector<const std::byte*> values{};
  };
  struct Made {  // a derived metric
    size_t metric = 0;
    std::vector<Operand> operands{};
    Column column{};
    RosterId last_roster = Rosters::kNobodyId;
    std::vector<uint64_t> numbers{};  // what take() makes of 32 bits
  };

  void evaluate(Made& made);
  [[nodiscard]] size_t find_stretch(Made& made, size_t row);
  [[nodiscard]] bool evaluate_stretch(Made& made, size_t row, size_t times);
  void evaluate_one(Made& made, size_t row);
  [[nodiscard]] const Desc& desc(const Made& made) const { return metrics_[made.metric].desc; }

  AheadTimes& source_;
  Deriver& deriver_;
  std::vector<Metric> metrics_;
  std::vector<PmId> recorded_;
  std::vector<Desc> descs_;
  Profile profile_;
  std::vector<size_t> place_;  // of each metric: in recorded_, or in made_
  std::vector<Made> made_;
  Rosters rosters_;
  bool ready_ = false;  // the block of the source is evaluated
  Fetched fetched_;
  FetchedSet set_;
  Arena arena_;
  std::vector<Stamp> stamps_;
  std::vector<SetColumn> columns_;
};

}  // namespace pmjit
