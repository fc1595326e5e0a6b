#include "runtime/archive/format/decompressor.h"

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

}  // namespace pmjit
