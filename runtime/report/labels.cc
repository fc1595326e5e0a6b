#include "runtime/report/labels.h"

#include <fmt/format.h>

#include "runtime/report/copy_short.h"

namespace pmjit {

std::optional<std::string> instance_text(const Schema& schema, const ResultInfo& info,
                                         int32_t instance, Stamp when) {
  if (info.domain == kNullId || instance == kSingular) return std::nullopt;
  if (auto name = schema.catalog->held_name(info.domain, instance, when)) return name;
  return fmt::format("[{}]", instance & ~kElsewhere);
}

LaneLabels::LaneLabels(const std::vector<std::string>& texts) {
  begins_.push_back(0);
  for (const std::string& text : texts) {
    texts_ += text;
    begins_.push_back(texts_.size());
  }
  texts_.append(kShortStep, '\0');
}

Labels::Labels(const Schema& schema, Make make)
    : schema_(schema), make_(std::move(make)), columns_(schema.infos.size()) {}

const std::shared_ptr<const LaneLabels>& Labels::of(size_t column, const Row& row, Stamp when) {
  const ResultInfo& info = schema_.infos[column];
  const uint64_t epoch =
      info.domain == kNullId ? 0 : schema_.catalog->domain_epoch(info.domain, when);
  OfColumn& of_column = columns_[column];
  if (of_column.last == nullptr || of_column.last_roster != row.roster_id.index) {
    if (of_column.by_roster.size() >= kRostersKept) of_column.by_roster.clear();
    of_column.last = &of_column.by_roster[row.roster_id.index];
    of_column.last_roster = row.roster_id.index;
  }
  Entry& entry = *of_column.last;
  if (entry.labels && epoch != Catalog::kAskAgain && entry.epoch == epoch) return entry.labels;
  std::vector<std::string> texts;
  for (const int32_t instance : schema_.rosters->instances(row.roster_id)) {
    texts.push_back(make_(info, instance_text(schema_, info, instance, when)));
  }
  entry.epoch = epoch;
  entry.labels = std::make_shared<const LaneLabels>(texts);
  return entry.labels;
}

}  // namespace pmjit
