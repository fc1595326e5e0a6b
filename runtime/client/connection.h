// Connection: one stream to a collector, greeted and ready: requests go out, answers come back,
// each with a deadline. Source: spec wire-protocol.md §1, §3, §13.
//
//   Result<std::unique_ptr<Connection>> open = co_await Connection::open(network, spec, settings);
//   const Result<wire::Pdu> answer = co_await connection.ask({.body = wire::DescRequest{pmid}});
//   if (!answer) …                                       // the connection is lost: open another
//   if (const auto* refused = std::get_if<wire::ErrorMessage>(&answer->body)) …   // it goes on
//
// An answer's texts, and the bytes of a result, live until the next request. One request at a time:
// HostClient sees to that. After a Result that is an error the stream may be anywhere, so every
// later request fails at once with the same error (PCP's library goes on, and takes a late answer
// for that of the next request).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/base/byte_writer.h"
#include "runtime/client/client_settings.h"
#include "runtime/client/context.h"
#include "runtime/client/hello_answer.h"
#include "runtime/client/host_spec.h"
#include "runtime/client/login_refusal.h"
#include "runtime/client/net/async.h"
#include "runtime/client/net/network.h"
#include "runtime/client/net/sasl_login.h"
#include "runtime/wire/codec.h"
#include "runtime/wire/frame.h"

namespace pmjit {

// What came for a fetch. `pdu`: a RESULT or HIGHRES_RESULT; empty: the collector refused it.
struct FetchAnswer {
  uint32_t changes = 0;  // wire::StateChange bits that came before it
  int32_t status = 0;    // the refusal: a PM_ERR_*
  Bytes pdu{};
  // It was asked for with what others want (shared_fetch.h): it may have other metrics in another
  // order, and instances that the profile leaves out.
  bool has_more = false;
};

// How many PDUs of each type went out and came in, the greeting among them.
struct ClientPduCounts {
  static constexpr uint32_t kFirst = 0x7000, kTypes = 24;
  std::array<uint64_t, kTypes> sent{}, received{};

  void add(const ClientPduCounts& other);
};

// What a user has answered, so that he is not asked again at every new connection.
struct LoginAnswers {
  std::optional<std::string> user{}, password{};
};

// Whether PCP's one line for it leaves open what is wrong: of certificates and TLS settings.
[[nodiscard]] bool is_of_encryption(const Error& error);

class Connection {
 public:
  // Why so many metrics cannot be fetched at once: no request has room for them. None: they can.
  [[nodiscard]] static std::optional<Error> refused_fetch(size_t metrics, const std::string& host);
  // Tries the socket or the ports of the specification, one after the other; the error is that of
  // the last, or what spec_refusal() says of it. The arguments outlive the attempt.
  [[nodiscard]] static Async<Result<std::unique_ptr<Connection>>> open(
      Network& network, const HostSpec& spec, const ClientSettings& settings,
      LoginAnswers& answers);

  [[nodiscard]] wire::FeatureSet features() const { return features_; }
  // "web1:44321": where it leads.
  [[nodiscard]] const std::string& peer() const { return peer_; }
  // Also where the last user went before the answer came.
  [[nodiscard]] bool lost() const { return lost_.has_value() || under_way_; }

  [[nodiscard]] const ClientPduCounts& pdu_counts() const { return counts_; }

  // Sends it and waits for its answer, of whatever kind. The request is encoded at once.
  [[nodiscard]] Async<Result<wire::Pdu>> ask(wire::Pdu request);
  // A whole PDU that was made by a wire::ResultEncoder: values to store.
  [[nodiscard]] Async<Result<wire::Pdu>> ask_encoded(Bytes request);
  // An answer makes no sense: nobody knows any more which request the next one is for.
  [[nodiscard]] Error break_off(std::string what);
  // With the profile before it if that is not the one that the collector has. In nanoseconds where
  // the collector can do so.
  [[nodiscard]] Async<Result<FetchAnswer>> fetch(std::span<const PmId> metrics,
                                                 const Profile& profile);

 private:
  Connection(Network& network, std::unique_ptr<Transport> transport, std::string peer,
             const ClientSettings& settings);

  // connection_opening.cc
  struct Opening {
    const HostSpec& spec;
    const ClientSettings& settings;
    LoginAnswers& answers;
    HelloWishes wishes{};
  };
  [[nodiscard]] Async<Result<bool>> pass_proxy(std::string beyond);
  [[nodiscard]] Async<Result<bool>> send_text(std::string text);
  [[nodiscard]] Async<Result<bool>> shake_hands(const Opening& how);
  [[nodiscard]] Result<wire::FeatureSet> take_hello(const wire::Pdu& pdu, const Opening& how);
  void encode_container(const Opening& how);
  [[nodiscard]] Async<Result<bool>> encrypt(const Opening& how, bool waits);
  [[nodiscard]] Result<Credentials> credentials_of(const Opening& how) const;
  [[nodiscard]] Async<Result<bool>> log_in(const Opening& how, Credentials who);
  [[nodiscard]] Async<Result<std::string>> next_challenge(const LoginAs& who);
  [[nodiscard]] Async<Result<bool>> go_on(const Opening& how, wire::FeatureSet flags,
                                          std::optional<Credentials> who);

  [[nodiscard]] Async<Result<FetchAnswer>> fetch_values(std::span<const PmId> metrics,
                                                        const Profile& profile);
  void count_fetch(const Result<FetchAnswer>& answer, double seconds) const;
  [[nodiscard]] Async<Result<bool>> send();
  [[nodiscard]] Async<Error> why_unwritten(Error error);
  [[nodiscard]] Async<Result<wire::Pdu>> receive();
  [[nodiscard]] Async<Result<wire::Framer::Frame>> receive_frame();
  [[nodiscard]] Result<bool> fill(size_t bytes, std::span<const std::byte> room);
  [[nodiscard]] Error lose(Error error);

  Network& network_;
  wire::Framer framer_;
  ByteWriter out_;
  std::unique_ptr<Transport> transport_;  // closed before the buffers go
  std::string peer_;
  std::chrono::nanoseconds patience_;
  Instant deadline_{};
  wire::FeatureSet features_;
  ClientPduCounts counts_;
  FetchCounts* fetch_counts_;
  bool greeted_ = false, under_way_ = false;
  bool is_encrypted_ = false, heard_encrypted_ = false;
  bool beyond_proxy_ = false;           // a proxy has been asked for the collector
  std::optional<LoginAs> unconfirmed_;  // who has logged in; the next answer may refuse him
  std::optional<Profile> profile_;      // that the collector has
  std::optional<Error> lost_;
};

}  // namespace pmjit
