#include "agent/collector/edge_watch.h"

#include <unistd.h>

#include <boost/asio/detail/reactor.hpp>
#include <boost/asio/detail/reactor_op.hpp>

namespace pmjit {

namespace {

namespace asio = boost::asio;
using asio::detail::reactor;
using asio::detail::reactor_op;

}  // namespace

struct EdgeWatch::State : std::enable_shared_from_this<State> {
  // As long as the reactor has it, it keeps the state.
  struct Wait final : reactor_op {
    explicit Wait(bool of_reading) : reactor_op({}, perform, complete), reads(of_reading) {}

    // There may be something, and nobody knows of more.
    static status perform(reactor_op*) { return done_and_exhausted; }
    static void complete(void* owner, asio::detail::scheduler_operation* base,
                         const boost::system::error_code&, std::size_t) {
      auto* const wait = static_cast<Wait*>(base);
      const auto state = std::move(wait->keeps);
      const bool cancelled = owner == nullptr || wait->ec_.failed() || state->fd < 0;
      if (!cancelled) state->ready(wait->reads, !wait->reads);
    }

    bool reads;
    std::shared_ptr<State> keeps{};  // null: it is not waiting
  };

  State(asio::io_context& io, int of, Ready call)
      : all(asio::use_service<reactor>(io)), fd(of), ready(std::move(call)) {
    all.init_task();
    all.register_descriptor(fd, data);
  }

  void begin(Wait& wait) {
    if (wait.keeps || fd < 0) return;
    wait.keeps = shared_from_this();
    wait.ec_ = {};
    all.start_op(wait.reads ? reactor::read_op : reactor::write_op, fd, data, &wait, false, true);
  }

  reactor& all;
  reactor::per_descriptor_data data{};
  int fd;
  Ready ready;
  Wait to_read{true}, to_write{false};
};

EdgeWatch::EdgeWatch(asio::io_context& io, int fd, Ready ready)
    : state_(std::make_shared<State>(io, fd, std::move(ready))) {}

void EdgeWatch::wait_to_read() { state_->begin(state_->to_read); }
void EdgeWatch::wait_to_write() { state_->begin(state_->to_write); }
int EdgeWatch::fd() const { return state_->fd; }

void EdgeWatch::close() {
  const int fd = std::exchange(state_->fd, -1);
  if (fd < 0) return;
  state_->all.deregister_descriptor(fd, state_->data, true);
  ::close(fd);
  state_->all.cleanup_descriptor_data(state_->data);
}

}  // namespace pmjit
