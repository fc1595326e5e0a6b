// FleetAnswers: what hosts say of names, metrics and domains, all of them asked at once, while
// others work. Nothing here waits.
//
//   FleetAnswers answers(fleet.members());
//   answers.ask(3, {.names = {"kernel.all.load"}});
//   … answers.settled() …                    // takes what has come
//   answers.said(3)                          // null: nothing yet
//
// A catalog that is to answer from it, and from nothing else:
//
//   const FleetAnswers::Catalogs from(answers);    // contexts of the hosts do, while this lives
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "runtime/client/host_answers.h"

namespace pmjit {

struct FleetMember;

class FleetAnswers {
 public:
  using Members = std::vector<std::unique_ptr<FleetMember>>;
  // They outlive it. At most so many are asked at a time: their answers are work, too.
  explicit FleetAnswers(const Members& members, size_t at_once = SIZE_MAX);

  // What the host has said before stays, where it says nothing else. Not while it is asked.
  void ask(size_t host, HostQuestions questions);
  // Does somebody wait to be asked?
  [[nodiscard]] bool queues() const { return !queue_.empty(); }
  // Takes what has come. Have all answered, or failed?
  [[nodiscard]] bool settled();
  [[nodiscard]] const HostAnswers* said(size_t host) const {
    return hosts_[host].known.answers.get();
  }
  // Why it did not answer the last time.
  [[nodiscard]] const std::optional<Error>& why(size_t host) const { return hosts_[host].why; }
  // Nobody is asked any more: who has not answered is passed over.
  void give_up();
  // Asks what catalogs wanted, and nobody knew: names of all who have answered. False: nothing was.
  bool ask_open();

  class Catalogs {
   public:
    explicit Catalogs(FleetAnswers& answers);
    Catalogs(const Catalogs&) = delete;
    Catalogs& operator=(const Catalogs&) = delete;
    ~Catalogs();

   private:
    const Members& members_;
  };

 private:
  struct Asked {
    KnownAhead known{};
    std::optional<Error> why{};
    std::optional<Async<Result<HostAnswers>>> work{};
  };
  void start_some();

  const Members& members_;
  size_t at_once_, under_way_ = 0;
  std::deque<std::pair<size_t, HostQuestions>> queue_;
  std::vector<Asked> hosts_;  // they stay where they are: coroutines write their epochs
};

}  // namespace pmjit
