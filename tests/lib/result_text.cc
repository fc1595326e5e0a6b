#include "tests/lib/result_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "runtime/base/result.h"
#include "runtime/testing/case_file.h"
#include "runtime/testing/case_recording.h"

namespace pmjit::cases {
namespace {

std::string reason_text(int32_t status) {
  switch (status) {
    case kNotYetLogged: return "not yet logged";
    case kStale: return "stale";
    case kGap: return "gap";
    case kFirstSample: return "first sample";
    case kNoValue: return "no value";
    case kReset: return "reset";
    case kNoTime: return "no time";
    case kOverflow: return "overflow";
    case kNotANumber: return "NaN";
    case kNobody: return "nobody";
    case kSeveral: return "several";
    case kNoName: return "no name";
    case kHostDown: return "host down";
    default: return fmt::format("error {}", status);
  }
}

// A lane is one word.
std::string lane_reason(int32_t status) {
  std::string text = "(" + reason_text(status) + ")";
  std::ranges::replace(text, ' ', '-');
  return text;
}

std::string name_text(const std::string& name) {
  return name.find_first_of(" =\"") == std::string::npos ? name : fmt::format("\"{}\"", name);
}

std::string without_reason(const std::string& line) {
  const size_t open = line.find(" (");
  return open == std::string::npos ? line : line.substr(0, open);
}

}  // namespace

void ResultText::add(const ResultBlock& block, size_t root) {
  const Column& column = block.columns[root];
  check(column.rows.size() == block.times.size(), "one row an evaluation time");
  for (size_t i = 0; i < block.times.size(); ++i) {
    lines_.push_back(row_text(block.times[i], column, block.reasons[root], column.rows[i]));
  }
}

std::string ResultText::lane_text(const Column& column, const LaneReasons& reasons,
                                  uint64_t index) const {
  if (!column.is_valid(index)) {
    const int32_t reason = reasons.at(index);
    if (info_.domain == kNullId) return fmt::format("? ({})", reason_text(reason));
    return reasons_of_lanes_ ? "?" + lane_reason(reason) : "?";
  }
  const size_t bytes = elem_bytes(column.elem);
  uint64_t bits = 0;
  std::memcpy(&bits, column.values.data() + index * bytes, bytes);
  if (column.elem == Elem::text) {
    return fmt::format("\"{}\"", column.dictionary[static_cast<uint32_t>(bits)]);
  }
  return value_text(bits, column.elem);
}

std::string ResultText::row_text(Stamp time, const Column& column, const LaneReasons& reasons,
                                 const Row& row) const {
  std::string line = fmt::format("t={}", time_text(time));
  if (row.status != 0) return fmt::format("{} ? ({})", line, reason_text(row.status));
  const std::span<const int32_t> instances = rosters_.instances(row.roster_id);
  if (instances.empty()) return line + " -";
  for (size_t lane = 0; lane < instances.size(); ++lane) {
    line += ' ';
    if (info_.domain != kNullId) {
      const auto name = catalog_.instance_name(info_.domain, instances[lane], time);
      line += name ? name_text(*name) : fmt::format("[#{}]", instances[lane]);
      line += '=';
    }
    line += lane_text(column, reasons, row.offset + lane);
  }
  return line;
}

std::vector<std::string> canonical_lines(const std::vector<std::string>& lines) {
  std::vector<std::string> out;
  for (const std::string& line : lines) {
    const std::vector<std::string> words = split_words(line);
    std::string text;
    bool lanes = words.size() > 1, unknown = true;
    for (size_t i = 0; i < words.size(); ++i) {
      text += (i == 0 ? "" : " ") + words[i];
      const bool lane = words[i].find('=') != std::string::npos;
      if (i == 0) continue;
      lanes = lanes && lane;
      unknown = unknown && words[i].ends_with("=?");
    }
    out.push_back(lanes && unknown ? words[0] + " ?" : text);
  }
  return out;
}

bool same_line(const std::string& expected, const std::string& actual) {
  return expected == actual ||
         (without_reason(expected) == expected && expected == without_reason(actual));
}

}  // namespace pmjit::cases
