// Result<T>: what the world may refuse. An Error says what happened, where (a file and offset, a
// host, a metric) and what to do about it, and carries the PM_ERR_* number that the compatible
// tools print for it.
//
//   Result<Label> read_label(ByteReader in);
//   auto label = read_label(in);
//   if (!label) return fail(label.error().at("file", path));
#pragma once

#include <cstdint>
#include <expected>
#include <source_location>
#include <string>
#include <string_view>
#include <utility>

namespace pmjit {

enum class Fault : uint8_t {
  io,           // the operating system said no
  not_found,    // no such file, metric, instance
  format,       // bytes that are not what they claim to be
  truncated,    // bytes that end too early
  unsupported,  // well formed, and we do not do it (yet): listed in README.md
  limit,        // beyond a named limit of limits.h
  usage,        // asked for in a way that makes no sense
};

class Error {
 public:
  Error(Fault fault, std::string what) : fault_(fault), what_(std::move(what)) {}

  [[nodiscard]] Error at(std::string_view kind,
                         std::string_view place) &&;  // outer places go first
  [[nodiscard]] Error at(std::string_view kind, std::string_view place) const&;
  [[nodiscard]] Error help(std::string text) &&;
  [[nodiscard]] Error pm_code(int code) &&;  // PM_ERR_* (negative), for the compatible tools

  [[nodiscard]] Fault fault() const { return fault_; }
  [[nodiscard]] int pm_code() const { return pm_code_; }
  [[nodiscard]] const std::string& what() const { return what_; }
  [[nodiscard]] const std::string& place() const { return place_; }
  [[nodiscard]] const std::string& help() const { return help_; }

  // "archive x.0, offset 132: record is cut short" and, on a line of its own, "help: …"
  [[nodiscard]] std::string text() const;

 private:
  Fault fault_;
  int pm_code_ = 0;
  std::string what_, place_, help_;
};

template <class T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(Error error) { return std::unexpected<Error>(std::move(error)); }
inline std::unexpected<Error> fail(Fault fault, std::string what) {
  return std::unexpected<Error>(Error(fault, std::move(what)));
}

// check(): our own bug stops the program, with its place. A user's mistake is a diagnostic
// (compiler/diag), the world's failure a Result (result.h); neither ever ends here.
[[noreturn]] void stop_for_bug(std::string_view what, std::source_location where);

inline void check(bool holds, std::string_view what,
                  std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]]
    stop_for_bug(what, where);
}

}  // namespace pmjit
