#include "runtime/client/archive_context/read_ahead.h"

#include <tuple>

namespace pmjit {

namespace {

bool lies_before(const RecordPosition& a, const RecordPosition& b) {
  return std::tie(a.member, a.volume, a.offset) < std::tie(b.member, b.volume, b.offset);
}

}  // namespace

void ReadAhead::met(const RecordPosition& behind, double t, bool beyond) {
  time_ = t;
  if (!from_ && beyond) from_ = behind;
  if (farthest_ && !lies_before(*farthest_, behind)) return;
  if (farthest_ && t <= latest_) given_up_ = true;
  farthest_ = behind;
  latest_ = t;
}

void ReadAhead::stopped(const RecordPosition& before, size_t metrics) {
  if (from_ && lies_before(*from_, before)) {
    known_ = {.from = *from_, .end = before, .metrics = metrics};
  }
  from_.reset();
}

bool ReadAhead::covers(const RecordPosition& position, size_t metrics) const {
  return following() && known_ && known_->metrics == metrics &&
         !lies_before(position, known_->from) && lies_before(position, known_->end);
}

}  // namespace pmjit
