#include "runtime/report/unknown_shares.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "runtime/report/reason.h"

namespace pmjit {

namespace {

constexpr uint64_t kShare = 10;            // told where more than one in so many is unknown
constexpr uint64_t kExplainedMost = 4096;  // lanes of a result: enough for a share of a tenth
constexpr size_t kNamesMost = 3;           // of results that one line is about
constexpr size_t kLinesMost = 10;          // beside the output, on one screen

// each(index of the value) for every unknown lane of a known row.
template <class Each>
void each_unknown_lane(const Column& column, const Row& row, uint64_t lanes, Each each) {
  if (column.valid.empty() || bits::all_set(column.valid.data(), row.offset, lanes)) return;
  for (uint64_t i = row.offset; i < row.offset + lanes; ++i) {
    if (!column.is_valid(i)) each(i);
  }
}

}  // namespace

void UnknownShares::add(const ResultBlock& block, const Rosters& rosters) {
  shares_.resize(std::max(shares_.size(), block.columns.size()));
  KnownLanes known(rosters);
  for (size_t k = 0; k < block.columns.size(); ++k) {
    const Column& column = block.columns[k];
    Share& share = shares_[k];
    if (k < may_be_empty_.size() && may_be_empty_[k]) {
      share.rows += column.rows.size();
      share.empty_rows +=
          static_cast<uint64_t>(std::ranges::count_if(column.rows, [&](const Row& row) {
            return row.status == kKnown && rosters.size(row.roster_id) == 0;
          }));
    }
    if (column.valid.empty() && known.of(column.rows).all) {
      share.known.rows += column.rows.size();
      share.known.lanes += known.of(column.rows).lanes;
      continue;
    }
    // Most rows are of the instances of the row before, and unknown for the same reason.
    RosterId roster_id = Rosters::kNobodyId;
    uint64_t lanes = 0;
    int32_t reason = kKnown;
    uint64_t* of_reason = nullptr;
    for (const Row& row : column.rows) {
      if (row.roster_id != roster_id) {
        roster_id = row.roster_id;
        lanes = rosters.size(roster_id);
      }
      if (row.status != kKnown) {
        if (row.status != reason) of_reason = &share.rows_by_reason[reason = row.status];
        ++share.lost_rows;
        ++*of_reason;
        continue;
      }
      ++share.known.rows;
      share.known.lanes += lanes;
      each_unknown_lane(column, row, lanes, [&](uint64_t) { ++share.unknown_lanes; });
    }
  }
  if (!block.reasons.empty()) explain(block, rosters);
}

bool UnknownShares::wants_reasons() const {
  return std::ranges::any_of(shares_, [](const Share& share) {
    return share.often_unknown() && share.explained < std::min(share.unknown_lanes, kExplainedMost);
  });
}

void UnknownShares::explain(const ResultBlock& block, const Rosters& rosters) {
  for (size_t k = 0; k < block.columns.size(); ++k) {
    const Column& column = block.columns[k];
    Share& share = shares_[k];
    for (const Row& row : column.rows) {
      if (row.status != kKnown) continue;
      each_unknown_lane(column, row, rosters.size(row.roster_id), [&](uint64_t i) {
        ++share.explained;
        ++share.lanes_by_reason[block.reasons[k].at(i)];
      });
    }
  }
}

bool UnknownShares::Share::often_unknown() const { return unknown_lanes * kShare > values(); }

uint64_t UnknownShares::Share::unknown_for(int32_t reason) const {
  const auto rows = rows_by_reason.find(reason);
  const auto of_lanes = lanes_by_reason.find(reason);
  uint64_t out = rows == rows_by_reason.end() ? 0 : rows->second * known.values_each();
  if (of_lanes == lanes_by_reason.end()) return out;
  if (explained == unknown_lanes) return out + of_lanes->second;
  const double part = static_cast<double>(of_lanes->second) / static_cast<double>(explained);
  return out + static_cast<uint64_t>(part * static_cast<double>(unknown_lanes));
}

std::string UnknownShares::Share::text(std::string_view hint) const {
  std::set<int32_t> reasons;
  for (const auto& of : {rows_by_reason, lanes_by_reason}) {
    for (const auto& [reason, count] : of) reasons.insert(reason);
  }
  const uint64_t values = this->values();
  const uint64_t all = unknown_lanes + lost_rows * known.values_each();
  uint64_t told = 0;
  bool guessed = false;
  std::vector<std::pair<uint64_t, std::string>> causes;
  for (const int32_t reason : reasons) {
    const uint64_t count = unknown_for(reason);
    if (count * kShare <= values) continue;
    guessed = guessed || (explained < unknown_lanes && lanes_by_reason.contains(reason));
    told += count;
    const bool is_told = reason == kHostDown && !down.empty();
    causes.emplace_back(count, is_told ? down : reason_text(reason));
  }
  if (causes.empty()) return {};
  std::string out = fmt::format("{}{} of {} {} {} unknown: ", guessed ? "about " : "", all, values,
                                values == 1 ? "value" : "values", all == 1 ? "is" : "are");
  // Shares that are guessed are rounded.
  const bool others = causes.size() < reasons.size() || (explained == 0 && unknown_lanes > 0);
  const std::string_view end = all < values || causes.size() > 1 || others ? hint : "";
  if (causes.size() == 1 && !others) return fmt::format("{}{}{}", out, causes.front().second, end);
  std::ranges::stable_sort(causes, std::greater{}, [](const auto& cause) { return cause.first; });
  if (others && told < all) causes.emplace_back(all - told, "others");
  for (size_t i = 0; i < causes.size(); ++i) {
    out += fmt::format("{}{} ({})", i > 0 ? ", " : "", causes[i].second, causes[i].first);
  }
  return out.append(end);
}

std::string UnknownShares::Share::empty_text() const {
  if (empty_rows * kShare <= rows) return {};
  return fmt::format("{} of {} times {} no value", empty_rows, rows,
                     empty_rows == 1 ? "has" : "have");
}

std::vector<std::string> UnknownShares::lines_of(size_t result) const {
  std::vector<std::string> out;
  if (result >= shares_.size()) return out;
  for (std::string text : {shares_[result].text({}), shares_[result].empty_text()}) {
    if (!text.empty()) out.push_back(std::move(text));
  }
  return out;
}

std::vector<std::string> UnknownShares::lines(const std::vector<ResultInfo>& infos,
                                              std::string_view hint) const {
  return lines_by([&](const Share& share) { return share.text(hint); }, infos);
}

std::vector<std::string> UnknownShares::empty_lines(const std::vector<ResultInfo>& infos) const {
  return lines_by(std::mem_fn(&Share::empty_text), infos);
}

// A line for all results of which the same is to be said.
std::vector<std::string> UnknownShares::lines_by(const TextOf& text_of,
                                                 const std::vector<ResultInfo>& infos) const {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;  // what, and of which
  std::unordered_map<std::string, size_t> places;
  for (size_t k = 0; k < shares_.size(); ++k) {
    const std::string text = text_of(shares_[k]);
    if (text.empty()) continue;
    const auto [place, is_new] = places.try_emplace(text, found.size());
    if (is_new) found.push_back({text, {}});
    found[place->second].second.push_back(name_with_host(infos[k]));
  }
  std::vector<std::string> out;
  size_t left_out = 0;
  for (const auto& [text, names] : found) {
    if (out.size() == kLinesMost) {
      left_out += names.size();
      continue;
    }
    const size_t shown = names.size() <= kNamesMost + 1 ? names.size() : kNamesMost;
    const std::span<const std::string> first(names.data(), shown);
    const std::string more =
        shown == names.size() ? "" : fmt::format(" and {} more", names.size() - shown);
    out.push_back(fmt::format("{}{}: {}", fmt::join(first, ", "), more, text));
  }
  if (left_out > 0) {
    out.push_back(fmt::format("{} more results have as many unknown values", left_out));
  }
  return out;
}

uint64_t UnknownShares::lanes() const {
  uint64_t out = 0;
  for (const Share& share : shares_) out += share.known.lanes;
  return out;
}

}  // namespace pmjit
