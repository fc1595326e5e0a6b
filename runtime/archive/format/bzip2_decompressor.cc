// .bz2 as a stream, by libbzip2. Several compressed streams may follow each other; what follows the
// last and is none is passed over, as bzip2 does.
#include <bzlib.h>

#include <algorithm>
#include <climits>

#include "runtime/archive/format/decompressor.h"

namespace pmjit {

namespace {

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

}  // namespace

std::unique_ptr<Decompressor> make_bzip2_decompressor() {
  return std::make_unique<Bzip2Decompressor>();
}

}  // namespace pmjit
