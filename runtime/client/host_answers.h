// HostAnswers: what a host says of names, metrics and domains, asked ahead, so that nobody waits
// for the host where it is wanted. A value: hosts that say the same can share one.
//
//   KnownAhead known;
//   HostContext context(client);
//   context.answer_from(known);
//   (void)context.look_up("kernel.all.load");      // not known: it is in known.open now
//   auto asking = ask_ahead(client, known.open, known.asked_epoch);   // … and when that is done:
//   known.answers = …
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "runtime/client/host_client.h"
#include "runtime/model/catalog.h"
#include "runtime/model/desc.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

struct HostQuestions {
  std::set<std::string, std::less<>> names{};
  std::set<PmId> metrics{};
  std::set<InDomId> domains{};
  bool with_instances = true;  // of the metrics among them

  [[nodiscard]] bool empty() const { return names.empty() && metrics.empty() && domains.empty(); }
  void add(const HostQuestions& more);
};

struct HostAnswers {
  std::map<std::string, OrPmError<PmId>, std::less<>> pmids{};
  std::map<PmId, OrPmError<Desc>> descs{};
  std::map<InDomId, OrPmError<std::vector<Catalog::Instance>>> instances{};

  // What is newer replaces what there was.
  void add(HostAnswers newer);
  [[nodiscard]] bool same_as(const HostAnswers& other) const;
  [[nodiscard]] size_t hash() const;
};

// Of one host; its contexts share it.
struct KnownAhead {
  std::shared_ptr<const HostAnswers> answers{};  // null: nothing is known
  HostQuestions open{};                          // that somebody had, and that have no answer
  // As HostClient counts: of the last answer, and of the answers that are known.
  uint64_t asked_epoch = 0, epoch = 0;
  // What it says since there are others, where metrics that it had are not what they were.
  std::optional<HostAnswers> moved{};
};

// Null: it is not known.
template <class Map, class Key>
[[nodiscard]] const typename Map::mapped_type* find_ahead(const KnownAhead& ahead,
                                                          Map HostAnswers::* map, const Key& key) {
  if (ahead.answers == nullptr) return nullptr;
  const Map& of = (*ahead.answers).*map;
  const auto found = of.find(key);
  return found == of.end() ? nullptr : &found->second;
}

// Of a metric that is described; kNullId: it has none, or it is not known.
[[nodiscard]] InDomId known_domain(const KnownAhead& ahead, PmId metric);

// What was asked for these.
[[nodiscard]] HostQuestions questions_of(const HostAnswers& answers);
// Is a metric not what it was, or an identifier of an instance of another one? What has come
// besides is no matter.
[[nodiscard]] bool has_moved(const HostAnswers& before, const HostAnswers& now);

// With the descriptors of names that are there, and the instances of their domains. `client`
// outlives it. `epoch` is when they were given.
[[nodiscard]] Async<Result<HostAnswers>> ask_ahead(HostClient& client, HostQuestions questions,
                                                   uint64_t& epoch);
[[nodiscard]] Async<Result<HostAnswers>> ask_over(Connection& connection, HostQuestions questions);

}  // namespace pmjit
