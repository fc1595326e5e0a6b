#include "runtime/archive/format/spool.h"

#include "runtime/base/limits.h"

namespace pmjit {

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

}  // namespace pmjit
