#include "tests/unit/archive/support.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "runtime/archive/format/names.h"
#include "tests/lib/lane_text.h"

namespace pmjit::test {

namespace {

std::vector<std::byte> file_bytes(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(in)), {});
  const auto* raw = reinterpret_cast<const std::byte*>(text.data());
  return {raw, raw + text.size()};
}

struct Leaf {
  std::string name;
  Desc desc;
};

std::vector<Leaf> by_name(const Catalog& catalog) {
  std::vector<Leaf> out;
  for (const std::string& name : catalog.leaves("")) out.push_back({name, *catalog.describe(name)});
  return out;
}

std::string row_text(const Row& row, const Column& column, const Rosters& rosters) {
  if (row.status < 0) return fmt::format(" error {}", row.status);
  if (row.roster_id == Rosters::kNobodyId) return " none";
  if (row.roster_id == Rosters::kSingularId) return " " + cases::lane_text(column, row.offset);
  std::string out;
  uint64_t at = row.offset;
  for (const int32_t instance : rosters.instances(row.roster_id)) {
    out += fmt::format(" [{}]={}", instance, cases::lane_text(column, at++));
  }
  return out;
}

std::string block_text(const Block& block, const std::vector<std::string>& metrics,
                       const Rosters& rosters, Stamp start) {
  std::string out;
  std::vector<size_t> next(metrics.size(), 0);
  for (uint32_t r = 0; r < block.records.size(); ++r) {
    const auto since = static_cast<double>(nanos(block.records[r].stamp) - nanos(start)) / 1e9;
    const std::string time = fmt::format("+{:.3f}", since);
    if (block.records[r].mark) out += time + " mark\n";
    for (size_t m = 0; m < metrics.size(); ++m) {
      const Column& column = block.columns[m];
      if (next[m] == column.rows.size() || column.rows[next[m]].record != r) continue;
      const Row& row = column.rows[next[m]++];
      EXPECT_EQ(row.stamp, block.records[r].stamp);
      out += time + " " + metrics[m] + row_text(row, column, rosters) + "\n";
    }
  }
  for (size_t m = 0; m < metrics.size(); ++m) EXPECT_EQ(next[m], block.columns[m].rows.size());
  return out;
}

}  // namespace

std::string golden(std::string_view name) {
  return (std::filesystem::path(PMJIT_GOLDEN) / "archives" / name).string();
}

Result<std::unique_ptr<Archive>> open_parts(const ArchiveParts& parts) {
  ArchiveFiles files{.name = "test"};
  for (const auto& [part, bytes] : parts) {
    if (part.number == kMetaVolume) {
      files.meta = memory_file(bytes);
    } else if (part.number == kIndexVolume) {
      files.index = memory_file(bytes);
    } else {
      files.volumes.push_back({.number = part.number,
                               .path = fmt::format("test.{}", part.number),
                               .bytes = bytes.size(),
                               .file = memory_file(bytes)});
    }
  }
  return Archive::open(std::move(files));
}

ArchiveParts golden_parts(std::string_view name) {
  const auto set = find_files(golden(name));
  EXPECT_TRUE(set.has_value());
  ArchiveParts parts;
  parts[{kMetaVolume}] = file_bytes(set->meta);
  if (!set->index.empty()) parts[{kIndexVolume}] = file_bytes(set->index);
  for (const auto& [number, path] : set->volumes) parts[{number}] = file_bytes(path);
  return parts;
}

std::string content(const Recording& source, std::vector<std::string> metrics, FetchPlan plan) {
  const auto leaves = by_name(source.catalog());
  for (const auto& [name, desc] : leaves) {
    const PmId pmid = desc.pmid;
    const bool readable = elem_from_pm(desc.pm_type).has_value();
    const bool repeated =
        std::ranges::find(plan.metrics, pmid, &WantedMetric::pmid) != plan.metrics.end();
    if (metrics.empty() ? !readable || repeated
                        : std::ranges::find(metrics, name) == metrics.end()) {
      continue;
    }
    plan.metrics.push_back(pmid);
  }
  if (metrics.empty()) {
    for (const WantedMetric& wanted : plan.metrics) {
      for (const auto& [name, desc] : leaves) {
        if (desc.pmid != wanted.pmid) continue;
        metrics.push_back(name);
        break;
      }
    }
  } else {
    std::ranges::sort(metrics);
  }
  Rosters rosters;
  auto cursor = source.open(plan, rosters);
  if (!cursor) return fmt::format("refused {}\n", cursor.error().pm_code());
  std::string out;
  Block block;
  for (;;) {
    const auto more = (*cursor)->next(block);
    if (!more) return out + fmt::format("error {}\n", more.error().pm_code());
    if (!*more) return out;
    out += block_text(block, metrics, rosters, source.start());
  }
}

std::string content(const Result<std::unique_ptr<Archive>>& archive) {
  if (!archive) return fmt::format("refused {}\n", archive.error().pm_code());
  return content(**archive);
}

std::vector<std::byte> bytes_of_hex(std::string_view hex) {
  std::vector<std::byte> out;
  int digits = 0, value = 0;
  for (const char c : hex) {
    if (c == ' ' || c == '\n') continue;
    value = value * 16 + (c <= '9' ? c - '0' : c - 'a' + 10);
    if (++digits == 2) out.push_back(std::byte(static_cast<uint8_t>(value))), digits = value = 0;
  }
  return out;
}

std::string hex_of(Bytes bytes) {
  std::string out;
  for (size_t i = 0; i < bytes.size(); ++i) {
    out += fmt::format("{:02x}", static_cast<uint8_t>(bytes[i]));
    if (i % 4 == 3) out += i % 32 == 31 ? "\n" : " ";
  }
  return out;
}

}  // namespace pmjit::test
