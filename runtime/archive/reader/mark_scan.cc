#include "runtime/archive/reader/mark_scan.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/archive/reader/volume_numbers.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

constexpr size_t kWord = sizeof(uint32_t);
// Of records that are longer a read of a few bytes costs less than reading all of them.
constexpr uint64_t kLongRecord = 4096;

}  // namespace

std::optional<MarkScan::Scanned> MarkScan::next() {
  if (!find_record()) return std::nullopt;
  const std::byte* const head = bytes_.data() + kWord;
  const size_t head_bytes = kWord + stamp_bytes(label_.version) + kWord;
  const uint64_t length = load_be<uint32_t>(head);
  const auto stamp = load_stamp(head + kWord, label_.version);
  ended_ = got_ < head_bytes || length < head_bytes + kWord || length > limits::kRecordBytesMax ||
           !stamp;
  if (ended_) return std::nullopt;
  const Scanned out{.stamp = *stamp,
                    .mark = load_be<uint32_t>(head + head_bytes - kWord) == 0,
                    .at = {.volume = next_volume_ - 1, .offset = offset_},
                    .behind_hole = std::exchange(behind_hole_, false)};
  ended_ = !read_behind(length);
  if (!ended_) return out;
  at_cut_ = next_volume_ == volumes_.size() && offset_ + length > volume_->size();
  return std::nullopt;
}

// The head of a record is in bytes_ afterwards.
bool MarkScan::find_record() {
  while (!ended_) {
    if (volume_ && got_ >= kWord) return true;
    if (volume_ && volume_->reaches(offset_)) {  // it has grown
      got_ = read(offset_, 0, std::span(bytes_).subspan(kWord));
      if (got_ >= kWord) return true;
    }
    ended_ = (volume_ && (got_ != 0 || volume_->shrunk())) || !enter_volume();
  }
  return false;
}

bool MarkScan::enter_volume() {
  volume_.reset();
  got_ = 0;
  while (next_volume_ < volumes_.size()) {
    auto opened = Volume::open(volumes_[next_volume_++], &label_);
    if (opened) {
      volume_ = *std::move(opened);
      const auto before = std::exchange(last_volume_, next_volume_ - 1);
      behind_hole_ |= before && skips_volume(volumes_, *before, *last_volume_);
      offset_ = std::max<uint64_t>(std::exchange(first_, 0), label_bytes(label_.version));
      return true;
    }
    // A writer that died while it changed volumes leaves an empty file.
    if (opened.error().pm_code() != pm_err::E_NODATA) return false;
  }
  at_end_ = true;
  return false;
}

// False: the record does not end where its length says.
bool MarkScan::read_behind(uint64_t length) {
  const size_t got = read(offset_ + length - kWord, length, bytes_);
  if (got < kWord || load_be<uint32_t>(bytes_.data()) != length) return false;
  offset_ += length;
  got_ = got - kWord;
  return true;
}

size_t MarkScan::read(uint64_t offset, uint64_t passed_over, std::span<std::byte> out) {
  if (passed_over > kLongRecord && volume_->file()->seeks_freely()) {
    return volume_->file()->read(offset, out).value_or(0);
  }
  const auto bytes = volume_->window().at(offset, out.size());
  if (!bytes) return 0;
  const size_t got = std::min(out.size(), bytes->size());
  if (got != 0) std::memcpy(out.data(), bytes->data(), got);
  return got;
}

}  // namespace pmjit
