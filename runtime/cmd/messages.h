// Messages of a drop-in: collected, and written at once where PCP_STDERR says: standard error
// (unset or empty), or appended to that file. Source: spec pmapi.md §21.1.
#pragma once

#include <string>
#include <string_view>

namespace pmjit {

class Messages {
 public:
  explicit Messages(std::string program) : program_(std::move(program)) {}

  [[nodiscard]] const std::string& program() const { return program_; }
  void add(std::string_view text) { text_ += text; }  // as it is
  // "PROGRAM: text" and a newline.
  void complain(std::string_view text);
  [[nodiscard]] const std::string& text() const { return text_; }
  void flush();

 private:
  std::string program_, text_;
};

}  // namespace pmjit
