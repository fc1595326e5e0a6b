// Files of a folder that a verb reads, and what it says of those that it passes over: what is there
// and looks like the user's own is read, or named.
//
//   PassedOver others("*.case", "run", "no line `#: run: rules` says that it tests rules");
//   others.add(path);
//   others.tell(folder);     note: rules: 1 file *.case is not run: …
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pmjit {

// True for a file, and for a link to a file that is gone: who reads the link reports that. False
// for a folder, a pipe or the like.
[[nodiscard]] bool is_file_entry(const std::filesystem::directory_entry& entry);

class PassedOver {
 public:
  // They are not `done`; `why` may have {} for the folder. `what`: files; empty: folders.
  PassedOver(std::string what, std::string done, std::string why)
      : what_(std::move(what)), done_(std::move(done)), why_(std::move(why)) {}

  void add(const std::filesystem::path& path) { names_.push_back(path.filename().string()); }
  // Nothing, where all are read.
  void tell(const std::string& folder) const;

 private:
  std::string what_, done_, why_;
  std::vector<std::string> names_;
};

}  // namespace pmjit
