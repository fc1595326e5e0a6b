// .gz as a stream, by zlib. Several compressed streams may follow each other, and zeros the last.
#include <zlib.h>

#include <algorithm>
#include <climits>

#include "runtime/archive/format/decompressor.h"

namespace pmjit {

namespace {

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

}  // namespace

std::unique_ptr<Decompressor> make_gzip_decompressor() {
  return std::make_unique<GzipDecompressor>();
}

}  // namespace pmjit
