// Pattern: a POSIX extended regular expression, compiled once and shared by copies.
#pragma once

#include <memory>
#include <string>

namespace pmjit {

class Pattern {
 public:
  Pattern() = default;
  // `text` has been compiled before (pattern_error()).
  explicit Pattern(const std::string& text);
  // Somewhere in `text`.
  [[nodiscard]] bool matches(const std::string& text) const;

 private:
  struct Compiled;
  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace pmjit
