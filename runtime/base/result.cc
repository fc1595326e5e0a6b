#include "runtime/base/result.h"

#include <fmt/core.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace pmjit {

Error Error::at(std::string_view kind, std::string_view place) && {
  std::string outer(kind);
  outer.append(" ").append(place);
  if (!place_.empty()) outer.append(", ").append(place_);
  place_ = std::move(outer);
  return std::move(*this);
}

Error Error::at(std::string_view kind, std::string_view place) const& {
  return Error(*this).at(kind, place);
}

Error Error::help(std::string text) && {
  help_ = std::move(text);
  return std::move(*this);
}

Error Error::pm_code(int code) && {
  pm_code_ = code;
  return std::move(*this);
}

std::string Error::text() const {
  std::string out;
  if (!place_.empty()) out.append(place_).append(": ");
  out += what_;
  if (!help_.empty()) out.append("\n  help: ").append(help_);
  return out;
}

void stop_for_bug(std::string_view what, std::source_location where) {
  const std::string text =
      fmt::format("pmjit: internal error at {}:{}: {}\n", where.file_name(), where.line(), what);
  std::fputs(text.c_str(), stderr);  // stops even where nobody can be told
  std::abort();
}

}  // namespace pmjit
