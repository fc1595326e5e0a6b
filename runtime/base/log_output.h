// LogOutput: where the lines of a log go. Nobody may read them: a pipe is full, a terminal is
// held. That is no reason to wait, so lines are lost then. They are counted, and the next line
// that there is room for says so.
//
//   LogOutput output([](uint64_t lines) { return fmt::format("{} lines were lost\n", lines); });
//   if (const int error = output.open(path); error != 0) …       // standard error until then
//   output.write("a client has come\n");
//
// Not thread-safe. A file on a disk is written as it always was.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pmjit {

class LogOutput {
 public:
  // A line with its end.
  using LostLine = std::function<std::string(uint64_t lines)>;

  // `standard` is where it writes while no file is open; it stays open.
  explicit LogOutput(LostLine lost_line, int standard = STDERR_FILENO);
  ~LogOutput() { close(); }
  LogOutput(const LogOutput&) = delete;
  LogOutput& operator=(const LogOutput&) = delete;

  // Appends to this file from now on. An errno: all stays as it is.
  [[nodiscard]] int open(const std::string& path);
  void use_standard();
  // Lines with their ends. It does not wait for a reader.
  void write(std::string_view line);

 private:
  // How a descriptor is kept from waiting.
  enum class Way : uint8_t { plain, asks_first, as_socket };

  void close();
  bool take(std::string_view text);
  [[nodiscard]] bool settled();
  [[nodiscard]] ssize_t write_some(std::string_view text) const;

  LostLine lost_line_;
  int standard_, fd_ = -1;
  bool is_own_ = false;
  Way way_ = Way::plain;
  std::string rest_;  // of a line that is out in part
  uint64_t lost_ = 0;
};

}  // namespace pmjit
