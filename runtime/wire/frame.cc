#include "runtime/wire/frame.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "runtime/base/result.h"
#include "runtime/model/pm_codes.h"
#include "runtime/wire/pdu.h"

namespace pmjit::wire {

namespace {

// Most requests, and the answers to them, fit: a fetch of some dozens of metrics.
constexpr size_t kFirstBytes = 1'024;

Error stream_error(std::string what) {
  return Error(Fault::format, std::move(what))
      .pm_code(pm_err::E_IPC)
      .help("is there a PCP collector at the other end? The connection cannot go on");
}

}  // namespace

Result<PduHeader> read_header(Bytes bytes, uint32_t bytes_max) {
  ByteReader in(bytes);
  PduHeader header;
  header.bytes = in.u32();
  header.code = in.u32();
  header.from = in.i32();
  check(in.ok(), "framing: a header has 12 bytes");
  const auto length = static_cast<int32_t>(header.bytes);
  if (length < static_cast<int32_t>(kHeaderBytes)) {
    return fail(stream_error(fmt::format("a PDU claims a length of {} bytes", length)));
  }
  if (header.bytes > bytes_max) {
    return fail(stream_error(fmt::format("a PDU {} claims {} bytes, more than the limit of {}",
                                         pdu_name(header.code), header.bytes, bytes_max)));
  }
  if (static_cast<int32_t>(header.code) <= 0) {
    return fail(stream_error(fmt::format("a PDU has the type {:#x}", header.code)));
  }
  return header;
}

std::span<std::byte> Framer::room() {
  check(wanted() != 0, "framing: a PDU that has come was not taken");
  if (begin_ == end_) {
    begin_ = end_ = 0;
    if (buffer_.size() > kept_) buffer_ = {};
  }
  // Twice what is there, but not beyond what is wanted: lengths are claims until the bytes come.
  // And one byte more: a read that leaves room has taken all that has come, without another one.
  const size_t more = std::min(wanted(), std::max(held(), kFirstBytes)) + 1;
  if (buffer_.size() - end_ < more) {
    const size_t size = std::max(held() + more, kFirstBytes);
    if (buffer_.size() < size) {
      buffer_ = with_room(size);
    } else {
      std::memmove(buffer_.data(), buffer_.data() + begin_, held());
    }
    end_ = held();
    begin_ = 0;
  }
  return {buffer_.data() + end_, buffer_.size() - end_};
}

// Another buffer with what has come.
Buffer Framer::with_room(size_t bytes) const {
  Buffer out(bytes);
  if (held() > 0) std::memcpy(out.data(), buffer_.data() + begin_, held());
  return out;
}

void Framer::filled(size_t bytes) {
  check(bytes <= buffer_.size() - end_, "framing: more bytes than there was room for");
  end_ += bytes;
}

Result<std::optional<Framer::Frame>> Framer::next() {
  if (!header_ && held() >= kHeaderBytes) {
    const auto header = read_header(come(), bytes_max_);
    if (!header) return fail(header.error());
    header_ = *header;
  }
  if (!header_ || held() < header_->bytes) return std::nullopt;
  const Frame frame{.header = *header_, .bytes = come().first(header_->bytes)};
  begin_ += header_->bytes;
  header_.reset();
  return frame;
}

Bytes Framer::take_rest() {
  const Bytes rest = come();
  begin_ = end_;
  header_.reset();
  return rest;
}

Buffer Framer::take_memory() {
  Buffer rest = with_room(held());
  end_ = held();
  begin_ = 0;
  return std::exchange(buffer_, std::move(rest));
}

size_t Framer::wanted() const {
  const size_t size = header_ ? header_->bytes : kHeaderBytes;
  return size > held() ? size - held() : 0;
}

Result<void> Framer::ended() const {
  if (held() == 0) return {};
  if (wanted() == 0) {
    return fail(Error(Fault::truncated, "the connection ended before all that came was read")
                    .pm_code(pm_err::E_IPC)
                    .help("the other side asked without reading the answers"));
  }
  return fail(
      Error(Fault::truncated,
            fmt::format("the connection ended within a PDU: {} more bytes were expected", wanted()))
          .pm_code(pm_err::E_IPC)
          .help("the other side stopped, or was restarted"));
}

}  // namespace pmjit::wire
