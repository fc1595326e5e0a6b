#include "runtime/archive/format/decompressor.h"

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <bit>
#include <climits>

#include "runtime/base/limits.h"

namespace pmjit {

namespace {

OrDecodeFailure<std::unique_ptr<Decompressor>> gzip_or_older(Bytes head) {
  const int first = head.empty() ? -1 : std::to_integer<int>(head[0]);
  const int second = head.size() < 2 ? -1 : std::to_integer<int>(head[1]);
  if (first == 0x1f && second == 0x9d) return make_lzw_decompressor();
  if (first == 0x1f && second == 0x1e) {
    return std::unexpected<DecodeFailure>(
        {Fault::unsupported, "it is in the format of pack(1), which is not supported"});
  }
  return make_gzip_decompressor();
}

// .bz2 as a stream, by libbzip2. Several compressed streams may follow each other; what follows the
// last and is none is passed over, as bzip2 does.
class Bzip2Decompressor final : public Decompressor {
 public:
  Bzip2Decompressor() { start(); }
  Bzip2Decompressor(const Bzip2Decompressor&) = delete;
  Bzip2Decompressor& operator=(const Bzip2Decompressor&) = delete;
  ~Bzip2Decompressor() override { BZ2_bzDecompressEnd(&stream_); }

  OrDecodeFailure<DecodeStep> step(Bytes in, bool last, std::span<std::byte> out) override {
    const auto given_in = static_cast<unsigned>(std::min<size_t>(in.size(), INT_MAX));
    const auto given_out = static_cast<unsigned>(std::min<size_t>(out.size(), INT_MAX));
    if (behind_) return DecodeStep{.read = in.size(), .finished = last};
    if (in.empty() && last && between_) return DecodeStep{.finished = true};
    if (!in.empty()) between_ = false;
    stream_.next_in = const_cast<char*>(reinterpret_cast<const char*>(in.data()));
    stream_.avail_in = given_in;
    stream_.next_out = reinterpret_cast<char*>(out.data());
    stream_.avail_out = given_out;
    const int state = BZ2_bzDecompress(&stream_);
    DecodeStep step{.read = given_in - stream_.avail_in, .wrote = given_out - stream_.avail_out};
    if (state == BZ_STREAM_END) {
      BZ2_bzDecompressEnd(&stream_);
      start();
      between_ = true;
      one_has_ended_ = true;
      return step;
    }
    if (state == BZ_DATA_ERROR_MAGIC && one_has_ended_) {
      behind_ = true;
      return step;
    }
    if (state == BZ_MEM_ERROR) return std::unexpected(kTooMuchMemory);
    if (state != BZ_OK) return std::unexpected(DecodeFailure{});
    if (last && in.empty() && step.wrote == 0) return std::unexpected(kCutShort);
    return step;
  }

 private:
  void start() {
    stream_ = {};
    BZ2_bzDecompressInit(&stream_, 0, 0);
  }
  bz_stream stream_{};
  bool one_has_ended_ = false;
  bool between_ = false;  // one has ended, and nothing of a next was seen
  bool behind_ = false;   // what follows is no stream
};

// .gz as a stream, by zlib. Several compressed streams may follow each other, and zeros the last.
constexpr int kGzipWindow = 15 + 16;  // the largest window, and gzip's own header and checksum

class GzipDecompressor final : public Decompressor {
 public:
  GzipDecompressor() : state_(inflateInit2(&stream_, kGzipWindow)) {}
  GzipDecompressor(const GzipDecompressor&) = delete;
  GzipDecompressor& operator=(const GzipDecompressor&) = delete;
  ~GzipDecompressor() override { inflateEnd(&stream_); }

  OrDecodeFailure<DecodeStep> step(Bytes in, bool last, std::span<std::byte> out) override {
    if (state_ == Z_MEM_ERROR) return std::unexpected(kTooMuchMemory);
    if (state_ == Z_STREAM_END) return between(in, last);
    const auto given_in = static_cast<unsigned>(std::min<size_t>(in.size(), UINT_MAX));
    const auto given_out = static_cast<unsigned>(std::min<size_t>(out.size(), UINT_MAX));
    stream_.next_in = const_cast<Bytef*>(reinterpret_cast<const Bytef*>(in.data()));
    stream_.avail_in = given_in;
    stream_.next_out = reinterpret_cast<Bytef*>(out.data());
    stream_.avail_out = given_out;
    state_ = inflate(&stream_, Z_NO_FLUSH);
    if (state_ == Z_BUF_ERROR) state_ = Z_OK;  // it wants more input, or there is none
    if (state_ == Z_MEM_ERROR) return std::unexpected(kTooMuchMemory);
    if (state_ != Z_OK && state_ != Z_STREAM_END) return std::unexpected(DecodeFailure{});
    const DecodeStep step{.read = given_in - stream_.avail_in,
                          .wrote = given_out - stream_.avail_out};
    const bool stuck = last && in.empty() && step.wrote == 0;
    if (stuck && state_ == Z_OK) return std::unexpected(kCutShort);
    return step;
  }

 private:
  // Behind a stream: the end, zeros that some tapes add, or another stream.
  OrDecodeFailure<DecodeStep> between(Bytes in, bool last) {
    const auto next = std::ranges::find_if(in, [](std::byte byte) { return byte != std::byte{0}; });
    const auto zeros = static_cast<size_t>(next - in.begin());
    padded_ = padded_ || zeros != 0;
    if (zeros == in.size()) return DecodeStep{.read = zeros, .finished = last};
    if (padded_ || *next != std::byte{0x1f}) return std::unexpected(kTrailing);
    state_ = inflateReset(&stream_);
    return DecodeStep{};
  }

  z_stream stream_{};
  int state_;
  bool padded_ = false;
};

// .xz and .lzma as a stream, by liblzma.
class XzDecompressor final : public Decompressor {
 public:
  XzDecompressor()
      : state_(lzma_auto_decoder(&stream_, limits::kDecoderBytesMax, LZMA_CONCATENATED)) {}
  XzDecompressor(const XzDecompressor&) = delete;
  XzDecompressor& operator=(const XzDecompressor&) = delete;
  ~XzDecompressor() override { lzma_end(&stream_); }

  OrDecodeFailure<DecodeStep> step(Bytes in, bool last, std::span<std::byte> out) override {
    if (state_ == LZMA_OK) {
      stream_.next_in = reinterpret_cast<const uint8_t*>(in.data());
      stream_.avail_in = in.size();
      stream_.next_out = reinterpret_cast<uint8_t*>(out.data());
      stream_.avail_out = out.size();
      state_ = lzma_code(&stream_, last ? LZMA_FINISH : LZMA_RUN);
    }
    const bool end = state_ == LZMA_STREAM_END;
    if (state_ == LZMA_MEMLIMIT_ERROR || state_ == LZMA_MEM_ERROR) {
      return std::unexpected(kTooMuchMemory);
    }
    if (state_ == LZMA_BUF_ERROR) return std::unexpected(kCutShort);
    if (state_ != LZMA_OK && !end) return std::unexpected(DecodeFailure{});
    // An .lzma file may end before its data do; an .xz file is followed through to its end.
    if (end && stream_.avail_in != 0) return std::unexpected(kTrailing);
    return DecodeStep{.read = in.size() - stream_.avail_in,
                      .wrote = out.size() - stream_.avail_out,
                      .finished = end};
  }

 private:
  lzma_stream stream_ = LZMA_STREAM_INIT;
  lzma_ret state_;
};

// .zst as a stream, by libzstd. Several frames may follow each other.
class ZstdDecompressor final : public Decompressor {
 public:
  ZstdDecompressor() : context_(ZSTD_createDCtx()) {
    constexpr int kWindowLog = std::bit_width(limits::kDecoderBytesMax) - 1;
    if (context_ != nullptr) {
      ZSTD_DCtx_setParameter(context_, ZSTD_d_windowLogMax, kWindowLog);
    }
  }
  ZstdDecompressor(const ZstdDecompressor&) = delete;
  ZstdDecompressor& operator=(const ZstdDecompressor&) = delete;
  ~ZstdDecompressor() override { ZSTD_freeDCtx(context_); }

  OrDecodeFailure<DecodeStep> step(Bytes in, bool last, std::span<std::byte> out) override {
    if (context_ == nullptr) return std::unexpected(kTooMuchMemory);
    if (in.empty() && last && between_) return DecodeStep{.finished = true};
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const size_t left = ZSTD_decompressStream(context_, &to, &from);
    if (ZSTD_isError(left) != 0) {
      const ZSTD_ErrorCode code = ZSTD_getErrorCode(left);
      const bool large =
          code == ZSTD_error_frameParameter_windowTooLarge || code == ZSTD_error_memory_allocation;
      return std::unexpected(large ? kTooMuchMemory : DecodeFailure{});
    }
    if (from.pos != 0 || to.pos != 0) between_ = left == 0;
    if (last && in.empty() && to.pos == 0) return std::unexpected(kCutShort);
    return DecodeStep{.read = from.pos, .wrote = to.pos};
  }

 private:
  ZSTD_DCtx* context_;
  bool between_ = false;  // a frame has ended, and nothing of the next was seen
};

}  // namespace

OrDecodeFailure<std::unique_ptr<Decompressor>> make_decompressor(Compression compression,
                                                                 Bytes head) {
  switch (compression) {
    case Compression::xz:
    case Compression::lzma: return make_xz_decompressor();
    case Compression::bzip2: return make_bzip2_decompressor();
    case Compression::gzip: return gzip_or_older(head);
    case Compression::zstd: return make_zstd_decompressor();
    case Compression::none: break;
  }
  return std::unexpected<DecodeFailure>({Fault::usage, "it is not compressed"});
}

std::unique_ptr<Decompressor> make_bzip2_decompressor() {
  return std::make_unique<Bzip2Decompressor>();
}

std::unique_ptr<Decompressor> make_gzip_decompressor() {
  return std::make_unique<GzipDecompressor>();
}

std::unique_ptr<Decompressor> make_xz_decompressor() { return std::make_unique<XzDecompressor>(); }

std::unique_ptr<Decompressor> make_zstd_decompressor() {
  return std::make_unique<ZstdDecompressor>();
}

}  // namespace pmjit
