// .zst as a stream, by libzstd. Several frames may follow each other.
#include <zstd.h>
#include <zstd_errors.h>

#include <bit>

#include "runtime/archive/format/decompressor.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

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

std::unique_ptr<Decompressor> make_zstd_decompressor() {
  return std::make_unique<ZstdDecompressor>();
}

}  // namespace pmjit
