#include "runtime/archive/reader/record_piece.h"

#include <algorithm>
#include <array>
#include <utility>

#include "runtime/archive/reader/volume.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

constexpr size_t kWordBytes = sizeof(uint32_t);
// What is read of a record that is not whole is read again for the next piece, unless it is a large
// part of this one: then the piece takes all of it.
constexpr size_t kSmallPart = 8;
// As many as there are of a usual host in a part of a file that is read at once.
constexpr size_t kHeadsMax = 64;

bool may_be_length(size_t length) {
  return length >= 2 * kWordBytes && length <= limits::kRecordBytesMax;
}

}  // namespace

RecordPiece::RecordPiece(const FetchPlan& plan, Decoder decoder, Buffer& buffer,
                         UndescribedMetrics* undescribed, const Metadata& metadata)
    : from_(plan.from),
      to_(plan.to),
      rows_max_(plan.rows_max != 0 ? plan.rows_max : limits::kBlockRowsMax),
      decoder_(std::move(decoder)),
      undescribed_(undescribed),
      metadata_(metadata),
      buffer_(buffer) {}

void RecordPiece::start_at(Place place) {
  place_ = std::move(place);
  mark_.reset();
  size_ = done_ = 0;
  claimed_ = 0;
  records_ = 0;
  astray_ = false;
}

Result<bool> RecordPiece::load(Place place, size_t wanted) {
  start_at(std::move(place));
  return load_here(wanted);
}

size_t RecordPiece::read_words(uint64_t offset, std::span<std::byte> out) const {
  return place_.file->read(place_.offset + offset, out).value_or(0);
}

// A read costs a microsecond: one a record is a twenty-fifth of all that there is to do.
bool RecordPiece::guess(size_t wanted) {
  std::array<std::byte, 2 * kWordBytes> words;
  if (read_words(0, std::span(words).first(kWordBytes)) != kWordBytes) return false;
  const size_t length = load_be<uint32_t>(words.data());
  if (!may_be_length(length) || length >= wanted) return false;
  const size_t records = (wanted + length - 1) / length;
  if (records > kClaimedMax) return false;
  if (read_words(records * length - kWordBytes, words) != words.size()) return false;
  if (load_be<uint32_t>(words.data()) != length) return false;
  if (load_be<uint32_t>(words.data() + kWordBytes) != length) return false;
  claimed_ = records * length;
  records_ = static_cast<uint32_t>(records);
  return true;
}

bool RecordPiece::claim(Place place, size_t wanted, Guess guess) {
  start_at(std::move(place));
  if (guess == Guess::yes && this->guess(wanted)) return true;
  std::array<std::byte, 2 * kWordBytes> words;  // the end of a record, and the length of the next
  bool more = read_words(0, std::span(words).first(kWordBytes)) == kWordBytes;
  const std::byte* next = words.data();
  while (more && claimed_ < wanted && records_ < kClaimedMax) {
    const size_t length = load_be<uint32_t>(next);
    if (!may_be_length(length)) break;
    const size_t got = read_words(claimed_ + length - kWordBytes, words);
    if (got < kWordBytes || load_be<uint32_t>(words.data()) != length) break;
    claimed_ += length;
    ++records_;
    more = got == words.size();
    next = words.data() + kWordBytes;
  }
  return claimed_ != 0;
}

// A part of what was claimed: as much as stays in the second-level cache.
Result<void> RecordPiece::load_claimed() {
  place_.offset += size_;
  const auto sound = load_here(std::min<uint64_t>(claimed_, limits::kPieceBytes));
  if (!sound) {
    let_go();
    return std::unexpected(sound.error());
  }
  astray_ = *sound && size_ > claimed_;
  // Whoever cut the file short since has cut off all that follows.
  claimed_ -= *sound ? std::min<uint64_t>(claimed_, size_) : claimed_;
  return {};
}

Result<bool> RecordPiece::load_here(size_t wanted) {
  buffer_.clear();
  bytes_ = {};
  size_ = done_ = 0;
  if (auto got = read_first(std::max(wanted, kWordBytes)); !got) {
    return std::unexpected(got.error());
  }
  if (bytes_.empty()) return fail(stop({.what = "record is cut short"}));
  for (;;) {
    const Bytes rest = bytes_.subspan(size_);
    if (rest.size() < kWordBytes) {
      if (size_ != 0) return true;
      break;
    }
    const size_t length = load_be<uint32_t>(rest.data());
    if (!may_be_length(length)) break;
    if (length > rest.size()) {
      if (size_ != 0 && rest.size() < wanted / kSmallPart) return true;
      if (auto got = read_more(size_ + length); !got) {
        if (size_ != 0) return true;  // the next piece meets it again
        return std::unexpected(got.error());
      }
      if (bytes_.size() < size_ + length) break;  // the file ends in it
    } else if (load_be<uint32_t>(rest.data() + length - kWordBytes) != length) {
      break;
    } else {
      size_ += length;
      ++records_;
    }
  }
  size_ = bytes_.size();
  return false;
}

// Where a file can be read in part only, all records before that are whole.
Result<void> RecordPiece::read_first(size_t wanted) {
  constexpr size_t kLess = 16;
  // Of the last record there is only the beginning, and its rest would not fit.
  const uint64_t there = place_.file->size();
  const uint64_t left = there - std::min(place_.offset, there);
  buffer_.reserve(static_cast<size_t>(std::min<uint64_t>(2 * wanted, left + kPageBytes)));
  auto got = read_more(wanted);
  while (!got && wanted > kWordBytes) {
    wanted = std::max(wanted / kLess, kWordBytes);
    got = read_more(wanted);
  }
  return got;
}

// So that there are `bytes` behind the place, or all that the file has.
Result<void> RecordPiece::read_more(size_t bytes) {
  const uint64_t first = place_.offset / kPageBytes * kPageBytes;
  const auto skip = static_cast<size_t>(place_.offset - first);
  const uint64_t there = place_.file->size();
  const uint64_t in_file = first < there ? there - first : 0;
  const size_t had = buffer_.size();
  buffer_.resize(
      static_cast<size_t>(std::max<uint64_t>(had, std::min<uint64_t>(skip + bytes, in_file))));
  auto got = place_.file->read(first + had, std::span(buffer_.data() + had, buffer_.size() - had));
  if (!got) {
    buffer_.resize(had);
    return fail(got.error().at("file", *place_.path));
  }
  buffer_.resize(had + *got);
  bytes_ = Bytes(buffer_.data(), buffer_.size()).subspan(std::min(skip, buffer_.size()));
  return {};
}

void RecordPiece::become_mark(Stamp stamp) {
  start_at({});
  mark_ = stamp;
}

bool RecordPiece::full(const Block& block) const {
  return block.records.size() >= rows_max_ || decoder_.size_in_values() >= decoder_.block_values();
}

// Records behind the first that are as long and may go into the same block.
void RecordPiece::look_ahead(const RecordHead& first, const Block& block) {
  heads_.assign(1, first);
  const size_t length = first.bytes.size();
  const size_t records = std::min<size_t>(heads_max_, rows_max_ - block.records.size());
  for (size_t at = done_ + length; heads_.size() < records && at != size_; at += length) {
    if (load_be<uint32_t>(bytes_.data() + at) != length) return;
    const auto head = read_record_head(bytes_.first(size_).subspan(at), place_.version);
    if (!head || head->sets == 0 || head->stamp < from_ || head->stamp > to_) return;
    heads_.push_back(*head);
  }
}

Result<Piece::State> RecordPiece::decode(Block& block) {
  while (mark_ || done_ != size_ || claimed_ != 0) {
    if (full(block)) return State::more;
    if (mark_) {
      block.records.push_back({.stamp = *mark_, .mark = true});
      mark_.reset();
      continue;
    }
    if (done_ == size_) {
      if (auto loaded = load_claimed(); !loaded) return std::unexpected(loaded.error());
    }
    const auto head = read_record_head(bytes_.first(size_).subspan(done_), place_.version);
    if (!head) return fail(stop(head.error()));
    if (head->stamp > to_) {
      let_go();
      return State::ended;
    }
    size_t records = 1;
    if (head->stamp >= from_) {
      if (head->sets == 0) {
        block.records.push_back({.stamp = head->stamp, .mark = true});
      } else {
        look_ahead(*head, block);
        const auto taken = decoder_.decode(heads_, block, decoder_.block_values());
        if (decoder_.has_strangers()) note_strangers(*head);
        if (!taken) return fail(stop(taken.error()));
        records = *taken;
        const bool all_alike = records == heads_.size() || full(block);
        heads_max_ = all_alike ? std::min(2 * heads_max_, kHeadsMax) : 1;
      }
    }
    done_ += records * head->bytes.size();
    block.bytes += records * head->bytes.size();
  }
  let_go();
  return astray_ ? State::astray : State::spent;
}

RecordPiece::Place RecordPiece::end() const {
  Place place = place_;
  place.offset += size_;
  return place;
}

// Volumes may be many, and a piece may lie unused for long: it must not keep one open.
void RecordPiece::let_go() {
  done_ = size_;
  claimed_ = 0;
  place_.file.reset();
}

void RecordPiece::note_strangers(const RecordHead& of) {
  const UndescribedMetrics::Place place{
      .path = *place_.path, .offset = place_.offset + done_, .stamp = of.stamp};
  for (const PmId pmid : decoder_.take_strangers()) undescribed_->add(pmid, place);
  for (const UnlistedInstance& unlisted : decoder_.take_unlisted()) {
    undescribed_->add(unlisted, metadata_, place);
  }
}

Error RecordPiece::stop(Damage damage) {
  if (place_.file->size() < place_.file_bytes) {
    damage.what = "the file became shorter while it was being read";
  }
  damage.offset += place_.offset + done_;
  let_go();
  return damage_error(*place_.path, damage);
}

}  // namespace pmjit
