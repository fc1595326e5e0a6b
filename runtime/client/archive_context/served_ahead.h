// ServedAhead: serves the interpolated fetches of an archive context from a FetchAhead, while that
// has them. The first fetch says of which metrics and instances; another one, and the end of what
// is there, hand over to the context's own interpolation, which then goes on as if it had fetched
// all before.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/client/archive_context/fetch_ahead.h"

namespace pmjit {

class ServedAhead {
 public:
  // `recorded` outlives it.
  explicit ServedAhead(const ArchivesSource& recorded) : recorded_(recorded) {}

  // False: `replay` is where this fetch is to be made, and so are all that follow.
  [[nodiscard]] bool serve(ReplayContext& replay, std::span<const PmId> metrics,
                           const Profile& profile, Fetched& out);
  // Of the next fetch; none: that of the context's own.
  [[nodiscard]] std::optional<Stamp> now() const;
  // What serves these metrics, for whoever takes many times at once and passes them; null: nothing
  // does.
  [[nodiscard]] FetchAhead* of(std::span<const PmId> metrics) const;

 private:
  void begin(const ReplayContext& replay, std::span<const PmId> metrics, const Profile& profile);
  void end(ReplayContext& replay);

  const ArchivesSource& recorded_;
  bool begun_ = false;
  std::vector<PmId> metrics_;
  Profile profile_;
  std::unique_ptr<FetchAhead> ahead_;
};

}  // namespace pmjit
