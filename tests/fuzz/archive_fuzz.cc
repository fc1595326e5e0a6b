// An archive of arbitrary bytes: opened, every metric read, every instance named, at several block
// sizes.
//
// The input is a metadata file and up to three volumes: a file starts where its label does, that is
// at the four bytes of the magic number less four. Bytes before the first label are dropped. So a
// golden archive's files, one behind the other, are a seed, and so is each of them alone: what is
// missing is a small sound file.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/archive/archive.h"
#include "runtime/archive/writer.h"

namespace {

using namespace pmjit;
using Part = std::vector<std::byte>;

// Where a label starts: length word, then 50 05 26 02 or 03.
std::vector<size_t> label_starts(Bytes all) {
  std::vector<size_t> starts;
  for (size_t i = 4; i + 4 <= all.size(); ++i) {
    const uint32_t word = load_be<uint32_t>(all.data() + i);
    if (word == (kLabelMagic | 2) || word == (kLabelMagic | 3)) starts.push_back(i - 4);
  }
  return starts;
}

ArchiveParts sound_archive(Version version) {
  ArchiveParts parts;
  const auto output = memory_output(parts);
  ArchiveWriter writer(
      {.version = version, .start = {.sec = 1}, .host = "vec.example", .pid = 1234}, *output);
  writer.add_metric("a.b", {.pmid = 1, .pm_type = 3, .indom = 1, .units = {}});
  writer.set_instances(1, {{1, "one"}}, {.sec = 1});
  const int32_t ids[] = {1};
  const uint64_t values[] = {7};
  const WrittenSet set{.pmid = 1, .instances = ids, .values = std::as_bytes(std::span(values))};
  writer.put({.sec = 1}, {&set, 1});
  if (!writer.close()) std::abort();
  return parts;
}

// The parts of the input by the volume number of their labels; what is missing is sound.
ArchiveFiles files_of(Bytes all) {
  const auto starts = label_starts(all);
  ArchiveParts parts;
  for (size_t i = 0; i < starts.size() && parts.size() < 4; ++i) {
    const size_t end = i + 1 < starts.size() ? starts[i + 1] : all.size();
    const Bytes bytes = all.subspan(starts[i], end - starts[i]);
    const bool v2 = load_be<uint32_t>(bytes.data() + 4) == (kLabelMagic | 2);
    const size_t at = v2 ? 20 : 24;
    const bool whole = bytes.size() >= at + 4;
    const auto number = whole ? static_cast<int32_t>(load_be<uint32_t>(bytes.data() + at)) : 0;
    parts[{number}].assign(bytes.begin(), bytes.end());
  }
  const bool v2 = !starts.empty() && std::to_integer<int>(all[starts[0] + 7]) == 2;
  for (auto& [part, bytes] : sound_archive(v2 ? Version::v2 : Version::v3)) {
    if (part.number != kIndexVolume) parts.try_emplace(part, std::move(bytes));
  }
  ArchiveFiles files{.name = "fuzz"};
  for (auto& [part, bytes] : parts) {
    const uint64_t size = bytes.size();
    if (part.number == kMetaVolume)
      files.meta = memory_file(std::move(bytes));
    else if (part.number == kIndexVolume)
      files.index = memory_file(std::move(bytes));
    else if (part.number >= 0) {
      files.volumes.push_back({.number = part.number,
                               .path = "fuzz.N",
                               .bytes = size,
                               .file = memory_file(std::move(bytes))});
    }
  }
  return files;
}

void read_all(const Archive& archive, uint32_t rows_max) {
  FetchPlan plan{.metrics = {}, .rows_max = rows_max};
  for (const auto& [pmid, desc] : archive.metadata().descs) {
    if (elem_from_pm(desc.pm_type)) plan.metrics.push_back(pmid);
  }
  Rosters rosters;
  const auto cursor = archive.open(plan, rosters);
  if (!cursor) return;
  Block block;
  uint64_t sum = 0;
  while ((*cursor)->next(block).value_or(false)) {
    for (const Column& column : block.columns) {
      for (const Row& row : column.rows) {
        if (row.offset + rosters.size(row.roster_id) > column.count) std::abort();
      }
      const auto* bytes = column.values.as<unsigned char>();
      for (size_t i = 0; i < column.count * elem_bytes(column.elem); ++i) sum += bytes[i];
    }
  }
  [[maybe_unused]] volatile uint64_t read = sum;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const Bytes all(reinterpret_cast<const std::byte*>(data), size);
  const auto archive = Archive::open(files_of(all));
  if (!archive) return 0;
  for (const auto& [indom, domain] : (*archive)->metadata().domains) {
    for (const auto& instance : domain.all()) {
      (void)(*archive)->catalog().instance_name(indom, instance.id, (*archive)->end());
    }
  }
  read_all(**archive, 0);
  read_all(**archive, 1);
  return 0;
}
