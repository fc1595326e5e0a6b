#include <lzma.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <mutex>
#include <vector>

#include "runtime/archive/format/member.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

constexpr size_t kBlockStepBytes = 64u << 10;
// One that is read and the one next to it, for a record across the border, and for a second thread.
constexpr size_t kBlocksKept = 2;

DecodeFailure failure_of(lzma_ret state) {
  switch (state) {
    case LZMA_MEMLIMIT_ERROR:
    case LZMA_MEM_ERROR: return kTooMuchMemory;
    case LZMA_BUF_ERROR: return kCutShort;
    case LZMA_FORMAT_ERROR:
      return {Fault::format, "it is not in .xz format, or its compressed data end too early"};
    default: return {};
  }
}

struct FreeIndex {
  void operator()(lzma_index* index) const { lzma_index_end(index, nullptr); }
};
using Index = std::unique_ptr<lzma_index, FreeIndex>;

struct XzStream : lzma_stream {
  XzStream() : lzma_stream(LZMA_STREAM_INIT) {}
  XzStream(const XzStream&) = delete;
  XzStream& operator=(const XzStream&) = delete;
  ~XzStream() { lzma_end(this); }
  void give(Bytes in) {
    next_in = reinterpret_cast<const uint8_t*>(in.data());
    avail_in = in.size();
  }
};

// All indexes of the file, joined: streams may follow each other.
Result<Index> read_index(const File& packed, const std::string& path) {
  lzma_index* index = nullptr;
  XzStream stream;
  lzma_ret state = lzma_file_info_decoder(&stream, &index, limits::kDecoderBytesMax, packed.size());
  std::vector<std::byte> buffer(kBlockStepBytes);
  uint64_t offset = 0;
  while (state == LZMA_OK || state == LZMA_SEEK_NEEDED) {
    if (state == LZMA_SEEK_NEEDED) offset = stream.seek_pos, stream.avail_in = 0;
    if (stream.avail_in == 0) {
      auto got = packed.read(offset, buffer);
      if (!got) return fail(got.error().at("file", path));
      offset += *got;
      stream.give(Bytes(buffer).first(*got));
    }
    state = lzma_code(&stream, LZMA_RUN);
  }
  if (state != LZMA_STREAM_END) return fail(decode_error(failure_of(state), path));
  return Index(index);
}

// The compressed bytes of one block, its header first.
class BlockInput {
 public:
  BlockInput(const File& packed, const lzma_index_iter& place)
      : packed_(packed),
        offset_(place.block.compressed_file_offset),
        left_(place.block.total_size),
        buffer_(kBlockStepBytes) {}
  // Empty at the block's end.
  Result<Bytes> next() {
    const auto wanted = static_cast<size_t>(std::min<uint64_t>(buffer_.size(), left_));
    auto got = packed_.read(offset_, std::span(buffer_).first(wanted));
    if (!got) return std::unexpected(got.error());
    offset_ += *got, left_ -= *got;
    if (*got < wanted) left_ = 0;
    return Bytes(buffer_).first(*got);
  }

 private:
  const File& packed_;
  uint64_t offset_, left_;
  std::vector<std::byte> buffer_;
};

struct BlockDecoder {
  BlockDecoder() {
    for (lzma_filter& filter : filters) filter = {.id = LZMA_VLI_UNKNOWN, .options = nullptr};
    head.version = 1;
    head.filters = filters.data();
  }
  BlockDecoder(const BlockDecoder&) = delete;
  BlockDecoder& operator=(const BlockDecoder&) = delete;
  ~BlockDecoder() { lzma_filters_free(filters.data(), nullptr); }

  // `in` starts with the block's header, which must be what the index says.
  lzma_ret start(const lzma_index_iter& place, Bytes in, std::span<std::byte> out) {
    if (in.empty()) return LZMA_BUF_ERROR;
    head.check = place.stream.flags->check;
    head.header_size = lzma_block_header_size_decode(std::to_integer<uint8_t>(in[0]));
    if (in[0] == std::byte{0} || head.header_size > in.size()) return LZMA_DATA_ERROR;
    const auto* raw = reinterpret_cast<const uint8_t*>(in.data());
    if (const auto read = lzma_block_header_decode(&head, nullptr, raw); read != LZMA_OK) {
      return read;
    }
    const auto sizes = lzma_block_compressed_size(&head, place.block.unpadded_size);
    if (sizes != LZMA_OK) return sizes;
    if (lzma_raw_decoder_memusage(filters.data()) > limits::kDecoderBytesMax) {
      return LZMA_MEMLIMIT_ERROR;
    }
    stream.give(in.subspan(head.header_size));
    stream.next_out = reinterpret_cast<uint8_t*>(out.data());
    stream.avail_out = out.size();
    return lzma_block_decoder(&stream, &head);
  }

  std::array<lzma_filter, LZMA_FILTERS_MAX + 1> filters;
  lzma_block head{};
  XzStream stream;
};

struct XzBlock {
  uint64_t offset;  // of its bytes in the file as it was before it was compressed
  std::vector<std::byte> bytes;
};

class XzBlocks final : public File {
 public:
  XzBlocks(std::shared_ptr<const File> packed, Index index, std::string path)
      : packed_(std::move(packed)), index_(std::move(index)), path_(std::move(path)) {}

  uint64_t size() const override { return lzma_index_uncompressed_size(index_.get()); }

  bool seeks_freely() const override { return false; }

  Result<size_t> read(uint64_t offset, std::span<std::byte> out) const override {
    size_t done = 0;
    while (done < out.size() && offset + done < size()) {
      const auto block = block_at(offset + done);
      if (!block) return std::unexpected(block.error());
      const auto skip = static_cast<size_t>(offset + done - (*block)->offset);
      const size_t bytes = std::min(out.size() - done, (*block)->bytes.size() - skip);
      std::memcpy(out.data() + done, (*block)->bytes.data() + skip, bytes);
      done += bytes;
    }
    return done;
  }

 private:
  using Shared = std::shared_ptr<const XzBlock>;

  Result<Shared> block_at(uint64_t offset) const;
  Result<Shared> decode(const lzma_index_iter& place) const;

  std::shared_ptr<const File> packed_;
  Index index_;
  std::string path_;
  mutable std::mutex mutex_;
  mutable std::array<Shared, kBlocksKept> kept_{};  // the last used first
};

Result<XzBlocks::Shared> XzBlocks::block_at(uint64_t offset) const {
  {
    const std::lock_guard lock(mutex_);
    for (auto it = kept_.begin(); it != kept_.end() && *it != nullptr; ++it) {
      if (offset < (*it)->offset || offset - (*it)->offset >= (*it)->bytes.size()) continue;
      std::rotate(kept_.begin(), it, it + 1);
      return kept_.front();
    }
  }
  lzma_index_iter place;
  lzma_index_iter_init(&place, index_.get());
  if (lzma_index_iter_locate(&place, offset) != 0) return fail(decode_error({}, path_));
  auto block = decode(place);
  if (!block) return block;
  const std::lock_guard lock(mutex_);
  std::rotate(kept_.begin(), kept_.end() - 1, kept_.end());
  kept_.front() = *block;
  return block;
}

Result<XzBlocks::Shared> XzBlocks::decode(const lzma_index_iter& place) const {
  auto block = std::make_shared<XzBlock>(place.block.uncompressed_file_offset);
  block->bytes.resize(static_cast<size_t>(place.block.uncompressed_size));
  BlockInput input(*packed_, place);
  auto bytes = input.next();
  if (!bytes) return fail(bytes.error().at("file", path_));
  BlockDecoder decoder;
  lzma_ret state = decoder.start(place, *bytes, block->bytes);
  while (state == LZMA_OK) {
    if (decoder.stream.avail_in == 0) {
      bytes = input.next();
      if (!bytes) return fail(bytes.error().at("file", path_));
      decoder.stream.give(*bytes);
    }
    state = lzma_code(&decoder.stream, LZMA_RUN);
  }
  if (state != LZMA_STREAM_END) return fail(decode_error(failure_of(state), path_));
  if (decoder.stream.avail_out != 0) return fail(decode_error({}, path_));
  return block;
}

}  // namespace

Result<std::unique_ptr<File>> open_xz_blocks(std::shared_ptr<const File> packed,
                                             const std::string& path) {
  auto index = read_index(*packed, path);
  if (!index) return std::unexpected(index.error());
  lzma_index_iter place;
  lzma_index_iter_init(&place, index->get());
  while (lzma_index_iter_next(&place, LZMA_INDEX_ITER_NONEMPTY_BLOCK) == 0) {
    if (place.block.uncompressed_size > limits::kXzBlockBytesMax) return nullptr;
  }
  return std::make_unique<XzBlocks>(std::move(packed), *std::move(index), path);
}

}  // namespace pmjit
