// The log of -l: standard error goes there, between a header and a footer. Source: spec
// rules-language.md §20.
#pragma once

#include <string>

#include "runtime/base/clock.h"
#include "runtime/cmd/messages.h"

namespace pmjit::pmie {

class LogFile {
 public:
  // Standard error goes to the file from now on; `-` leaves it where it is. What is in `messages`
  // goes before.
  LogFile(const std::string& path, Messages& messages, const Clock& clock);
  ~LogFile();  // all of `messages` goes before the footer
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  [[nodiscard]] bool is_open() const { return is_open_; }

 private:
  Messages& messages_;
  const Clock& clock_;
  bool is_open_ = true;
};

}  // namespace pmjit::pmie
