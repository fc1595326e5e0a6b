// EdgeWatch: a socket or pipe that is waited for at each request, with no call of the system for
// it. Asio's own waits ask a socket once more after each read, or tell the system anew that they
// wait. An operation of ours in Asio's reactor knows that a read which left room has taken all
// there was.
//
//   EdgeWatch watch(io, fd, [](bool readable, bool writable) { … });
//   watch.wait_to_read();                      // one call, at once where something has come since
//   watch.wait_to_write();
//   watch.close();                             // no more calls; fd is closed
//
// The owner reads until a read leaves room, and writes until a write is short. Then it waits again.
// It uses classes of Asio that are not in its manual (Boost 1.74, boost::asio::detail): there is no
// other way to say this to its reactor.
#pragma once

#include <utility>  // what Asio's headers need of it they do not include

#include <boost/asio.hpp>
#include <functional>
#include <memory>

namespace pmjit {

class EdgeWatch {
 public:
  using Ready = std::function<void(bool readable, bool writable)>;

  EdgeWatch(boost::asio::io_context& io, int fd, Ready ready);
  ~EdgeWatch() { close(); }
  EdgeWatch(const EdgeWatch&) = delete;
  EdgeWatch& operator=(const EdgeWatch&) = delete;

  void wait_to_read();  // where it does not wait yet
  void wait_to_write();
  void close();
  [[nodiscard]] int fd() const;  // -1: it is closed

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace pmjit
