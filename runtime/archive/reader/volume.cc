#include "runtime/archive/reader/volume.h"

#include <algorithm>
#include <cstring>

#include "runtime/archive/reader/record.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

std::optional<RecordHead> sound_record(const Result<Bytes>& bytes, Version version,
                                       RecordLayout& scratch) {
  if (!bytes) return std::nullopt;
  const auto head = read_record_head(*bytes, version);
  if (!head || !read_value_sets(*head, scratch) || !place_blocks(*head, scratch)) {
    return std::nullopt;
  }
  return *head;
}

constexpr size_t kWindowBytes = 256u << 10, kGrowth = 4;

// A large piece for small records. Of large ones no more than the record, for what is read of the
// next would be moved before that is read.
uint64_t bytes_to_read(uint64_t wanted, size_t piece) {
  if (wanted < piece / 2) return piece;
  return (wanted + kPageBytes - 1) / kPageBytes * kPageBytes;
}

}  // namespace

Result<Volume> Volume::open(const VolumeFile& from, const Label* first) {
  std::shared_ptr<const File> file = from.file;
  if (file == nullptr) {
    auto opened = from.store->open(from.path);
    if (!opened) return std::unexpected(opened.error());
    file = *std::move(opened);
  }
  Volume volume(std::move(file));
  auto bytes = volume.window_.at(0, label_bytes(Version::v3));
  if (!bytes) return fail(bytes.error().at("file", from.path));
  auto label = read_label(*bytes, from.number, from.features);
  if (!label) {
    // Behind the first volume an empty file has lost nothing; one that has started has.
    const bool started = first != nullptr && !bytes->empty();
    if (started && label.error().pm_code == pm_err::E_NODATA) {
      label.error() = {.what = "label is cut short", .pm_code = pm_err::E_LABEL};
    }
    return fail(damage_error(from.path, label.error()));
  }
  if (first != nullptr && !same_recording(*label, *first)) {
    return fail(damage_error(from.path, {.what = "label differs from that of the first volume",
                                         .pm_code = pm_err::E_LABEL}));
  }
  volume.label_ = *std::move(label);
  return volume;
}

std::optional<Stamp> Volume::last_good_stamp() {
  RecordLayout scratch;
  const Version version = label_.version;
  const uint64_t first = label_bytes(version);
  if (size() < first + 4) return std::nullopt;
  const auto trailer = window_.at(size() - 4, 4);
  if (!trailer || trailer->size() < 4) return std::nullopt;
  const uint64_t last_bytes = load_be<uint32_t>(trailer->data());
  if (last_bytes <= size() - first) {
    const auto head = sound_record(window_.record_at(size() - last_bytes), version, scratch);
    if (head && head->bytes.size() == last_bytes) return head->stamp;
  }
  // The tail is damaged, as after a crash: the way to the last whole record leads from the front.
  std::optional<Stamp> stamp;
  for (uint64_t at = first; at < size();) {
    const auto head = sound_record(window_.record_at(at), version, scratch);
    if (!head) break;
    stamp = head->stamp;
    at += head->bytes.size();
  }
  return stamp;
}

Result<Bytes> FileWindow::at(uint64_t offset, size_t wanted) {
  if (offset < first_ || offset + wanted > first_ + used_) {
    const uint64_t first = offset / kPageBytes * kPageBytes;
    if (auto filled = fill(first, bytes_to_read(offset - first + wanted, piece_)); !filled)
      return std::unexpected(filled.error());
  }
  const auto skip = static_cast<size_t>(offset - first_);
  if (skip >= used_) return Bytes{};
  return Bytes(buffer_.data() + skip, used_ - skip);
}

Result<Bytes> FileWindow::before(uint64_t end, size_t wanted) {
  const uint64_t offset = end - std::min<uint64_t>(end, wanted);
  if (offset < first_ || end > first_ + used_) {
    const uint64_t first =
        (end - std::min(end, bytes_to_read(end - offset, piece_))) / kPageBytes * kPageBytes;
    if (auto filled = fill(first, end - first); !filled) return std::unexpected(filled.error());
  }
  const auto skip = static_cast<size_t>(offset - first_);
  if (skip >= used_) return Bytes{};
  const Bytes rest(buffer_.data() + skip, used_ - skip);
  return rest.first(std::min(rest.size(), static_cast<size_t>(end - offset)));
}

// The buffer becomes the `wanted` bytes from `first` on; what it holds of them already is moved.
Result<void> FileWindow::fill(uint64_t first, uint64_t wanted) {
  const bool inside = first >= first_ && first < first_ + used_;
  const size_t kept = inside ? static_cast<size_t>(first_ + used_ - first) : 0;
  const uint64_t size = file_->size();
  const uint64_t in_file = first < size ? size - first : 0;
  const auto bytes = static_cast<size_t>(std::min(wanted, in_file));
  if (kept != 0) std::memmove(buffer_.data(), buffer_.data() + (first - first_), kept);
  first_ = first;
  used_ = kept;
  if (kept >= bytes) return {};
  piece_ = std::min(piece_ * kGrowth, kWindowBytes);
  buffer_.resize(bytes);
  auto got = file_->read(first + kept, std::span(buffer_.data() + kept, bytes - kept));
  if (!got) return std::unexpected(got.error());
  used_ = kept + *got;
  return {};
}

Result<Bytes> FileWindow::record_at(uint64_t offset) {
  auto bytes = at(offset, sizeof(uint32_t));
  if (!bytes || bytes->size() < sizeof(uint32_t)) return bytes;
  const uint32_t length = load_be<uint32_t>(bytes->data());
  if (length <= bytes->size() || length > limits::kRecordBytesMax) return bytes;
  return at(offset, length);
}

}  // namespace pmjit
