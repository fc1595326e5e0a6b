// Volume: one data volume of an archive, its label checked. Opened when a reader enters it, not
// before: an archive may have more volumes than a process may have open files.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/window.h"
#include "runtime/base/file.h"

namespace pmjit {

struct VolumeFile {
  int32_t number = 0;
  std::string path{};            // for messages; opened by it where there is no file
  uint64_t bytes = 0;            // when the archive was opened
  std::unique_ptr<File> file{};  // of memory archives; else null
  Features features = Features::known;
};

class Volume {
 public:
  // `first`: the label that this one's must agree with; null for the first volume of all.
  [[nodiscard]] static Result<Volume> open(const VolumeFile& from, const Label* first);

  [[nodiscard]] const Label& label() const { return label_; }
  [[nodiscard]] uint64_t size() const { return file_->size(); }
  [[nodiscard]] FileWindow& window() { return window_; }
  // The stamp of the last record that is whole and sound; none: there is no such record (spec §15).
  [[nodiscard]] std::optional<Stamp> last_good_stamp();

 private:
  Volume(std::unique_ptr<File> own, const File& file)
      : own_(std::move(own)), file_(&file), window_(file) {}
  std::unique_ptr<File> own_;
  const File* file_;
  FileWindow window_;
  Label label_;
};

}  // namespace pmjit
