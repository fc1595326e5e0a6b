// A port of loopback that listens. Those who connect stay in its queue until accept().
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>

namespace pmjit::test {

class LoopbackListener {
 public:
  LoopbackListener() : fd_(::socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    (void)::bind(fd_, reinterpret_cast<const sockaddr*>(&address), size);
    (void)::listen(fd_, 1'000);
    (void)::getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
  }
  ~LoopbackListener() { ::close(fd_); }
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;

  [[nodiscard]] int accept() const { return ::accept(fd_, nullptr, nullptr); }

  uint16_t port = 0;

 private:
  int fd_;
};

}  // namespace pmjit::test
