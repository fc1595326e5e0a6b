// Durations and sizes as a configuration has them. Source: spec alerting.md §2.1.
//
//   read_duration("1h30m")    5,400,000 ms        read_duration("5 min")    300,000 ms
//   read_size("64 MiB")       67,108,864
//
// A number without a unit is refused: seconds or milliseconds? `m` is minutes. Units of a duration
// go from the largest to the smallest, each once.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>

namespace pmjit {

// Units ms s m min h d w; at most 1,000,000 days.
[[nodiscard]] std::optional<std::chrono::milliseconds> read_duration(std::string_view text);
// Units B KiB MiB GiB TiB and kB MB GB TB.
[[nodiscard]] std::optional<uint64_t> read_size(std::string_view text);

}  // namespace pmjit
