// How the archive targets' inputs are changed. Bytes changed at random seldom pass a record's
// framing, so most changes keep it: records are doubled, dropped, swapped, changed inside with both
// length words put right, value blocks replaced by longer or shorter ones. Parameters and the rest
// are changed as libFuzzer does.
#include <algorithm>
#include <cstring>
#include <random>
#include <utility>
#include <vector>

#include "runtime/archive/reader/index.h"
#include "runtime/archive/reader/record.h"
#include "runtime/model/fetched_values.h"
#include "tests/fuzz/archive_input.h"

extern "C" size_t LLVMFuzzerMutate(uint8_t* data, size_t size, size_t size_max);

namespace pmjit::fuzz {
namespace {

using Piece = std::vector<std::byte>;

struct File {
  int32_t number = 0;
  Version version = Version::v3;
  std::vector<Piece> pieces{};  // the label, then records; the rest, where framing ends

  [[nodiscard]] bool framed() const { return number != kIndexVolume; }
};

void store_be(uint32_t value, std::byte* at) {
  const uint32_t swapped = __builtin_bswap32(value);
  std::memcpy(at, &swapped, sizeof swapped);
}

void frame(Piece& record) {
  if (record.size() < 8) return;
  const auto length = static_cast<uint32_t>(record.size());
  store_be(length, record.data());
  store_be(length, record.data() + record.size() - 4);
}

File take_apart_file(const InputFile& from) {
  File file{.number = from.number, .version = from.version};
  size_t at = 0;
  while (at < from.bytes.size()) {
    const size_t left = from.bytes.size() - at;
    size_t length = index_entry_bytes(file.version);
    if (at == 0) {
      length = label_bytes(file.version);
    } else if (file.framed()) {
      length = left < 4 ? left : load_be<uint32_t>(from.bytes.data() + at);
    }
    length = length < 8 ? left : std::min(length, left);
    const Bytes piece = from.bytes.subspan(at, length);
    file.pieces.emplace_back(piece.begin(), piece.end());
    at += length;
  }
  return file;
}

void mutate(Piece& bytes, size_t size_max) {
  const size_t size = bytes.size();
  bytes.resize(std::max(size, size_max));
  bytes.resize(LLVMFuzzerMutate(reinterpret_cast<uint8_t*>(bytes.data()), size, bytes.size()));
}

void mutate_inside(Piece& record, bool framed) {
  const size_t ends = framed && record.size() >= 12 ? 4 : 0;
  const auto skip = static_cast<std::ptrdiff_t>(ends);
  Piece inside(record.begin() + skip, record.end() - skip);
  mutate(inside, inside.size() + 64);
  record.assign(ends, std::byte{});
  record.insert(record.end(), inside.begin(), inside.end());
  record.insert(record.end(), ends, std::byte{});
  if (framed) frame(record);
}

// Another content for one of the record's value blocks; those behind it move.
void replace_block(Piece& record, Version version, uint32_t which) {
  RecordLayout layout;
  const auto head = read_record_head(record, version);
  if (!head || !read_value_sets(*head, layout) || !place_blocks(*head, layout)) return;
  struct Place {
    size_t pair;
    StoredBlock block;
  };
  std::vector<Place> places;
  for (const ValueSet& set : layout.sets) {
    for (uint32_t i = 0; !set.in_place && i < static_cast<uint32_t>(std::max(set.count, 0)); ++i) {
      places.push_back({set.pairs + size_t{i} * 8, stored_block(*head, layout, set, i)});
    }
  }
  if (places.empty()) return;
  const Place place = places[which % places.size()];
  Piece data(place.block.data.begin(), place.block.data.end());
  mutate(data, data.size() + 64);
  const size_t length = data.size() + 4;
  data.resize((data.size() + 3) / 4 * 4, std::byte{'~'});

  const auto from = place.block.data.data() - record.data() - 4;
  const auto old = static_cast<std::ptrdiff_t>((place.block.data.size() + 3) / 4 * 4) + 4;
  const auto moved = static_cast<std::ptrdiff_t>(data.size()) + 4 - old;
  for (const Place& other : places) {
    if (other.block.data.data() <= place.block.data.data()) continue;
    const uint32_t index = load_be<uint32_t>(record.data() + other.pair + 4);
    store_be(static_cast<uint32_t>(index + moved / 4), record.data() + other.pair + 4);
  }
  store_be(block_header(place.block.type, length - 4), record.data() + from);
  record.erase(record.begin() + from + 4, record.begin() + from + old);
  record.insert(record.begin() + from + 4, data.begin(), data.end());
  frame(record);
}

enum Change : uint32_t { kInside, kBlock, kDouble, kDrop, kSwap, kMoveStamp, kChanges };

void change(File& file, std::minstd_rand& random) {
  auto& pieces = file.pieces;
  const auto any = [&](size_t count) { return static_cast<size_t>(random() % count); };
  const size_t i = any(pieces.size());
  const auto at = pieces.begin() + static_cast<std::ptrdiff_t>(i);
  switch (random() % kChanges) {
    case kInside: return mutate_inside(*at, file.framed());
    case kBlock: return replace_block(*at, file.version, static_cast<uint32_t>(random()));
    case kDouble: {
      const Piece copy = *at;
      pieces.insert(pieces.begin() + 1 + static_cast<std::ptrdiff_t>(any(pieces.size())), copy);
      return;
    }
    case kDrop:
      if (i != 0) pieces.erase(at);
      return;
    case kSwap:
      if (i != 0) std::swap(*at, pieces[1 + any(pieces.size() - 1)]);
      return;
    case kMoveStamp: {  // by less than a minute; of data records and of the index
      const size_t stamp = file.framed() ? 4 : 0;
      if (i == 0 || file.number == kMetaVolume || at->size() < stamp + 4) return;
      const auto seconds = load_be<uint32_t>(at->data() + stamp);
      store_be(seconds + static_cast<uint32_t>(random() % 64) - 32, at->data() + stamp);
      return;
    }
    default: return;
  }
}

size_t mutate_archive(uint8_t* data, size_t size, size_t size_max, unsigned seed) {
  std::minstd_rand random(seed);
  const ArchiveInput input = take_apart_input({reinterpret_cast<const std::byte*>(data), size});
  if (input.files.empty() || random() % 8 == 0) return LLVMFuzzerMutate(data, size, size_max);
  Piece out(input.parameters.begin(), input.parameters.end());
  if (random() % 4 == 0) mutate(out, 8);
  std::vector<File> files;
  for (const InputFile& file : input.files) files.push_back(take_apart_file(file));
  for (auto changes = random() % 3; changes < 3; ++changes) {
    change(files[random() % files.size()], random);
  }
  for (const File& file : files) {
    for (const Piece& piece : file.pieces) out.insert(out.end(), piece.begin(), piece.end());
  }
  if (out.size() > size_max) return LLVMFuzzerMutate(data, size, size_max);
  std::memcpy(data, out.data(), out.size());
  return out.size();
}

}  // namespace
}  // namespace pmjit::fuzz

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t size_max,
                                          unsigned seed) {
  return pmjit::fuzz::mutate_archive(data, size, size_max, seed);
}
