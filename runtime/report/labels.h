// Labels: for each lane of a result the text that does not change from row to row
// ("host,metric,instance,"). Built once a roster and once more when the domain's names change;
// bounded by kRostersKept a column.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/report/writer.h"

namespace pmjit {

// The instance's name at that time; none for a singular result. "[17]" where the source has no name
// for it.
std::optional<std::string> instance_text(const Schema& schema, const ResultInfo& info,
                                         int32_t instance, Stamp when);

// A text a lane, one behind the other, for copy_short(). Never changed, so any thread may read it.
class LaneLabels {
 public:
  explicit LaneLabels(const std::vector<std::string>& texts);
  [[nodiscard]] size_t size() const { return begins_.size() - 1; }
  [[nodiscard]] std::string_view operator[](size_t lane) const {
    return {texts_.data() + begins_[lane], begins_[lane + 1] - begins_[lane]};
  }

 private:
  std::string texts_;
  std::vector<size_t> begins_;
};

class Labels {
 public:
  // Makes the text of one lane; no instance: a singular result.
  using Make =
      std::function<std::string(const ResultInfo&, const std::optional<std::string>& instance)>;

  Labels(const Schema& schema, Make make);
  // One text a lane of the row. The same object, the same texts.
  const std::shared_ptr<const LaneLabels>& of(size_t column, const Row& row, Stamp when);

 private:
  static constexpr size_t kRostersKept = 64;
  struct Entry {
    uint64_t epoch = Catalog::kAskAgain;
    std::shared_ptr<const LaneLabels> labels{};
  };
  struct OfColumn {
    std::unordered_map<uint32_t, Entry> by_roster{};
    uint32_t last_roster = 0;
    Entry* last = nullptr;
  };
  const Schema& schema_;
  Make make_;
  std::vector<OfColumn> columns_;
};

}  // namespace pmjit
