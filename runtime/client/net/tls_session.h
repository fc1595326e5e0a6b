// TlsSession: one encrypted stream without its socket. Bytes go in and come out; the owner of the
// socket moves them. OpenSSL encrypts, in a module of its own (secure_module.h).
//
//   auto session = sessions.begin(peer, "web1:44321", now);
//   while (true) {
//     const Result<bool> stands = session->shake_hands();
//     session->take_to_send(out);                 // also after an error: it tells the other side
//     …                                           // send it
//     if (!stands || *stands) break;
//     session->arrived(receive());
//   }
//
// Collectors have the other side of it: sessions.accept(settings, false, "web2 port 50112", now).
// Nothing here waits. After an error the stream is of no more use.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/client/net/network.h"

namespace pmjit {

class TlsSession {
 public:
  virtual ~TlsSession() = default;
  // True: it stands. False: it waits for bytes of the other side.
  [[nodiscard]] virtual Result<bool> shake_hands() = 0;
  // Why it cannot stand any more: the other side has closed the stream.
  [[nodiscard]] virtual Error closed_early() const = 0;
  // How many bytes there are in clear; 0: the other side has ended the stream. None: it waits for
  // bytes of the other side.
  [[nodiscard]] virtual Result<std::optional<size_t>> read(std::span<std::byte> room) = 0;
  [[nodiscard]] virtual Result<bool> write(Bytes clear) = 0;
  virtual void arrived(Bytes encrypted) = 0;
  // Appends what is to go out.
  virtual void take_to_send(std::vector<std::byte>& out) = 0;
};

// Of one network: files are read once for all streams of the same settings, and again after a
// minute.
class TlsSessions {
 public:
  virtual ~TlsSessions() = default;
  [[nodiscard]] virtual Result<std::unique_ptr<TlsSession>> begin(const TlsPeer& peer,
                                                                  const std::string& to,
                                                                  Instant now) = 0;
  // The collector's side: the stream of a client, which shows a certificate where that is wanted,
  // and has to be by an authority of ours where it shows one. New files that cannot be read leave
  // those that were. `from`: for messages.
  [[nodiscard]] virtual Result<std::unique_ptr<TlsSession>> accept(const TlsSettings& settings,
                                                                   bool wants_certificate,
                                                                   const std::string& from,
                                                                   Instant now) = 0;
};

}  // namespace pmjit
