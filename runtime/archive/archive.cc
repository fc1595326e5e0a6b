#include "runtime/archive/archive.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include <fmt/core.h>

#include "runtime/archive/format/member.h"
#include "runtime/archive/format/names.h"
#include "runtime/archive/reader/index.h"
#include "runtime/archive/reader/record_piece.h"
#include "runtime/archive/reader/volume_numbers.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

Error nothing_there(const std::string& path, uint64_t size) {
  return damage_error(
      path,
      {.what = "there is nothing behind the label", .offset = size, .pm_code = pm_err::E_NODATA});
}

Bytes all_of(const Buffer& buffer) { return {buffer.data(), buffer.size()}; }

// The whole of a metadata or index file, its label checked.
Result<Buffer> checked_file(const File& file, const std::string& path, int32_t number,
                            const Label& first, Features features) {
  auto all = read_whole(file, limits::kMetadataBytesMax);
  if (!all) return fail(all.error().at("file", path));
  const Bytes bytes = all_of(*all);
  const auto label = read_label(bytes, number, features);
  if (!label) return fail(damage_error(path, label.error()));
  if (bytes.size() <= label_bytes(label->version)) return fail(nothing_there(path, bytes.size()));
  if (!same_recording(*label, first)) {
    return fail(damage_error(
        path, {.what = "label differs from that of the first volume", .pm_code = pm_err::E_LABEL}));
  }
  return all;
}

Error several(const std::string& name, const std::vector<std::string>& names) {
  return Error(Fault::unsupported,
               fmt::format("these are {} archives; reading them as one is not supported here",
                           names.size()))
      .at("archive", name)
      .help(fmt::format("name one of them, such as {}", names.front()));
}

// Numbers that an index can have.
bool is_sound(const IndexEntry& entry) {
  constexpr int32_t kVolumesMax = 1'000'000, kSecond = 1'000'000'000;
  return entry.volume >= 0 && entry.volume < kVolumesMax && entry.stamp.nsec >= 0 &&
         entry.stamp.nsec < kSecond && entry.meta_offset >= 0 && entry.data_offset >= 0;
}

// The entries of an index that may be damaged; `index` may be null.
std::vector<IndexEntry> entries_of(const File* index, Features features) {
  if (index == nullptr) return {};
  const auto bytes = read_whole(*index, limits::kMetadataBytesMax);
  if (!bytes) return {};
  const auto label = read_label(all_of(*bytes), kIndexVolume, features);
  return label ? read_index(all_of(*bytes), label->version) : std::vector<IndexEntry>();
}

// Of the first volume. The index says what was in it.
Error empty_volume(const std::string& path, const std::vector<IndexEntry>& index) {
  std::string help = "nothing was recorded, or the file was copied in part: copy it again";
  if (!index.empty() && is_sound(index.front()) && is_sound(index.back())) {
    help = fmt::format("its index names records from {} to {}, so they are lost: copy {} again",
                       iso_utc(index.front().stamp), iso_utc(index.back().stamp), path);
  }
  return Error(Fault::format, "the volume is empty, and no value can be read")
      .at("file", path)
      .pm_code(pm_err::E_NODATA)
      .help(std::move(help));
}

std::vector<std::string> volume_warnings(const std::vector<VolumeFile>& volumes,
                                         std::span<const IndexEntry> index) {
  auto out = missing_volumes(volumes_present(volumes, index), index);
  for (const VolumeFile& volume : volumes) {
    if (!is_emptied(volume, index)) continue;
    const std::string missing = fmt::format("volume {} is missing", volume.number);
    for (std::string& sentence : out) {
      if (!sentence.starts_with(missing + ":")) continue;
      sentence.replace(0, missing.size(), fmt::format("volume {} is empty", volume.number));
    }
  }
  return out;
}

// The last record of the last volume that has one (spec §15).
Stamp find_end(const std::vector<VolumeFile>& volumes, const Label& label) {
  for (auto from = volumes.rbegin(); from != volumes.rend(); ++from) {
    auto volume = Volume::open(*from, nullptr);  // whoever wrote it
    if (!volume || volume->label().version != label.version) continue;
    if (const auto stamp = volume->last_good_stamp()) return *stamp;
  }
  return kStampMax;
}

}  // namespace

Result<std::unique_ptr<Archive>> Archive::open(const std::string& name,
                                               const ArchiveOptions& options) {
  const auto names = expand_archive_names(name);
  if (!names) return std::unexpected(names.error());
  if (names->size() != 1) return fail(several(name, *names));
  auto set = find_files(names->front());
  if (!set) return std::unexpected(set.error());
  const auto store = std::make_shared<MemberStore>();
  ArchiveFiles files{.name = set->base, .options = options};
  for (const auto& [number, path] : set->volumes) {
    std::error_code unknown;
    const auto bytes = std::filesystem::file_size(path, unknown);
    files.volumes.push_back({.number = number,
                             .path = path,
                             .bytes = unknown ? 0 : bytes,
                             .store = store,
                             .features = options.features});
  }
  auto meta = open_member(set->meta);
  if (!meta) return std::unexpected(meta.error());
  files.meta = *std::move(meta);
  if (!set->index.empty()) {
    auto index = open_member(set->index);
    if (!index) return std::unexpected(index.error());
    files.index = *std::move(index);
  }
  return open(std::move(files));
}

Result<std::unique_ptr<Archive>> Archive::open(ArchiveFiles files) {
  std::unique_ptr<Archive> archive(new Archive(std::move(files)));
  auto loaded = archive->load();
  if (!loaded) return std::unexpected(loaded.error());
  return archive;
}

Result<void> Archive::load() {
  if (files_.meta == nullptr || files_.volumes.empty()) {
    return fail(Error(Fault::not_found, "the archive has no metadata or no data")
                    .at("archive", files_.name)
                    .pm_code(pm_err::E_LOGFILE));
  }
  const VolumeFile& first = files_.volumes.front();
  auto volume = Volume::open(first, nullptr);
  const uint64_t bytes = first.file ? first.file->size() : first.bytes;
  if (!volume && volume.error().pm_code() == pm_err::E_NODATA && bytes == 0) {
    return fail(empty_volume(first.path, entries_of(files_.index.get(), files_.options.features)));
  }
  if (!volume) return std::unexpected(volume.error());
  label_ = volume->label();
  if (label_.start == kStampMax) {  // of all others nobody asks it
    return fail(damage_error(
        first.path,
        {.what = "label has an impossible start time", .offset = 12, .pm_code = pm_err::E_LABEL}));
  }
  if (volume->size() <= label_bytes(label_.version)) {
    return fail(nothing_there(first.path, volume->size()));
  }
  if (auto index = load_index(); !index) return index;
  const std::string meta_path = files_.name + ".meta";
  auto meta = checked_file(*files_.meta, meta_path, kMetaVolume, label_, files_.options.features);
  if (!meta) return std::unexpected(meta.error());
  meta_bytes_ = *std::move(meta);
  auto metadata = read_metadata(all_of(meta_bytes_), label_.version, files_.options.extra_units);
  if (!metadata) return fail(damage_error(meta_path, metadata.error()));
  metadata_ = *std::move(metadata);
  files_.meta.reset();  // a context of many archives would keep as many files open
  files_.index.reset();
  end_ = find_end(files_.volumes, label_);
  std::ranges::move(volume_warnings(files_.volumes, index_), std::back_inserter(warnings_));
  return {};
}

Result<void> Archive::load_index() {
  if (files_.index == nullptr) return {};
  const std::string path = files_.name + ".index";
  auto index = checked_file(*files_.index, path, kIndexVolume, label_, files_.options.features);
  const bool tolerant = files_.options.without_bad_index;
  if (!index && (!tolerant || index.error().pm_code() == pm_err::E_FEATURE)) {
    return std::unexpected(index.error());
  }
  if (index) index_ = read_index(all_of(*index), label_.version);
  if (index && (!tolerant || std::ranges::all_of(index_, is_sound))) return {};
  index_.clear();
  warnings_.emplace_back("its index is damaged, so pmjit reads the archive without it");
  return {};
}

Result<Stamp> Archive::last_record() const {
  const Stamp end = find_end(files_.volumes, label_);
  if (end != kStampMax) return end;
  return fail(Error(Fault::format, "no record of the archive is whole")
                  .at("archive", files_.name)
                  .pm_code(pm_err::E_LOGREC));
}

Result<std::unique_ptr<Cursor>> Archive::open(const FetchPlan& plan, Rosters& rosters) const {
  auto pieces = open_pieces(plan);
  if (!pieces) return fail(pieces.error());
  return cursor_over(*std::move(pieces), rosters);
}

Result<std::unique_ptr<Pieces>> Archive::open_pieces(const FetchPlan& plan) const {
  return open_record_pieces(plan, {.name = files_.name, .label = label_, .volumes = files_.volumes},
                            metadata_);
}

uint64_t Archive::bytes() const {
  uint64_t total = 0;
  for (const VolumeFile& volume : files_.volumes) {
    total += volume.file ? volume.file->size() : volume.bytes;
  }
  return total;
}

}  // namespace pmjit
