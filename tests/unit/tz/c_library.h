// The C library's own zones, to compare ours with: it knows one at a time, that of $TZ.
//
//   CLibrary glibc("Europe/Berlin");
//   glibc.local(1'710'500'000)     // fields as text, to be compared with shown(tm)
//   glibc.seconds_of(tm)           // mktime()
//
// Of one thread; $TZ is as before when it goes.
#pragma once

#include <cstdint>
#include <ctime>
#include <optional>
#include <string>

namespace pmjit::tz {

[[nodiscard]] std::string shown(const std::tm& tm);

class CLibrary {
 public:
  // Null: $TZ is not set.
  explicit CLibrary(const char* zone);
  ~CLibrary();
  CLibrary(const CLibrary&) = delete;
  CLibrary& operator=(const CLibrary&) = delete;

  [[nodiscard]] std::optional<std::tm> local(int64_t sec) const;
  [[nodiscard]] int64_t seconds_of(std::tm tm) const;
  // What mktime() keeps from call to call is 0 again.
  void forget(const char* zone) const;

 private:
  std::optional<std::string> before_;
};

}  // namespace pmjit::tz
