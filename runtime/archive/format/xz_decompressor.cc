// .xz and .lzma as a stream, by liblzma.
#include <lzma.h>

#include "runtime/archive/format/decompressor.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

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

}  // namespace

std::unique_ptr<Decompressor> make_xz_decompressor() { return std::make_unique<XzDecompressor>(); }

}  // namespace pmjit
