// The words of pmcd.conf: lines joined, comments left out, quotes taken off.
//
//   ConfigWords words(text);
//   while (words.next_line()) use(words.take_line());        // agents, a line each
//   while (auto word = words.next()) …                       // [access], over lines
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

struct ConfigWord {
  std::string text;
  bool quoted = false;

  // A keyword or a special character; never a quoted word.
  [[nodiscard]] bool is(std::string_view keyword) const;
};

class ConfigWords {
 public:
  // As many as pmcd reads; it names the size of its memory when there are more.
  static constexpr size_t kLineMax = 2'198, kLineMemory = 2'200;

  explicit ConfigWords(std::string_view text) : rest_(text) {}

  // The next line that is not blank becomes the current one; false: there is none, or the file is
  // given up (failure()).
  [[nodiscard]] bool next_line();
  // What is left of the current line, word by word; special characters are parts of words.
  [[nodiscard]] std::vector<ConfigWord> take_line();
  [[nodiscard]] bool begins_access() const;  // the current line begins with a bracket
  // The next word, on whatever line; , : ; [ ] { } are words of their own.
  [[nodiscard]] std::optional<ConfigWord> next();
  // Of the current line, or the one behind the last. Joined lines count as one.
  [[nodiscard]] uint32_t line() const { return line_; }
  // Why the file is given up; empty: it is not.
  [[nodiscard]] const std::string& failure() const { return failure_; }

 private:
  [[nodiscard]] bool read_line();
  [[nodiscard]] std::optional<ConfigWord> word(bool with_specials);

  std::string_view rest_;
  std::string current_;
  size_t at_ = 0;
  uint32_t line_ = 0;
  bool ended_ = false, ends_line_ = true;  // the line that was read last has its line feed
  std::string failure_;
};

}  // namespace pmjit
