// StateStore: the database STATE/pmjit.db. Source: spec alerting.md §7.
//
//   auto store = StateStore::open({.folder = "/var/lib/pmjit"}, clock);
//   if (!store) return complain(store.error());      // somebody else has it, or it is newer than
//   us if ((*store)->lost()) …                           // it was damaged: the old one was moved
//   there auto done = (*store)->commit(batch);              // messages have their numbers then
//
// One thread at a time. A folder that is not there is made, for its owner alone.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "rules/state/state_batch.h"
#include "runtime/base/clock.h"
#include "runtime/base/result.h"

namespace pmjit {

struct StateStoreOptions {
  std::string folder;
};

class StateStore {
 public:
  // Errors: a second daemon (its number is named), a folder or file that cannot be used now, a
  // schema that is newer than ours. They leave the database as it is.
  [[nodiscard]] static Result<std::unique_ptr<StateStore>> open(const StateStoreOptions& options,
                                                                const Clock& clock);
  ~StateStore();
  StateStore(const StateStore&) = delete;
  StateStore& operator=(const StateStore&) = delete;

  // Where the damaged database is now; none: it was whole.
  [[nodiscard]] const std::optional<std::string>& lost() const { return lost_; }

  // All of it or nothing. New messages get their numbers; one that was decided before is taken
  // out: it has been sent, or waits.
  [[nodiscard]] Result<void> commit(StateBatch& batch);

  [[nodiscard]] Result<std::vector<StoredAlert>> alerts();
  [[nodiscard]] Result<std::vector<StoredHold>> holds();
  // Those that wait, oldest first.
  struct Waiting {
    OutboxMessage message;
    uint32_t attempts = 0;
  };
  [[nodiscard]] Result<std::vector<Waiting>> waiting();
  // Rows of the history, newest first.
  [[nodiscard]] Result<std::vector<HistoryEntry>> history(size_t most);
  // Forgets what was sent a day ago, given up a week ago, and history of more than 30 days.
  [[nodiscard]] Result<void> compact();

 private:
  class Database;
  class Lock;
  StateStore(const Clock& clock);

  const Clock& clock_;
  std::unique_ptr<Lock> lock_;
  std::unique_ptr<Database> database_;
  std::optional<std::string> lost_{};
};

}  // namespace pmjit
