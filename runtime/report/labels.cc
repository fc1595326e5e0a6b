#include "runtime/report/labels.h"

#include <fmt/format.h>

namespace pmjit {

std::optional<std::string> instance_text(const Schema& schema, const ResultInfo& info,
                                         int32_t instance, Stamp when) {
  if (info.domain == kNullId || instance == kSingular) return std::nullopt;
  if (auto name = schema.catalog->held_name(info.domain, instance, when)) return name;
  return fmt::format("[{}]", instance);
}

Labels::Labels(const Schema& schema, Make make)
    : schema_(schema), make_(std::move(make)), by_column_(schema.infos.size()) {}

Labels::Lanes Labels::of(size_t column, const Row& row, Stamp when) {
  const ResultInfo& info = schema_.infos[column];
  const uint64_t epoch =
      info.domain == kNullId ? 0 : schema_.catalog->domain_epoch(info.domain, when);
  auto& entries = by_column_[column];
  auto it = entries.find(row.roster_id.index);
  if (it != entries.end() && epoch != Catalog::kAskAgain && it->second.epoch == epoch) {
    return {it->second.texts, it->second.version};
  }
  if (it == entries.end()) {
    if (entries.size() >= kRostersKept) entries.clear();
    it = entries.try_emplace(row.roster_id.index).first;
  }
  Entry& entry = it->second;
  entry.epoch = epoch;
  entry.version = ++versions_;
  entry.texts.clear();
  for (const int32_t instance : schema_.rosters->instances(row.roster_id)) {
    entry.texts.push_back(make_(info, instance_text(schema_, info, instance, when)));
  }
  return {entry.texts, entry.version};
}

}  // namespace pmjit
