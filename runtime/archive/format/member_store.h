// MemberStore: compressed members that are open, shared by all who read them, so that a volume is
// decompressed once and not by every cursor. The few that were used last stay open when nobody
// reads them: an archive's first and last volume are looked at when it is opened and read soon
// after. Threads may use one store; a second one that wants the same member waits for the first.
//
// Files that are not compressed are opened anew each time: there is nothing to save.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "runtime/base/file.h"

namespace pmjit {

class MemberStore {
 public:
  [[nodiscard]] Result<std::shared_ptr<const File>> open(const std::string& path);

 private:
  struct Slot {
    std::mutex mutex;
    std::weak_ptr<const File> file;
  };

  std::mutex mutex_;
  std::map<std::string, Slot> slots_;
  std::array<std::shared_ptr<const File>, 2> kept_{};  // the last used first
};

}  // namespace pmjit
