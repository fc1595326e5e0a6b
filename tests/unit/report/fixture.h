// Results made by hand: a host with a few disks whose names a catalog knows, and one block of two
// times.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime/report/writer.h"

namespace pmjit {

class Disks final : public Catalog {
 public:
  std::map<int32_t, std::string> names{{0, "sda"}, {1, "sd,b"}, {2, "x \"y\""}};
  uint64_t epoch = 1;

  Result<Desc> describe(std::string_view) const override {
    return fail(Fault::not_found, "instances only");
  }
  std::vector<std::string> leaves(std::string_view) const override { return {}; }
  std::optional<std::string> instance_name(InDomId, int32_t instance, Stamp) const override;
  uint64_t domain_epoch(InDomId, Stamp) const override { return epoch; }
  std::vector<Instance> instances(InDomId) const override;
};

inline constexpr Stamp kNoon{1'700'000'000, 0};
inline constexpr InDomId kDiskDomain = 60u << 22 | 1;

// The block to a writer of either kind, as pmjit eval gives it, in one thread.
[[nodiscard]] Result<void> write(Writer& writer, const ResultBlock& block);

struct Lab {
  Disks catalog;
  Rosters rosters;
  std::vector<ResultInfo> infos;
  ResultBlock block;
  std::vector<std::string> only;  // instances asked for; empty: all

  // A column of f64 values, a row a time of the block: the values of each row; roster of its own.
  template <class T>
  void add_row(size_t column, RosterId roster, const std::vector<T>& values) {
    Column& target = block.columns[column];
    Row row{.roster_id = roster, .offset = target.grow(values.size())};
    for (size_t i = 0; i < values.size(); ++i) target.values.as<T>()[row.offset + i] = values[i];
    target.rows.push_back(row);
  }
  void add_unknown(size_t column, int32_t status) {
    block.columns[column].rows.push_back({.roster_id = Rosters::kNobodyId, .status = status});
  }
  void add_texts(size_t column, const std::vector<std::string>& texts);
  size_t add_column(ResultInfo info);

  // The block to the writer, from its beginning to its end.
  void give(Writer& writer);
  // Everything the format prints for the block.
  std::string print(std::string_view format, const WriterOptions& options = {});
};

}  // namespace pmjit
