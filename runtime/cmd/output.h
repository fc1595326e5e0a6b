// ToolOutput: standard output of a drop-in through one large buffer. Millions of short lines are
// made by appending to it; what is full goes to the kernel at once.
//
//   ToolOutput out;
//   out << "Temporal Index\n";
//   char* at = out.room(64);  …  out.used(end);
#pragma once

#include <fmt/core.h>

#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

class ToolOutput {
 public:
  ToolOutput();
  ToolOutput(const ToolOutput&) = delete;
  ToolOutput& operator=(const ToolOutput&) = delete;
  ~ToolOutput() { flush(); }

  ToolOutput& operator<<(std::string_view text);
  ToolOutput& operator<<(char c) { return *this << std::string_view(&c, 1); }
  template <class... Args>
  void print(fmt::format_string<Args...> format, Args&&... args) {
    const auto text = fmt::format(format, std::forward<Args>(args)...);
    *this << text;
  }

  // Room for `bytes` more, few enough for the buffer; then the end of what was written there.
  [[nodiscard]] char* room(size_t bytes) {
    if (buffer_.size() - used_ < bytes) flush();
    return buffer_.data() + used_;
  }
  void used(const char* end) { used_ = static_cast<size_t>(end - buffer_.data()); }

  // False, from the first time on: standard output does not take it.
  bool flush();

 private:
  void write(std::string_view text);
  std::vector<char> buffer_;
  size_t used_ = 0;
  bool failed_ = false;
};

// Messages of a drop-in: collected, and written at once where PCP_STDERR says: standard error
// (unset or empty), or appended to that file. Source: spec pmapi.md §21.1.
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
