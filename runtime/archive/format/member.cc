#include "runtime/archive/format/member.h"

#include <vector>

#include "runtime/archive/format/spool.h"
#include "runtime/archive/format/xz_blocks.h"
#include "runtime/model/pm_error.h"

namespace pmjit {

namespace {

constexpr size_t kStepBytes = 128u << 10;

// Compressed bytes from front to back, as a decompressor takes them.
class CompressedInput {
 public:
  explicit CompressedInput(const File& file) : file_(file), buffer_(kStepBytes) {}
  // Reads on where nothing is left.
  Result<void> fill() {
    if (!left_.empty() || last_) return {};
    auto got = file_.read(offset_, buffer_);
    if (!got) return std::unexpected(got.error());
    offset_ += *got;
    last_ = *got < buffer_.size();
    left_ = Bytes(buffer_).first(*got);
    return {};
  }
  Bytes left() const { return left_; }
  bool last() const { return last_; }
  void used(size_t bytes) { left_ = left_.subspan(bytes); }

 private:
  const File& file_;
  std::vector<std::byte> buffer_;
  uint64_t offset_ = 0;
  Bytes left_{};
  bool last_ = false;
};

Result<std::unique_ptr<File>> decode_whole(const File& packed, Compression compression,
                                           const std::string& path) {
  CompressedInput feed(packed);
  if (auto filled = feed.fill(); !filled) return fail(filled.error().at("file", path));
  auto decompressor = make_decompressor(compression, feed.left());
  if (!decompressor) return fail(decode_error(decompressor.error(), path));
  std::vector<std::byte> out(kStepBytes);
  Spool spool;
  for (;;) {
    if (auto filled = feed.fill(); !filled) return fail(filled.error().at("file", path));
    const auto step = (*decompressor)->step(feed.left(), feed.last(), out);
    if (!step) return fail(decode_error(step.error(), path));
    feed.used(step->read);
    auto kept = spool.append(Bytes(out).first(step->wrote));
    if (!kept) return fail(kept.error().at("file", path));
    if (step->finished) return std::move(spool).finish();
  }
}

}  // namespace

Error decode_error(const DecodeFailure& failure, const std::string& path) {
  const char* help = "copy the file again, or take it out of the folder to read the rest";
  if (failure.fault == Fault::limit) help = "decompress the file by its own tool (xz -d, zstd -d)";
  if (failure.fault == Fault::unsupported) help = "decompress the file by its own tool (gzip -d)";
  return Error(failure.fault, std::string(failure.what))
      .at("file", path)
      .pm_code(pm_err::E_LOGREC)
      .help(help);
}

Result<std::unique_ptr<File>> decompress(std::unique_ptr<File> packed, Compression compression,
                                         const std::string& path) {
  if (compression == Compression::none) return packed;
  const std::shared_ptr<const File> shared = std::move(packed);
  if (compression == Compression::xz) {
    auto blocks = open_xz_blocks(shared, path);
    if (!blocks || *blocks != nullptr) return blocks;
  }
  return decode_whole(*shared, compression, path);
}

Result<std::unique_ptr<File>> open_member(const std::string& path) {
  auto file = open_file(path);
  if (!file) return file;
  return decompress(*std::move(file), take_apart(path).compression, path);
}

}  // namespace pmjit
