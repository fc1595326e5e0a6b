#include "runtime/archive/format/member.h"

#include <algorithm>
#include <vector>

#include "runtime/base/limits.h"
#include "runtime/model/pm_codes.h"

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

Result<void> Spool::append(Bytes bytes) {
  if (all_) return all_->append(bytes);
  if (first_.size() + bytes.size() <= limits::kDecodedInMemoryMax) {
    first_.insert(first_.end(), bytes.begin(), bytes.end());
    return {};
  }
  auto file = TemporaryFile::create();
  if (!file) return std::unexpected(file.error());
  all_.emplace(*std::move(file));
  if (auto kept = all_->append(first_); !kept) return kept;
  first_ = {};
  return all_->append(bytes);
}

std::unique_ptr<File> Spool::finish() && {
  return all_ ? std::move(*all_).finish() : memory_file(std::move(first_));
}

Result<std::shared_ptr<const File>> MemberStore::open(const std::string& path) {
  if (take_apart(path).compression == Compression::none) return open_file(path);
  std::unique_lock all(mutex_);
  Slot& slot = slots_[path];
  all.unlock();

  std::shared_ptr<const File> file;
  {
    const std::lock_guard one(slot.mutex);
    file = slot.file.lock();
    if (file == nullptr) {
      auto opened = open_member(path);
      if (!opened) return std::unexpected(opened.error());
      file = *std::move(opened);
      slot.file = file;
    }
  }
  all.lock();
  const auto known = std::ranges::find(kept_, file);
  const auto place = known != kept_.end() ? known : kept_.end() - 1;
  *place = file;
  std::rotate(kept_.begin(), place, place + 1);
  return file;
}

}  // namespace pmjit
