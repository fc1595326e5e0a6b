#include "tests/fuzz/archive_input.h"

#include <algorithm>
#include <span>

#include "runtime/archive/recording/archives.h"
#include "runtime/archive/writer.h"
#include "runtime/base/result.h"

namespace pmjit::fuzz {

namespace {

constexpr size_t kArchivesMax = 2, kFilesMax = 8;  // of one archive

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
  check(writer.close().has_value(), "memory takes an archive");
  return parts;
}

ArchiveFiles files_of(std::span<const InputFile> from, std::string name) {
  ArchiveParts parts;
  for (const InputFile& file : from.first(std::min(from.size(), kFilesMax))) {
    parts[{file.number}].assign(file.bytes.begin(), file.bytes.end());
  }
  for (auto& [part, bytes] : sound_archive(from.empty() ? Version::v3 : from[0].version)) {
    if (part.number != kIndexVolume) parts.try_emplace(part, std::move(bytes));
  }
  ArchiveFiles files{.name = std::move(name)};
  for (auto& [part, bytes] : parts) {
    const uint64_t size = bytes.size();
    if (part.number == kMetaVolume) {
      files.meta = memory_file(std::move(bytes));
    } else if (part.number == kIndexVolume) {
      files.index = memory_file(std::move(bytes));
    } else if (part.number >= 0) {
      files.volumes.push_back({.number = part.number,
                               .path = "fuzz.N",
                               .bytes = size,
                               .file = memory_file(std::move(bytes))});
    }
  }
  return files;
}

// Where the files of the second archive start.
size_t second_archive(const ArchiveInput& input) {
  bool has_meta = false;
  for (size_t i = 0; i < input.files.size(); ++i) {
    if (input.files[i].number != kMetaVolume) continue;
    if (has_meta) return i;
    has_meta = true;
  }
  return input.files.size();
}

}  // namespace

uint32_t ArchiveInput::parameter(size_t i) const {
  return i < parameters.size() ? std::to_integer<uint32_t>(parameters[i]) : 0;
}

ArchiveInput take_apart_input(Bytes all) {
  const auto starts = label_starts(all);
  ArchiveInput input{.parameters = all.first(starts.empty() ? 0 : starts[0])};
  for (size_t i = 0; i < starts.size() && i < kArchivesMax * kFilesMax; ++i) {
    const size_t end = i + 1 < starts.size() ? starts[i + 1] : all.size();
    InputFile file{.bytes = all.subspan(starts[i], end - starts[i])};
    file.version = static_cast<Version>(std::to_integer<uint8_t>(file.bytes[7]));
    const size_t at = file.version == Version::v2 ? 20 : 24;
    if (file.bytes.size() >= at + 4) {
      file.number = static_cast<int32_t>(load_be<uint32_t>(file.bytes.data() + at));
    }
    input.files.push_back(file);
  }
  return input;
}

ArchiveFiles archive_files(const ArchiveInput& input) {
  return files_of(std::span(input.files).first(second_archive(input)), "fuzz");
}

std::unique_ptr<Archives> open_archives(const ArchiveInput& input) {
  const size_t second = second_archive(input);
  std::vector<std::unique_ptr<Archive>> members;
  for (const auto files :
       {std::span(input.files).first(second), std::span(input.files).subspan(second)}) {
    if (!members.empty() && files.empty()) break;
    auto archive = Archive::open(files_of(files, members.empty() ? "fuzz" : "second"));
    if (!archive) return nullptr;
    members.push_back(*std::move(archive));
  }
  auto archives = Archives::of(std::move(members));
  return archives ? *std::move(archives) : nullptr;
}

}  // namespace pmjit::fuzz
