// MountRooms: how full file systems are. The question may never come back: the disk or the server
// behind a mount hangs. So a thread asks, and who wants to know waits for a while only.
//
//   MountRooms rooms(statfs_of);                        // or a test's answers
//   for (const MountRooms::Answer& one : rooms.ask({"/", "/home"})) …
//   for (const std::string& note : rooms.take_notes()) log(note);      // a mount hangs, or is back
//
// A thread that hangs stays with its directory; nobody asks for that one, or waits for it, until it
// returns, and then the thread serves again. Others are asked by a further thread, up to a few.
#pragma once

#include <sys/vfs.h>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace pmjit {

class MountRooms {
 public:
  // None: the system said no.
  using Ask = std::function<std::optional<struct statfs>(const std::string& directory)>;
  struct Answer {
    std::optional<struct statfs> room{};
    bool late = false;  // there is no answer yet
  };
  static constexpr std::chrono::milliseconds kPatience{1'000};

  explicit MountRooms(Ask ask, std::chrono::milliseconds patience = kPatience);
  MountRooms(const MountRooms&) = delete;
  MountRooms& operator=(const MountRooms&) = delete;
  ~MountRooms();  // does not wait for a thread that hangs

  // In the order of the directories. It takes as long as `patience` at most.
  [[nodiscard]] std::vector<Answer> ask(std::span<const std::string> directories);
  // What has become known of mounts that hang, a line each, once.
  [[nodiscard]] std::vector<std::string> take_notes();

 private:
  struct Shared;                    // with the threads
  std::shared_ptr<Shared> shared_;  // which outlive this if they hang
  std::chrono::milliseconds patience_;
};

[[nodiscard]] std::optional<struct statfs> statfs_of(const std::string& directory);

}  // namespace pmjit
