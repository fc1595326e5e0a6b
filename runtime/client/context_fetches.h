// Fetches of a HostContext: the ways in which it asks. Each waits for its turn and a connection;
// the answer's bytes are kept before the next user's requests may overwrite them. Private to
// runtime/client.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/client/followed_metrics.h"
#include "runtime/client/host_answers.h"
#include "runtime/client/host_client.h"

namespace pmjit {

// What is pointed to outlives the fetch; `kept` gets the bytes.
struct FetchCall {
  std::span<const PmId> metrics;
  const Profile& profile;
  std::vector<std::byte>& kept;
};

[[nodiscard]] Async<Result<FetchAnswer>> fetch_kept(HostClient& client, FetchCall call);
// As the collector calls the metrics by then: `sent`. Where an answer says that metrics have
// changed it may be of others: it is asked again then. Without a PDU: nothing could be asked for.
[[nodiscard]] Async<Result<FetchAnswer>> fetch_followed(HostClient& client,
                                                        std::shared_ptr<FollowedMetrics> followed,
                                                        FetchCall call, FollowedFetch& sent);
// What was known of an earlier connection, or before agents changed, may be wrong: then it is asked
// for again before anything else is. `user`: of one that shares the host's answer at `tick`; null:
// it asks for itself.
[[nodiscard]] Async<Result<FetchAnswer>> fetch_known(HostClient& client, KnownAhead& known,
                                                     FetchCall call, TickUser* user,
                                                     FetchTick tick);

}  // namespace pmjit
