#include "runtime/tz/rules.h"

#include <algorithm>
#include <utility>

#include "runtime/tz/calendar.h"

namespace pmjit::tz {

namespace {

// The table ends with 2099; a bucket spans 48 days, about as long as any clock stays.
constexpr int64_t kTableEnd = 4'102'444'800;
constexpr int kTableYear = 2'100;
constexpr int kBucketBits = 22;
constexpr size_t kStretchesMax = 4'096;  // real zones have 500; beyond, times are searched for

}  // namespace

Rules::Rules(ZoneData data) : data_(std::move(data)) {
  if (!data_.rules.empty() && !data_.times.empty()) text_ = PosixZone::parse(data_.rules);
  make_table();
}

Rules::Rules(const PosixZone& text) : text_(text) { make_table(); }

// Borders of years count too: a rule is that of UTC's year, wherever its changes lie.
void Rules::add_years(std::vector<int64_t>& borders) const {
  const int64_t first = data_.times.empty() ? 0 : data_.times.back();
  if (!text_ || first >= kTableEnd) return;
  const int64_t day = floor_div(std::max<int64_t>(first, 0), kDaySeconds);
  for (int64_t year = date_of_day(day).year; year < kTableYear; ++year) {
    for (const int64_t at : {days_from_date({.year = year}) * kDaySeconds,
                             text_->to_summer.at(year), text_->to_standard.at(year)}) {
      if (at > first) borders.push_back(at);
    }
  }
}

void Rules::make_table() {
  const bool is_text = data_.types.empty();
  std::vector<int64_t> borders{is_text ? 0 : INT64_MIN};
  borders.insert(borders.end(), data_.times.begin(), data_.times.end());
  for (const LeapSecond& leap : data_.leaps) {
    borders.push_back(leap.at);
    if (leap.at < INT64_MAX) borders.push_back(leap.at + 1);
  }
  add_years(borders);
  std::ranges::sort(borders);
  if (borders.size() > kStretchesMax) return;
  for (const int64_t from : borders) {
    if (from >= kTableEnd) break;
    const UtcOffset clock = reckon(from);
    if (table_.empty() || table_.back().clock != clock) table_.push_back({from, clock});
  }
  size_t stretch = 0;
  for (int64_t from = 0; from < kTableEnd; from += int64_t{1} << kBucketBits) {
    while (stretch + 1 < table_.size() && table_[stretch + 1].from <= from) ++stretch;
    buckets_.push_back(static_cast<uint16_t>(stretch));
  }
}

UtcOffset Rules::at(int64_t sec) const {
  if (sec >= kTableEnd || table_.empty() || sec < table_.front().from) return reckon(sec);
  if (sec < 0) {
    const auto next = std::ranges::upper_bound(table_, sec, {}, &Stretch::from);
    return std::prev(next)->clock;
  }
  size_t stretch = buckets_[static_cast<size_t>(sec >> kBucketBits)];
  while (stretch + 1 < table_.size() && table_[stretch + 1].from <= sec) ++stretch;
  return table_[stretch].clock;
}

bool Rules::local(int64_t sec, std::tm& tm) const {
  const UtcOffset clock = at(sec);
  int64_t shown = 0;
  if (__builtin_add_overflow(sec, clock.shift, &shown) || !fill_clock(shown, tm)) return false;
  tm.tm_sec += clock.extra;
  tm.tm_isdst = clock.summer, tm.tm_gmtoff = clock.east;
  return true;
}

const ZoneType* Rules::type_at(int64_t sec) const {
  if (data_.types.empty()) return nullptr;
  if (data_.times.empty() || sec < data_.times.front()) {
    // What the file has first; summer only where it has nothing else.
    const auto winter = std::ranges::find(data_.types, false, &ZoneType::summer);
    return winter == data_.types.end() ? &data_.types.front() : &*winter;
  }
  if (sec >= data_.times.back() && text_) return nullptr;
  const auto next = std::ranges::upper_bound(data_.times, sec);
  return &data_.types[data_.kinds[static_cast<size_t>(next - data_.times.begin()) - 1]];
}

Offset Rules::offset_at(int64_t sec) const {
  if (const ZoneType* const type = type_at(sec)) return {type->east, type->summer};
  return text_ ? text_->at(sec) : Offset{};
}

const std::string& Rules::name_at(int64_t sec) const {
  if (const ZoneType* const type = type_at(sec)) return type->name;
  if (!text_) return data_.rules;  // which is empty then
  return text_->at(sec).summer ? text_->summer : text_->standard;
}

// The last leap second up to `sec` counts. Within one that is put in, the minute has a 61st second;
// where several follow each other at once, a 62nd.
UtcOffset Rules::reckon(int64_t sec) const {
  const Offset offset = offset_at(sec);
  UtcOffset clock{.east = offset.east, .shift = offset.east, .summer = offset.summer};
  const auto& leaps = data_.leaps;
  size_t i = leaps.size();
  while (i > 0 && sec < leaps[i - 1].at) --i;
  if (i == 0) return clock;
  --i;
  clock.shift -= leaps[i].change;
  if (sec != leaps[i].at || leaps[i].change <= (i == 0 ? 0 : leaps[i - 1].change)) return clock;
  clock.extra = 1;
  const auto follows = [](const LeapSecond& leap, const LeapSecond& before) {
    return leap.at > before.at && leap.at - 1 == before.at && leap.change == before.change + 1;
  };
  for (; i > 0 && follows(leaps[i], leaps[i - 1]); --i) ++clock.extra;
  return clock;
}

}  // namespace pmjit::tz
