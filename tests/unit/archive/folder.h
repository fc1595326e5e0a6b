// A folder of its own for a test, gone at its end.
#pragma once

#include <fmt/core.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace pmjit::test {

class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "pmjit-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) root_ = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    if (!root_.empty()) std::filesystem::remove_all(root_, ignored);
  }

  [[nodiscard]] std::string path(std::string_view name) const { return (root_ / name).string(); }
  void write(std::string_view name, std::string_view text) const {
    std::filesystem::create_directories((root_ / name).parent_path());
    std::ofstream(root_ / name, std::ios::binary) << text;
  }
  void copy(const std::string& from, std::string_view name) const {
    std::filesystem::copy_file(from, root_ / name);
  }

 private:
  std::filesystem::path root_;
};

}  // namespace pmjit::test
