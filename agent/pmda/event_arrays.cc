// pmdaEvent…Array: what agents call to fill arrays of event records. Source: spec
// collector-and-agents.md §6.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "agent/pmda/agent_state.h"

using namespace pmjit;

namespace {

constexpr size_t kHeadBytes = offsetof(pmEventArray, ea_record);
constexpr size_t kRecordBytes = offsetof(pmEventRecord, er_param);
constexpr size_t kHighResRecordBytes = offsetof(pmHighResEventRecord, er_param);
constexpr size_t kRecordsMost = size_t{1} << 24;  // bytes: lengths have 24 bits

// The bytes of a value; false where a parameter cannot have the type.
bool parameter_bytes(int type, const pmAtomValue& value, std::string_view& out) {
  const auto* at = reinterpret_cast<const char*>(&value);
  switch (type) {
    case PM_TYPE_32:
    case PM_TYPE_U32:
    case PM_TYPE_FLOAT: out = {at, sizeof value.l}; return true;
    case PM_TYPE_64:
    case PM_TYPE_U64:
    case PM_TYPE_DOUBLE: out = {at, sizeof value.ll}; return true;
    case PM_TYPE_STRING: out = value.cp == nullptr ? std::string_view() : value.cp; return true;
    case PM_TYPE_AGGREGATE:
      out = {};
      if (value.vbp != nullptr && value.vbp->vlen > PM_VAL_HDR_SIZE) {
        out = {value.vbp->vbuf, static_cast<size_t>(value.vbp->vlen) - PM_VAL_HDR_SIZE};
      }
      return true;
    default: return false;
  }
}

// An array that is filled record by record, in the layout of pmEventArray.
class EventRecords {
 public:
  explicit EventRecords(bool highres) : highres_(highres) { reset(); }

  void reset();
  [[nodiscard]] bool highres() const { return highres_; }
  // 0, or why not. `count`: of parameters, or of records that were missed.
  int add_record(int64_t seconds, int64_t fraction, unsigned flags, int count);
  int add_parameter(pmID pmid, int type, const pmAtomValue& value);
  // Its head filled in; until the next change.
  [[nodiscard]] void* finished();

 private:
  [[nodiscard]] std::byte* room(size_t bytes);
  template <class T>
  void put(T value);

  bool highres_;
  std::vector<std::byte> bytes_;  // operator new aligns it for any type
  size_t last_record_ = 0;        // 0: there is none yet
  int records_ = 0;
};

void EventRecords::reset() {
  bytes_.assign(kHeadBytes, std::byte{0});
  last_record_ = 0;
  records_ = 0;
}

std::byte* EventRecords::room(size_t bytes) {
  const size_t at = bytes_.size();
  bytes_.resize(at + (bytes + 3) / 4 * 4);
  return bytes_.data() + at;
}

template <class T>
void EventRecords::put(T value) {
  std::memcpy(room(sizeof value), &value, sizeof value);
}

int EventRecords::add_record(int64_t seconds, int64_t fraction, unsigned flags, int count) {
  const size_t bytes = highres_ ? kHighResRecordBytes : kRecordBytes;
  if (bytes_.size() + bytes >= kRecordsMost) return PM_ERR_TOOBIG;
  last_record_ = bytes_.size();
  if (highres_) {
    put(seconds);
    put(fraction);
  } else {
    put(static_cast<int32_t>(seconds));
    put(static_cast<int32_t>(fraction));
  }
  put(flags);
  put(count);
  ++records_;
  return 0;
}

int EventRecords::add_parameter(pmID pmid, int type, const pmAtomValue& value) {
  std::string_view data;
  if (!parameter_bytes(type, value, data)) return PM_ERR_TYPE;
  if (last_record_ == 0) return PM_ERR_GENERIC;  // of which record?
  if (bytes_.size() + data.size() + sizeof(pmEventParameter) >= kRecordsMost) return PM_ERR_TOOBIG;
  put(pmid);
  put(static_cast<uint32_t>(type) << 24 | static_cast<uint32_t>(data.size() + 4));
  std::byte* at = room(data.size());
  if (!data.empty()) std::memcpy(at, data.data(), data.size());
  std::byte* count_at =
      bytes_.data() + last_record_ + (highres_ ? kHighResRecordBytes : kRecordBytes) - sizeof(int);
  int count = 0;
  std::memcpy(&count, count_at, sizeof count);
  ++count;
  std::memcpy(count_at, &count, sizeof count);
  return 0;
}

void* EventRecords::finished() {
  const auto head = static_cast<uint32_t>(highres_ ? PM_TYPE_HIGHRES_EVENT : PM_TYPE_EVENT) << 24 |
                    static_cast<uint32_t>(bytes_.size());
  std::memcpy(bytes_.data(), &head, sizeof head);
  std::memcpy(bytes_.data() + sizeof head, &records_, sizeof records_);
  return bytes_.data();
}

// Handles of both kinds; one that was released is given out again.
std::vector<std::optional<EventRecords>>& event_arrays() {
  static auto* const arrays = new std::vector<std::optional<EventRecords>>();
  return *arrays;
}

EventRecords* array_of(int handle, bool highres) {
  auto& arrays = event_arrays();
  if (handle < 0 || static_cast<size_t>(handle) >= arrays.size()) return nullptr;
  auto& array = arrays[static_cast<size_t>(handle)];
  return array && array->highres() == highres ? &*array : nullptr;
}

int new_array(bool highres) {
  return at_c_border([&] {
    auto& arrays = event_arrays();
    auto room = std::ranges::find_if(arrays, [](const auto& each) { return !each.has_value(); });
    if (room == arrays.end()) room = arrays.emplace(arrays.end());
    room->emplace(highres);
    return static_cast<int>(room - arrays.begin());
  });
}

template <class Use>
int with_array(int handle, bool highres, Use&& use) {
  EventRecords* array = array_of(handle, highres);
  if (array == nullptr) return PM_ERR_NOCONTEXT;
  return at_c_border([&] { return use(*array); });
}

// PCP's library resets and releases arrays of either kind by either name.
bool is_array(int handle) {
  return array_of(handle, false) != nullptr || array_of(handle, true) != nullptr;
}
int reset_array(int handle) {
  if (!is_array(handle)) return PM_ERR_NOCONTEXT;
  return at_c_border([&] {
    event_arrays()[static_cast<size_t>(handle)]->reset();
    return 0;
  });
}
int release_array(int handle) {
  if (!is_array(handle)) return PM_ERR_NOCONTEXT;
  event_arrays()[static_cast<size_t>(handle)].reset();
  return 0;
}

int add_to(int handle, bool highres, pmID pmid, int type, const pmAtomValue* value) {
  return with_array(handle, highres, [&](EventRecords& array) {
    return value == nullptr ? -EINVAL : array.add_parameter(pmid, type, *value);
  });
}

bool is_missed(int flags) { return (static_cast<unsigned>(flags) & PM_EVENT_FLAG_MISSED) != 0; }

int add_timeval(int handle, const timeval* time, unsigned flags, int count) {
  return with_array(handle, false, [&](EventRecords& array) {
    return time == nullptr ? -EINVAL : array.add_record(time->tv_sec, time->tv_usec, flags, count);
  });
}
int add_timespec(int handle, const timespec* time, unsigned flags, int count) {
  return with_array(handle, true, [&](EventRecords& array) {
    return time == nullptr ? -EINVAL : array.add_record(time->tv_sec, time->tv_nsec, flags, count);
  });
}

}  // namespace

int pmdaEventNewArray() { return new_array(false); }
int pmdaEventNewHighResArray() { return new_array(true); }
int pmdaEventResetArray(int handle) { return reset_array(handle); }
int pmdaEventResetHighResArray(int handle) { return reset_array(handle); }
int pmdaEventReleaseArray(int handle) { return release_array(handle); }
int pmdaEventReleaseHighResArray(int handle) { return release_array(handle); }

int pmdaEventAddRecord(int handle, struct timeval* time, int flags) {
  if (is_missed(flags)) return array_of(handle, false) == nullptr ? PM_ERR_NOCONTEXT : PM_ERR_CONV;
  return add_timeval(handle, time, static_cast<unsigned>(flags), 0);
}
int pmdaEventAddHighResRecord(int handle, struct timespec* time, int flags) {
  if (is_missed(flags)) return array_of(handle, true) == nullptr ? PM_ERR_NOCONTEXT : PM_ERR_CONV;
  return add_timespec(handle, time, static_cast<unsigned>(flags), 0);
}
int pmdaEventAddMissedRecord(int handle, struct timeval* time, int missed) {
  return add_timeval(handle, time, PM_EVENT_FLAG_MISSED, missed);
}
int pmdaEventAddHighResMissedRecord(int handle, struct timespec* time, int missed) {
  return add_timespec(handle, time, PM_EVENT_FLAG_MISSED, missed);
}
int pmdaEventAddParam(int handle, pmID pmid, int type, pmAtomValue* value) {
  return add_to(handle, false, pmid, type, value);
}
int pmdaEventAddHighResParam(int handle, pmID pmid, int type, pmAtomValue* value) {
  return add_to(handle, true, pmid, type, value);
}
int pmdaEventHighResAddParam(int handle, pmID pmid, int type, pmAtomValue* value) {
  return add_to(handle, true, pmid, type, value);
}

pmEventArray* pmdaEventGetAddr(int handle) {
  EventRecords* array = array_of(handle, false);
  return array == nullptr ? nullptr : static_cast<pmEventArray*>(array->finished());
}
pmHighResEventArray* pmdaEventGetHighResAddr(int handle) {
  EventRecords* array = array_of(handle, true);
  return array == nullptr ? nullptr : static_cast<pmHighResEventArray*>(array->finished());
}
pmHighResEventArray* pmdaEventHighResGetAddr(int handle) { return pmdaEventGetHighResAddr(handle); }
