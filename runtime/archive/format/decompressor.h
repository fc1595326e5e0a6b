// Decompressor: compressed bytes in, the original bytes out, a buffer at a time. One for each
// format behind one door, so that nothing else knows the libraries.
//
//   auto decompressor = make_decompressor(Compression::gzip, head);     // the file's first bytes
//   auto step = (*decompressor)->step(in, last, out);              // until step->finished
//
// A decoder is finished when all input was used and every checksum that the format has was right.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string_view>

#include "runtime/base/bytes.h"
#include "runtime/base/result.h"

namespace pmjit {

// Compression: how a member of an archive may be stored, told by the last part of its name. The one
// table of spec archives.md §1, in the order in which a missing file is looked for.
enum class Compression : uint8_t { none, xz, lzma, bzip2, gzip, zstd };

struct CompressionSuffix {
  std::string_view text;
  Compression compression;
};

inline constexpr std::array<CompressionSuffix, 8> kCompressionSuffixes = {{
    {".xz", Compression::xz},
    {".lzma", Compression::lzma},
    {".bz2", Compression::bzip2},
    {".bz", Compression::bzip2},
    // gzip reads what `compress` wrote too, so names do not tell these apart: their content does.
    {".gz", Compression::gzip},
    {".Z", Compression::gzip},
    {".z", Compression::gzip},
    {".zst", Compression::zstd},
}};

// A name taken apart; `rank` is the place in the order of looking, 0 for a name with no suffix.
struct MemberName {
  std::string_view plain;
  Compression compression = Compression::none;
  size_t rank = 0;
};

constexpr MemberName take_apart(std::string_view name) {
  for (size_t i = 0; i < kCompressionSuffixes.size(); ++i) {
    const auto& [text, compression] = kCompressionSuffixes[i];
    if (name.ends_with(text)) {
      return {name.substr(0, name.size() - text.size()), compression, i + 1};
    }
  }
  return {name};
}

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
