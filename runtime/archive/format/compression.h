// Compression: how a member of an archive may be stored, told by the last part of its name. The one
// table of spec archives.md §1, in the order in which a missing file is looked for.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pmjit {

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

}  // namespace pmjit
