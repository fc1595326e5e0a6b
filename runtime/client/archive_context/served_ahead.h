// ServedAhead: serves the interpolated fetches of an archive context from a FetchAhead, while that
// has them. The first fetch says of which metrics and instances. Where the FetchAhead ends, as it
// does at a mark, the context's own interpolation goes on as if it had fetched all before; some
// fetches later another FetchAhead is tried.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "runtime/client/archive_context/fetch_ahead.h"

namespace pmjit {

class ServedAhead {
 public:
  explicit ServedAhead(const FetchAhead::From& from) : from_(from) {}

  // False: `replay` is where this fetch is to be made.
  [[nodiscard]] bool serve(ReplayContext& replay, std::span<const PmId> metrics,
                           const Profile& profile, Fetched& out);
  // Of the next fetch; none: that of the context's own.
  [[nodiscard]] std::optional<Stamp> now() const;
  // Of the fetch before that, where somebody looks at a time (AheadTimes::look_at).
  [[nodiscard]] std::optional<Stamp> looked_at() const {
    return ahead_ == nullptr ? std::nullopt : ahead_->looked_at();
  }
  // The source of these metrics, if there is one now. The caller may read many times from it, and
  // then calls pass().
  [[nodiscard]] FetchAhead* of(std::span<const PmId> metrics) const;

 private:
  [[nodiscard]] bool begin(const ReplayContext& replay, std::span<const PmId> metrics,
                           const Profile& profile, bool in_columns);
  [[nodiscard]] bool try_again(const ReplayContext& replay);
  void hand_over(ReplayContext& replay);

  FetchAhead::From from_;
  bool begun_ = false, done_ = false;  // done: nothing is tried any more
  std::vector<PmId> metrics_;
  Profile profile_;
  std::unique_ptr<FetchAhead> ahead_;
  std::optional<bool> is_sound_{};     // the recording; none: nobody has looked
  uint32_t tries_in_ = 0, tried_ = 0;  // fetches until the next try; the wait before this one
};

}  // namespace pmjit
