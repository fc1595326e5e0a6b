// FdOut: bytes to a descriptor that may not be ready for them: a pipe whose reader is slow, a
// descriptor that does not block. It waits, and gives up when it is asked to.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>

namespace pmjit {

class FdOut {
 public:
  explicit FdOut(int fd);
  ~FdOut();
  FdOut(const FdOut&) = delete;
  FdOut& operator=(const FdOut&) = delete;

  struct Written {
    size_t bytes = 0;
    int error = 0;         // an errno; 0: none
    bool gave_up = false;  // before all was written, as `stop` wanted
  };
  // `stop` is asked whenever nobody takes the bytes; it may be empty.
  Written write(std::string_view bytes, const std::function<bool()>& stop);

  [[nodiscard]] int fd() const { return fd_; }

 private:
  int fd_;
  bool is_socket_;
  int own_ = -1;  // the same pipe, opened again so that it does not block
};

}  // namespace pmjit
