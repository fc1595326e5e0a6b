#include "runtime/archive/recording/records.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "runtime/base/limits.h"
#include "runtime/model/record_decoder.h"

namespace pmjit {

namespace {

constexpr size_t kOpenVolumes = 2;
constexpr Nanos kMarkDistance = 1'000'000;  // of a virtual mark from the record before (after) it

// The reference carries into the seconds only what is above a whole one.
Stamp beside(Stamp stamp, Nanos distance) {
  int64_t nsec = stamp.nsec + static_cast<int64_t>(distance);
  if (nsec > 1'000'000'000) {
    ++stamp.sec;
    nsec -= 1'000'000'000;
  } else if (nsec < 0) {
    --stamp.sec;
    nsec += 1'000'000'000;
  }
  return {stamp.sec, static_cast<int32_t>(nsec)};
}

// What is wrong with the file. Our own limits are not: what they keep from us is there.
bool is_passed_over(const Error& error) {
  if (error.fault() == Fault::limit || error.fault() == Fault::unsupported) return false;
  switch (error.pm_code()) {
    case pm_err::E_LABEL:
    case pm_err::E_FEATURE:
    case pm_err::E_LOGREC:
    case -ENOENT:
    case -EISDIR:
    case -EACCES: return true;
    default: return false;
  }
}

// The reference believes the version's byte before it looks at the rest of a label, and reads the
// volumes that follow by it: in vain.
bool says_other_version(const VolumeFile& from, Version version) {
  std::array<std::byte, 8> head{};
  std::shared_ptr<const File> file = from.file;
  if (file == nullptr) file = from.store->open(from.path).value_or(nullptr);
  if (file == nullptr || file->read(0, head).value_or(0) < head.size()) return false;
  return head.back() != static_cast<std::byte>(version);
}

Error other_version(const std::string& path) {
  return Error(Fault::format, "label is of another version than that of the first volume")
      .at("file", path)
      .pm_code(pm_err::E_LOGREC)
      .help("take the file out of the folder to read the rest");
}

}  // namespace

RecordReader::RecordReader(const Archives& archives, BadVolumes bad_volumes)
    : archives_(archives), bad_volumes_(bad_volumes) {
  move_to_start();
}

void RecordReader::move_to_start() {
  position_ = {.offset = label_bytes(archives_[0].label().version)};
}

void RecordReader::move_to_end() { move_to_end_of(archives_.size() - 1); }

void RecordReader::move_to_end_of(size_t member) {
  position_ = {.member = member, .volume = archives_[member].volumes().size() - 1};
  const auto file = volume();
  position_.offset = file && *file != nullptr ? (*file)->size() : 0;
}

Result<Volume*> RecordReader::volume() {
  for (size_t i = 0; i < open_.size(); ++i) {
    if (open_[i].member != position_.member || open_[i].volume != position_.volume) continue;
    if (i + 1 != open_.size()) std::swap(open_[i], open_.back());
    return &open_.back().file;
  }
  const Archive& archive = archives_[position_.member];
  auto entered = enter_volume(archive, position_.volume, bad_volumes_);
  if (!entered) return std::unexpected(entered.error());
  if (!*entered) return nullptr;
  if (open_.size() == kOpenVolumes) open_.erase(open_.begin());
  open_.push_back({position_.member, position_.volume, **std::move(entered)});
  return &open_.back().file;
}

Result<bool> RecordReader::take(Bytes bytes, uint64_t offset) {
  note_ = nullptr;
  begin_ = offset;
  record_.version = archives_[position_.member].label().version;
  if (auto read = read_record(bytes, offset); !read) return std::unexpected(read.error());
  bytes_read_ += record_.head.bytes.size();
  if (notes_ != nullptr) {
    give(notes_->add(place_at(offset), record_.head, layout_));
    return true;
  }
  length_ = static_cast<uint32_t>(record_.head.bytes.size());
  record_.stamp = record_.head.stamp;
  record_.mark = record_.head.sets == 0;
  return true;
}

void RecordReader::give(std::shared_ptr<const RecordNote> note) {
  note_ = std::move(note);
  length_ = note_->length;
  record_ = {.stamp = note_->head.stamp,
             .mark = note_->head.sets == 0,
             .head = note_->head,
             .version = archives_[position_.member].label().version};
}

// Checks all of it.
Result<void> RecordReader::read_record(Bytes bytes, uint64_t offset) {
  const Archive& archive = archives_[position_.member];
  const auto refuse = [&](Damage damage) {
    damage.offset += offset;
    return fail(damage_error(archive.volumes()[position_.volume].path, damage));
  };
  // As after a crash of the writer, or before it has written the rest.
  const auto stored = bytes.size() < 4 ? UINT32_MAX : load_be<uint32_t>(bytes.data());
  if (stored > bytes.size() && stored <= limits::kRecordBytesMax) {
    return fail(Error(Fault::truncated, "record is cut short")
                    .at("offset", std::to_string(offset))
                    .at("file", archive.volumes()[position_.volume].path)
                    .pm_code(pm_err::E_LOGREC)
                    .help("records before this offset are intact; copy the archive again, if it is "
                          "not being written"));
  }
  auto head = read_record_head(bytes, record_.version);
  if (!head) return refuse(head.error());
  if (auto sets = read_value_sets(*head, layout_); !sets) return refuse(sets.error());
  if (auto blocks = place_blocks(*head, layout_); !blocks) return refuse(blocks.error());
  record_.head = *head;
  if (undescribed_ != nullptr) note_undescribed(offset);
  return {};
}

void RecordReader::note_undescribed(uint64_t offset) {
  const std::string& path = archives_[position_.member].volumes()[position_.volume].path;
  for (const ValueSet& set : layout_.sets) {
    if (described_->has(set.pmid)) continue;
    undescribed_->add(set.pmid, {.path = path, .offset = offset, .stamp = record_.head.stamp});
  }
}

void RecordReader::note_unlisted(const ValueSet& set, int32_t instance) const {
  if (undescribed_ == nullptr) return;
  undescribed_->add({.pmid = set.pmid, .instance = instance}, archives_.metadata(),
                    {.path = archives_[position_.member].volumes()[position_.volume].path,
                     .offset = begin_,
                     .stamp = record_.stamp});
}

Result<void> RecordReader::check_set(const ValueSet& set, const Desc& desc) const {
  if (undescribed_ == nullptr) return {};
  if (desc.indom == kNullId && set.count > 1) note_unlisted(set, kSingular);
  const auto elem = elem_from_pm(desc.pm_type);
  if (!elem) return {};
  const auto fits = check_values(layout(), set, *elem);
  if (fits) return {};
  Damage damage = fits.error();
  // A note has other offsets.
  damage.offset = begin_ + (note_ == nullptr ? damage.offset : 0);
  const Error error =
      damage_error(archives_[position_.member].volumes()[position_.volume].path, damage);
  undescribed_->add(error, record_.stamp);
  return fail(error);
}

Result<bool> RecordReader::next() {
  using Crossed = RecordPosition::Crossed;
  if (std::exchange(position_.crossed, Crossed::no) == Crossed::forward) {
    if (auto fine = archives_.refuse_overlap(position_.member - 1); !fine) {
      return std::unexpected(fine.error());
    }
  }
  if (notes_ != nullptr) {
    if (auto note = notes_->beginning_at(place_at(position_.offset)); note != nullptr) {
      begin_ = position_.offset;
      give(std::move(note));
      position_.offset += length_;
      return true;
    }
  }
  while (true) {
    const Archive& archive = archives_[position_.member];
    const auto file = volume();
    if (!file) return std::unexpected(file.error());
    // Fewer bytes than a length word behind the last record are no record, nor damage.
    if (*file != nullptr && (*file)->reaches(position_.offset + sizeof(uint32_t) - 1)) {
      const auto bytes = (*file)->window().record_at(position_.offset);
      if (!bytes) {
        return fail(bytes.error().at("file", archive.volumes()[position_.volume].path));
      }
      auto taken = take(*bytes, position_.offset);
      if (taken) position_.offset += length_;
      return taken;
    }
    if (position_.volume + 1 < archive.volumes().size()) {
      ++position_.volume;
      position_.offset = label_bytes(archive.label().version);
      continue;
    }
    if (position_.member + 1 == archives_.size()) return false;
    return cross_forward();
  }
}

Result<bool> RecordReader::previous() {
  using Crossed = RecordPosition::Crossed;
  if (std::exchange(position_.crossed, Crossed::no) == Crossed::backward) {
    if (auto fine = archives_.refuse_overlap(position_.member); !fine)
      return std::unexpected(fine.error());
  }
  if (notes_ != nullptr) {
    if (auto note = notes_->ending_at(place_at(position_.offset)); note != nullptr) {
      give(std::move(note));
      begin_ = position_.offset -= length_;
      return true;
    }
  }
  while (true) {
    const Archive& archive = archives_[position_.member];
    const uint64_t first = label_bytes(archive.label().version);
    if (position_.offset > first) {
      const auto file = volume();
      if (!file) return std::unexpected(file.error());
      if (*file != nullptr) return take_before(**file, first);
      position_.offset = first;
    }
    if (position_.volume > 0) {
      --position_.volume;
      const auto file = volume();
      if (!file) {
        ++position_.volume;
        return std::unexpected(file.error());
      }
      position_.offset = *file != nullptr ? (*file)->size() : first;
      continue;
    }
    if (position_.member == 0) return false;
    return cross_backward();
  }
}

// The record that ends at the position; its length stands in its last word too.
Result<bool> RecordReader::take_before(Volume& file, uint64_t first) {
  const std::string& path = archives_[position_.member].volumes()[position_.volume].path;
  const auto trailer = file.window().before(position_.offset, sizeof(uint32_t));
  if (!trailer) return fail(trailer.error().at("file", path));
  if (trailer->size() < sizeof(uint32_t)) {
    return fail(damage_error(path, {.what = "record is cut short", .offset = position_.offset}));
  }
  const uint64_t bytes = load_be<uint32_t>(trailer->data());
  if (bytes < 2 * sizeof(uint32_t) || bytes > position_.offset - first) {
    return fail(damage_error(
        path, {.what = "record's last word is not its length", .offset = position_.offset - 4}));
  }
  const uint64_t offset = position_.offset - bytes;
  const auto record = file.window().before(position_.offset, bytes);
  if (!record) return fail(record.error().at("file", path));
  auto taken = take(*record, offset);
  if (taken && length_ != bytes) {
    return fail(damage_error(
        path, {.what = "record's last word is not its length", .offset = position_.offset - 4}));
  }
  if (taken) position_.offset = offset;
  return taken;
}

Result<bool> RecordReader::cross_forward() {
  const auto end = archives_.end_before_next(position_.member);
  if (!end) return std::unexpected(end.error());
  const Archive& into = archives_[position_.member + 1];
  position_ = {.member = position_.member + 1,
               .offset = label_bytes(into.label().version),
               .crossed = RecordPosition::Crossed::forward};
  return give_mark(beside(*end, kMarkDistance));
}

Result<bool> RecordReader::cross_backward() {
  const Stamp start = archives_[position_.member].start();
  move_to_end_of(position_.member - 1);
  position_.crossed = RecordPosition::Crossed::backward;
  return give_mark(beside(start, -kMarkDistance));
}

bool RecordReader::give_mark(Stamp stamp) {
  note_ = nullptr;
  record_ = {.stamp = stamp, .mark = true};
  layout_.sets.clear();
  return true;
}

Result<std::optional<Volume>> enter_volume(const Archive& archive, size_t i, BadVolumes bad) {
  const VolumeFile& from = archive.volumes()[i];
  const Version version = archive.label().version;
  const bool pass_over = bad == BadVolumes::pass_over;
  auto volume = Volume::open(from, pass_over ? nullptr : &archive.label());
  if (volume && volume->label().version == version) return *std::move(volume);
  // A writer that died while it changed volumes leaves an empty file: nothing was lost.
  if (!volume && volume.error().pm_code() == pm_err::E_NODATA) return std::nullopt;
  if (!pass_over) return std::unexpected(volume.error());
  // One that opens is of another version.
  if (volume || says_other_version(from, version)) {
    if (i + 1 == archive.volumes().size()) return std::nullopt;
    return fail(other_version(from.path));
  }
  if (is_passed_over(volume.error())) return std::nullopt;
  return std::unexpected(volume.error());
}

}  // namespace pmjit
