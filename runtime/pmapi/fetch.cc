// Fetches, what archives say of themselves, where they are read, and stores. Source: spec pmapi.md
// §10.
#include <algorithm>

#include "runtime/pmapi/convert.h"
#include "runtime/pmapi/open_context.h"

using namespace pmjit;

namespace {

// The bits of a fetch's status that clients know.
constexpr uint32_t kChanges = PMCD_AGENT_CHANGE | PMCD_LABEL_CHANGE | PMCD_NAMES_CHANGE;

int fetch_current(int count, const pmID* ids, void** out, bool nanoseconds) {
  if (count < 1) return PM_ERR_TOOSMALL;
  if (ids == nullptr || out == nullptr) return -EINVAL;
  return at_c_border([&] {
    auto current = Working::current();
    if (!current) return current.error();
    OpenContext& context = **current;
    if (const int gone = context.lost()) return gone;
    Fetched& fetched = context.fetched();
    const auto done =
        context.metrics().fetch({ids, static_cast<size_t>(count)}, context.profile(), fetched);
    if (!done) return code_of_failure(done.error());
    *out = give_result(fetched, nanoseconds);
    if (context.host() == nullptr) return 0;
    return static_cast<int>(context.host()->take_changes() & kChanges);
  });
}

// What needs archives.
template <class Ask>
int ask_replay(Ask&& ask) {
  return at_c_border([&] {
    auto current = Working::current();
    if (!current) return current.error();
    if ((*current)->archive() == nullptr) return PM_ERR_NOTARCHIVE;
    return ask(**current);
  });
}

int fetch_next_record(void** out, bool nanoseconds) {
  if (out == nullptr) return -EINVAL;
  return ask_replay([&](OpenContext& context) {
    const auto done = context.archive()->replay().fetch_record(context.fetched());
    if (!done) return code_of_failure(done.error());
    *out = give_result(context.fetched(), nanoseconds);
    return 0;
  });
}

int set_mode(int mode, std::optional<Stamp> when, ReplayStep step) {
  return at_c_border([&] {
    auto current = Working::current();
    if (!current) return current.error();
    ArchiveContext* archive = (*current)->archive();
    if ((*current)->local() != nullptr) return PM_ERR_MODE;
    if (archive == nullptr) return mode == PM_MODE_LIVE ? 0 : PM_ERR_MODE;
    if (mode != PM_MODE_INTERP && mode != PM_MODE_FORW && mode != PM_MODE_BACK) return PM_ERR_MODE;
    archive->replay().set_mode(static_cast<ReplayMode>(mode), when, step);
    return 0;
  });
}

// The step of pmSetMode(). As in PCP 6 an hour counts as 360 s, and nanoseconds have 32 bits: 5 s
// of microseconds are 0.705 s.
ReplayStep step_of(int mode, int delta) {
  constexpr int64_t kSecond = 1'000'000'000;
  int64_t unit = 1'000'000;  // milliseconds
  switch (PM_XTB_GET(mode)) {
    case PM_TIME_NSEC: return {.nsec = delta};
    case PM_TIME_USEC: return {.nsec = static_cast<int32_t>(delta * int64_t{1'000})};
    case PM_TIME_SEC: unit = kSecond; break;
    case PM_TIME_MIN: unit = 60 * kSecond; break;
    case PM_TIME_HOUR: unit = 360 * kSecond; break;
    default: break;
  }
  const int64_t nanoseconds = delta * unit;
  return {.sec = nanoseconds / kSecond, .nsec = static_cast<int32_t>(nanoseconds % kSecond)};
}

template <class Value>
void sort_sets(int numpmid, Value* const* sets) {
  for (int i = 0; i < numpmid; ++i) {
    if (sets[i] == nullptr || sets[i]->numval < 2) continue;
    std::stable_sort(sets[i]->vlist, sets[i]->vlist + sets[i]->numval,
                     [](const pmValue& a, const pmValue& b) { return a.inst < b.inst; });
  }
}

int store_sets(int numpmid, pmValueSet* const* sets) {
  if (numpmid < 1) return PM_ERR_TOOSMALL;
  for (int i = 0; i < numpmid; ++i) {
    if (sets[i] == nullptr || sets[i]->numval < 1) return PM_ERR_VALUE;
  }
  return at_c_border([&] {
    auto current = Working::current();
    if (!current) return current.error();
    if (const int gone = (*current)->lost()) return gone;
    const auto done = (*current)->metrics().store(sets_of(numpmid, sets));
    return done ? 0 : done.error();
  });
}

template <size_t kBytes>
void put_field(const std::string& text, char (&out)[kBytes]) {
  std::memset(out, 0, kBytes);
  std::memcpy(out, text.data(), std::min(text.size(), kBytes - 1));
}

template <class Time>
int archive_end(Time* out) {
  if (out == nullptr) return -EINVAL;
  return ask_replay([&](OpenContext& context) {
    const auto end = context.archives().end();
    if (!end) return code_of_failure(end.error());
    put_time(*end, *out);
    return 0;
  });
}

}  // namespace

int pmFetch(int count, pmID* ids, pmResult** out) {
  return fetch_current(count, ids, reinterpret_cast<void**>(out), false);
}
int pmFetchHighRes(int count, pmID* ids, pmHighResResult** out) {
  return fetch_current(count, ids, reinterpret_cast<void**>(out), true);
}
int pmHighResFetch(int count, pmID* ids, pmHighResResult** out) {
  return fetch_current(count, ids, reinterpret_cast<void**>(out), true);
}

int pmFetchArchive(pmResult** out) {
  return fetch_next_record(reinterpret_cast<void**>(out), false);
}
int pmFetchHighResArchive(pmHighResResult** out) {
  return fetch_next_record(reinterpret_cast<void**>(out), true);
}

void pmFreeResult(pmResult* result) {
  (void)at_c_border([&] { return free_result(result), 0; });
}
void pmFreeHighResResult(pmHighResResult* result) {
  (void)at_c_border([&] { return free_result(result), 0; });
}

void pmSortInstances(pmResult* result) {
  if (result != nullptr) sort_sets(result->numpmid, result->vset);
}
void pmSortHighResInstances(pmHighResResult* result) {
  if (result != nullptr) sort_sets(result->numpmid, result->vset);
}

int pmSetMode(int mode, const struct timeval* when, int delta) {
  return set_mode(mode & 0xffff, when == nullptr ? std::nullopt : std::optional(stamp_of(*when)),
                  step_of(mode, delta));
}
int pmSetModeHighRes(int mode, const struct timespec* when, const struct timespec* delta) {
  ReplayStep step;
  if (delta != nullptr) {
    step = {.sec = delta->tv_sec, .nsec = static_cast<int32_t>(delta->tv_nsec)};
  }
  return set_mode(mode, when == nullptr ? std::nullopt : std::optional(stamp_of(*when)), step);
}

int pmGetArchiveLabel(pmLogLabel* out) {
  if (out == nullptr) return -EINVAL;
  return ask_replay([&](OpenContext& context) {
    const Label& label = context.archives().label();
    out->ll_magic = PM_LOG_MAGIC | static_cast<int>(label.version);
    out->ll_pid = label.pid;
    put_time(label.start, out->ll_start);
    put_field(label.host, out->ll_hostname);
    put_field(label.timezone, out->ll_tz);
    return 0;
  });
}

int pmGetHighResArchiveLabel(pmHighResLogLabel* out) {
  if (out == nullptr) return -EINVAL;
  return ask_replay([&](OpenContext& context) {
    const Label& label = context.archives().label();
    out->magic = PM_LOG_MAGIC | static_cast<int>(label.version);
    out->pid = label.pid;
    put_time(label.start, out->start);
    put_field(label.host, out->hostname);
    put_field(label.timezone, out->timezone);
    put_field(label.zoneinfo, out->zoneinfo);
    return 0;
  });
}

int pmGetArchiveEnd(struct timeval* out) { return archive_end(out); }
int pmGetHighResArchiveEnd(struct timespec* out) { return archive_end(out); }

int pmStore(const pmResult* result) {
  if (result == nullptr) return -EINVAL;
  return store_sets(result->numpmid, result->vset);
}
int pmStoreHighRes(const pmHighResResult* result) {
  if (result == nullptr) return -EINVAL;
  return store_sets(result->numpmid, result->vset);
}
