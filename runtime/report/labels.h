// Labels: for each lane of a result the text that does not change from row to row
// ("host,metric,instance,"). Built once a roster and once more when the domain's names change;
// bounded by kRostersKept a column.
#pragma once

#include <functional>
#include <optional>
#include <span>
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

class Labels {
 public:
  // Makes the text of one lane; no instance: a singular result.
  using Make =
      std::function<std::string(const ResultInfo&, const std::optional<std::string>& instance)>;

  Labels(const Schema& schema, Make make);
  // One text a lane of the row, valid until the next call for this column. Equal versions, equal
  // texts.
  struct Lanes {
    std::span<const std::string> texts;
    uint64_t version = 0;
  };
  Lanes of(size_t column, const Row& row, Stamp when);

 private:
  static constexpr size_t kRostersKept = 64;
  struct Entry {
    uint64_t epoch = Catalog::kAskAgain;
    std::vector<std::string> texts;
    uint64_t version = 0;
  };
  const Schema& schema_;
  Make make_;
  std::vector<std::unordered_map<uint32_t, Entry>> by_column_;
  uint64_t versions_ = 0;
};

}  // namespace pmjit
