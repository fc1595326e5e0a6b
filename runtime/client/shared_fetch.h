// SharedFetch: what several users of a host want at the same time is one fetch. Who asks first asks
// for what all have wanted before that are due then, too, whatever their intervals; the others take
// their values from that answer. Source: spec alerting.md §5.1, design of the live half §5.
//
//   TickUser user(client);                                // a user; others have their own
//   const FetchTick tick{.due = due, .step = second, .since = network.now()};
//   auto waiting = client.lease();  …                     // users take turns
//   auto fetching = user.fetch(lease->connection(), tick, wanted);
//   const Result<FetchAnswer> answer = co_await fetching;
//
// | a user asks                                        | and gets                             |
// |---|---|
// | alone at that time                                 | its own fetch                        |
// | first at that time                                 | a fetch of what all have wanted      |
// | later, and the answer has all that it wants        | that answer; nothing is sent         |
// | later, wanting more than before; after the host's  | its own fetch; it is part of the     |
// | metadata have changed; much later than the first   | others' from the next time on        |
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/client/connection.h"
#include "runtime/model/stamp.h"

namespace pmjit {

class HostClient;

// A time that is due every `step`. Users with the same `due` mean the same time.
struct FetchTick {
  Nanos due = 0;
  Nanos step = 0;
  Instant since{};  // when this user wanted it: an answer must not be much older
};

// `domains`: instance domains of the metrics, ascending. What is pointed to outlives the fetch.
struct FetchWanted {
  std::span<const PmId> metrics;
  const Profile& profile;
  std::span<const InDomId> domains;
};

class TickUser {
 public:
  // `client` outlives it.
  explicit TickUser(HostClient& client);
  TickUser(const TickUser&) = delete;
  TickUser& operator=(const TickUser&) = delete;
  ~TickUser();

  // The connection is leased, and stays so. The answer may have more metrics, and more instances,
  // than were wanted (FetchAnswer::has_more); its bytes live until the end of the lease.
  [[nodiscard]] Async<Result<FetchAnswer>> fetch(Connection& connection, FetchTick tick,
                                                 FetchWanted wanted);

 private:
  friend class SharedFetch;
  void note(const FetchTick& tick, const FetchWanted& wanted);

  HostClient& client_;
  // As of the last fetch, where there are other users; without a step: there was none.
  FetchTick tick_{};
  std::vector<PmId> metrics_{};  // ascending
  Profile profile_{};
  std::vector<InDomId> domains_{};
};

// Of one host. Inside of HostClient; TickUser is for everybody else.
class SharedFetch {
 public:
  void add(TickUser& user) { users_.push_back(&user); }
  void remove(TickUser& user) { std::erase(users_, &user); }
  [[nodiscard]] bool has_others() const { return users_.size() > 1; }

  // One fetch for all users that are due at a time.
  struct Together {
    std::vector<PmId> metrics{};  // ascending
    Profile profile{};
  };
  // Does somebody else want something at the user's time?
  [[nodiscard]] bool wants_more(const TickUser& user) const;
  [[nodiscard]] Together together(Nanos due) const;
  // `asked`, `epoch`: when, and as HostClient counted then.
  void keep(const FetchTick& tick, Together of, Instant asked, uint64_t epoch,
            const FetchAnswer& answer);
  // Null: the user has to ask.
  [[nodiscard]] const FetchAnswer* find(const FetchTick& tick, const TickUser& user,
                                        uint64_t epoch) const;

 private:
  struct Kept {
    FetchTick tick{};
    uint64_t epoch = 0;
    Together of{};
    std::vector<std::byte> pdu{};
    FetchAnswer answer{};  // over `pdu`
  };
  [[nodiscard]] static bool is_due(const TickUser& user, Nanos due);
  [[nodiscard]] static bool covers(const Together& of, const TickUser& user);

  std::vector<TickUser*> users_;
  Kept kept_;
};

}  // namespace pmjit
