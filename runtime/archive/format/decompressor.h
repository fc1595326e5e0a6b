// Decompressor: compressed bytes in, the original bytes out, a buffer at a time. One for each
// format behind one door, so that nothing else knows the libraries.
//
//   auto decompressor = make_decompressor(Compression::gzip, head);     // the file's first bytes
//   auto step = (*decompressor)->step(in, last, out);              // until step->finished
//
// A decoder is finished when all input was used and every checksum that the format has was right.
#pragma once

#include <expected>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/archive/format/compression.h"
#include "runtime/base/bytes.h"
#include "runtime/base/result.h"

namespace pmjit {

struct DecodeFailure {
  Fault fault = Fault::format;
  std::string_view what = "its compressed data are damaged";
};

inline constexpr DecodeFailure kCutShort = {Fault::truncated, "its compressed data end too early"};
inline constexpr DecodeFailure kTooMuchMemory = {
    Fault::limit, "decompressing it takes more memory than limits::kDecoderBytesMax"};
inline constexpr DecodeFailure kTrailing = {Fault::format,
                                            "something follows the end of its compressed data"};

template <class T>
using OrDecodeFailure = std::expected<T, DecodeFailure>;

struct DecodeStep {
  size_t read = 0, wrote = 0;
  bool finished = false;
};

class Decompressor {
 public:
  virtual ~Decompressor() = default;
  // `in`: what was not read before, then more of the file; `last`: there is no more.
  [[nodiscard]] virtual OrDecodeFailure<DecodeStep> step(Bytes in, bool last,
                                                         std::span<std::byte> out) = 0;
};

// `head`: the first bytes of the file, two at least if it has as many.
[[nodiscard]] OrDecodeFailure<std::unique_ptr<Decompressor>> make_decompressor(
    Compression compression, Bytes head);

// The formats, for make_decompressor().
[[nodiscard]] std::unique_ptr<Decompressor> make_xz_decompressor();  // .xz and .lzma
[[nodiscard]] std::unique_ptr<Decompressor> make_bzip2_decompressor();
[[nodiscard]] std::unique_ptr<Decompressor> make_gzip_decompressor();
[[nodiscard]] std::unique_ptr<Decompressor> make_zstd_decompressor();
[[nodiscard]] std::unique_ptr<Decompressor> make_lzw_decompressor();  // of compress(1)

}  // namespace pmjit
