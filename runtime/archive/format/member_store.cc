#include "runtime/archive/format/member_store.h"

#include <algorithm>

#include "runtime/archive/format/member.h"

namespace pmjit {

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
