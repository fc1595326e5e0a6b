#include "rules/daemon_config/quantities.h"

#include <array>
#include <charconv>

#include "runtime/base/chars.h"

namespace pmjit {
namespace {

constexpr std::chrono::milliseconds kDurationMax = std::chrono::days(1'000'000);

struct DurationUnit {
  std::string_view name;
  int64_t ms;
};
constexpr auto kDurationUnits = std::to_array<DurationUnit>({{"w", 604'800'000},
                                                             {"d", 86'400'000},
                                                             {"h", 3'600'000},
                                                             {"m", 60'000},
                                                             {"min", 60'000},
                                                             {"s", 1'000},
                                                             {"ms", 1}});

struct SizeUnit {
  std::string_view name;
  uint64_t bytes;
};
constexpr auto kSizeUnits = std::to_array<SizeUnit>({{"B", 1},
                                                     {"KiB", uint64_t{1} << 10},
                                                     {"MiB", uint64_t{1} << 20},
                                                     {"GiB", uint64_t{1} << 30},
                                                     {"TiB", uint64_t{1} << 40},
                                                     {"kB", 1'000},
                                                     {"MB", 1'000'000},
                                                     {"GB", 1'000'000'000},
                                                     {"TB", 1'000'000'000'000}});

void skip_blanks(std::string_view& text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
}

std::optional<uint64_t> take_number(std::string_view& text) {
  uint64_t number = 0;
  const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (wrong != std::errc{}) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  skip_blanks(text);
  return number;
}

std::string_view take_unit(std::string_view& text) {
  size_t length = 0;
  while (length < text.size() && is_letter(text[length])) ++length;
  const std::string_view unit = text.substr(0, length);
  text.remove_prefix(length);
  skip_blanks(text);
  return unit;
}

}  // namespace

std::optional<std::chrono::milliseconds> read_duration(std::string_view text) {
  int64_t total = 0, last_unit = INT64_MAX;
  do {
    const auto number = take_number(text);
    const std::string_view name = take_unit(text);
    const DurationUnit* unit = nullptr;
    for (const DurationUnit& row : kDurationUnits) {
      if (row.name == name) unit = &row;
    }
    if (!number || unit == nullptr || unit->ms >= last_unit) return std::nullopt;
    const auto left = static_cast<uint64_t>((kDurationMax.count() - total) / unit->ms);
    if (*number > left) return std::nullopt;
    total += static_cast<int64_t>(*number) * unit->ms;
    last_unit = unit->ms;
  } while (!text.empty());
  return std::chrono::milliseconds(total);
}

std::optional<uint64_t> read_size(std::string_view text) {
  const auto number = take_number(text);
  const std::string_view name = take_unit(text);
  if (!number || !text.empty()) return std::nullopt;
  for (const SizeUnit& unit : kSizeUnits) {
    if (unit.name == name && *number <= UINT64_MAX / unit.bytes) return *number * unit.bytes;
  }
  return std::nullopt;
}

}  // namespace pmjit
