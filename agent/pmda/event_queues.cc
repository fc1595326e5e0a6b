// pmdaEventQueue…: events that several clients fetch, each at its own pace. Each client has the
// number of the event that it gets next, so it sees every event once, and is told how many were
// dropped before it came. PCP's own library delivers some twice. Source: spec
// collector-and-agents.md §6.
#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "agent/pmda/agent_state.h"

using namespace pmjit;

namespace {

struct QueuedEvent {
  timeval time{};
  std::vector<char> data;
};

struct EventFilter {
  void* data = nullptr;
  pmdaEventApplyFilterCallBack apply = nullptr;
  pmdaEventReleaseFilterCallBack release = nullptr;
};

// What a queue knows of a client.
struct QueueReader {
  bool active = false;  // it has fetched
  bool allowed = false;
  uint64_t next = 0;  // the event that it gets next
  EventFilter filter;
};

struct EventQueue {
  std::string name;
  size_t bytes_most = 0, bytes_held = 0;
  unsigned expected = 0;  // clients that are there already and have not fetched yet
  bool shut_down = false;
  int array = -1;
  uint64_t first = 0;  // the number of the oldest event that is held
  std::deque<QueuedEvent> events;
  uint64_t counted = 0, bytes_counted = 0;
  std::map<int, QueueReader> readers;  // by context

  [[nodiscard]] uint64_t end() const { return first + events.size(); }
  [[nodiscard]] unsigned active() const {
    return expected + static_cast<unsigned>(std::ranges::count_if(
                          readers, [](const auto& each) { return each.second.active; }));
  }
  void drop_oldest() {
    bytes_held -= events.front().data.size();
    events.pop_front();
    ++first;
  }
  // Those that all have seen.
  void drop_seen() {
    if (expected > 0) return;
    uint64_t least = end();
    for (const auto& [context, reader] : readers) {
      if (reader.active) least = std::min(least, reader.next);
    }
    while (!events.empty() && first < least) drop_oldest();
  }
};

struct EventState {
  std::vector<std::optional<EventQueue>> queues;
  std::vector<int> clients;  // contexts by slot; kNoContext: free
};
constexpr int kNoContext = INT_MIN;

EventState& event_state() {
  static auto* const state = new EventState();
  return *state;
}

EventQueue* queue_of(int handle) {
  auto& queues = event_state().queues;
  if (handle < 0 || static_cast<size_t>(handle) >= queues.size()) return nullptr;
  auto& queue = queues[static_cast<size_t>(handle)];
  return queue ? &*queue : nullptr;
}

bool has_client(int context) {
  return context != kNoContext && std::ranges::count(event_state().clients, context) > 0;
}

void release_filter(EventFilter& filter) {
  if (filter.release != nullptr) filter.release(filter.data);
  filter = {};
}

void release_queue(std::optional<EventQueue>& queue) {
  for (auto& [context, reader] : queue->readers) release_filter(reader.filter);
  pmdaEventReleaseArray(queue->array);
  queue.reset();
}

int new_queue(const char* name, size_t bytes_most, unsigned expected) {
  if (name == nullptr || bytes_most == 0) return -EINVAL;
  return at_c_border([&] {
    if (pmdaEventQueueHandle(name) >= 0) return -EEXIST;
    auto& queues = event_state().queues;
    auto room = std::ranges::find_if(queues, [](const auto& each) { return !each.has_value(); });
    if (room == queues.end()) room = queues.emplace(queues.end());
    const int array = pmdaEventNewArray();
    if (array < 0) return array;
    room->emplace();
    (*room)->name = name;
    (*room)->bytes_most = bytes_most;
    (*room)->expected = expected;
    (*room)->array = array;
    return static_cast<int>(room - queues.begin());
  });
}

// Of a context that is there for the first time, when the queue counts it as one of those expected.
void begin_reading(EventQueue& queue, QueueReader& reader) {
  if (reader.active) return;
  reader.active = true;
  reader.next = queue.end();
  if (queue.expected == 0) return;
  --queue.expected;
  reader.next = 0;
}

// How many records were added, or why it has stopped.
int deliver(EventQueue& queue, QueueReader& reader, pmdaEventDecodeCallBack decode, void* data) {
  int records = 0;
  const uint64_t missed = queue.first > reader.next ? queue.first - reader.next : 0;
  reader.next = std::max(reader.next, queue.first);
  for (; reader.next < queue.end(); ++reader.next) {
    QueuedEvent& event = queue.events[reader.next - queue.first];
    if (reader.filter.apply != nullptr &&
        reader.filter.apply(reader.filter.data, event.data.data(), event.data.size()) != 0) {
      continue;
    }
    const int status = decode(queue.array, event.data.data(), event.data.size(), &event.time, data);
    if (status < 0) return status;
    records += status;
  }
  if (missed > 0) {
    timeval now{};
    pmtimevalNow(&now);
    const int status = pmdaEventAddMissedRecord(
        queue.array, &now, static_cast<int>(std::min<uint64_t>(missed, INT_MAX)));
    if (status < 0) return status;
    ++records;
  }
  return records;
}

template <class Put>
int tell(int handle, pmAtomValue* out, Put&& put) {
  const EventQueue* queue = queue_of(handle);
  if (queue == nullptr || out == nullptr) return -EINVAL;
  put(*queue, *out);
  return PMDA_FETCH_STATIC;
}

}  // namespace

int pmdaEventNewQueue(const char* name, size_t bytes_most) {
  return new_queue(name, bytes_most, 0);
}
int pmdaEventNewActiveQueue(const char* name, size_t bytes_most, unsigned int clients) {
  return new_queue(name, bytes_most, clients);
}

int pmdaEventQueueHandle(const char* name) {
  if (name == nullptr) return -ESRCH;
  const auto& queues = event_state().queues;
  const auto found = std::ranges::find_if(
      queues, [&](const auto& queue) { return queue && !queue->shut_down && queue->name == name; });
  return found == queues.end() ? -ESRCH : static_cast<int>(found - queues.begin());
}

int pmdaEventQueueShutdown(int handle) {
  EventQueue* queue = queue_of(handle);
  if (queue == nullptr) return -EINVAL;
  queue->shut_down = true;
  queue->expected = 0;
  if (queue->active() == 0) release_queue(event_state().queues[static_cast<size_t>(handle)]);
  return 0;
}

int pmdaEventQueueAppend(int handle, void* data, size_t bytes, struct timeval* time) {
  EventQueue* queue = queue_of(handle);
  if (queue == nullptr || time == nullptr || (data == nullptr && bytes > 0)) return -EINVAL;
  return at_c_border([&] {
    ++queue->counted;
    queue->bytes_counted += bytes;
    if (bytes > queue->bytes_most) {
      pmNotifyErr(LOG_WARNING, "Event too large for queue %s (%zu > %zu)", queue->name.c_str(),
                  bytes, queue->bytes_most);
      return 0;
    }
    if (queue->active() == 0 || queue->shut_down) return 0;
    while (queue->bytes_held + bytes > queue->bytes_most && !queue->events.empty()) {
      queue->drop_oldest();
    }
    const auto* from = static_cast<const char*>(data);
    queue->events.push_back({.time = *time, .data = {from, from + bytes}});
    queue->bytes_held += bytes;
    return 0;
  });
}

int pmdaEventQueueRecords(int handle, pmAtomValue* out, int context, pmdaEventDecodeCallBack decode,
                          void* data) {
  EventQueue* queue = queue_of(handle);
  if (queue == nullptr || out == nullptr || decode == nullptr || !has_client(context)) {
    return -EINVAL;
  }
  return at_c_border([&] {
    QueueReader& reader = queue->readers[context];
    begin_reading(*queue, reader);
    pmdaEventResetArray(queue->array);
    int records = 0;
    if (reader.allowed) {
      records = deliver(*queue, reader, decode, data);
    } else {
      reader.next = queue->end();
    }
    queue->drop_seen();
    if (records < 0) return records;
    out->vbp = reinterpret_cast<pmValueBlock*>(pmdaEventGetAddr(queue->array));
    return records == 0 ? PMDA_FETCH_NOVALUES : PMDA_FETCH_STATIC;
  });
}

int pmdaEventQueueCounter(int handle, pmAtomValue* out) {
  return tell(handle, out, [](const EventQueue& queue, pmAtomValue& atom) {
    atom.ul = static_cast<uint32_t>(queue.counted);
  });
}
int pmdaEventQueueClients(int handle, pmAtomValue* out) {
  return tell(handle, out,
              [](const EventQueue& queue, pmAtomValue& atom) { atom.ul = queue.active(); });
}
int pmdaEventQueueMemory(int handle, pmAtomValue* out) {
  return tell(handle, out,
              [](const EventQueue& queue, pmAtomValue& atom) { atom.ull = queue.bytes_held; });
}
int pmdaEventQueueBytes(int handle, pmAtomValue* out) {
  return tell(handle, out,
              [](const EventQueue& queue, pmAtomValue& atom) { atom.ull = queue.bytes_counted; });
}

int pmdaEventNewClient(int context) {
  if (context == kNoContext) return -EINVAL;
  return at_c_border([&] {
    auto& clients = event_state().clients;
    auto slot = std::ranges::find(clients, context);
    if (slot == clients.end()) slot = std::ranges::find(clients, kNoContext);
    if (slot == clients.end()) slot = clients.insert(clients.end(), context);
    *slot = context;
    return static_cast<int>(slot - clients.begin());
  });
}

int pmdaEventEndClient(int context) {
  if (!has_client(context)) return 0;
  return at_c_border([&] {
    *std::ranges::find(event_state().clients, context) = kNoContext;
    for (auto& queue : event_state().queues) {
      if (!queue) continue;
      const auto reader = queue->readers.find(context);
      const bool was_active = reader != queue->readers.end() && reader->second.active;
      if (!was_active && queue->expected > 0) --queue->expected;
      if (reader != queue->readers.end()) {
        release_filter(reader->second.filter);
        queue->readers.erase(reader);
      }
      queue->drop_seen();
      if (queue->shut_down && queue->active() == 0) release_queue(queue);
    }
    return 0;
  });
}

int pmdaEventClients(pmAtomValue* out) {
  if (out == nullptr) return -EINVAL;
  const auto& clients = event_state().clients;
  out->ul = static_cast<uint32_t>(clients.size()) -
            static_cast<uint32_t>(std::ranges::count(clients, kNoContext));
  return PMDA_FETCH_STATIC;
}

int pmdaEventSetFilter(int context, int handle, void* data, pmdaEventApplyFilterCallBack apply,
                       pmdaEventReleaseFilterCallBack release) {
  EventQueue* queue = queue_of(handle);
  if (queue == nullptr || !has_client(context)) return -EINVAL;
  return at_c_border([&] {
    QueueReader& reader = queue->readers[context];
    release_filter(reader.filter);
    reader.filter = {.data = data, .apply = apply, .release = release};
    reader.allowed = true;
    return 0;
  });
}

int pmdaEventSetAccess(int context, int handle, int allow) {
  EventQueue* queue = queue_of(handle);
  if (queue == nullptr || !has_client(context)) return -EINVAL;
  return at_c_border([&] {
    queue->readers[context].allowed = allow != 0;
    return 0;
  });
}

// For a log: what cannot be printed is a dot.
char* __pmdaEventPrint(const char* data, int bytes, char* out, int room) {
  if (data == nullptr || out == nullptr || bytes < 1 || room < 1) return out;
  const int last = std::min(bytes, room) - 1;
  for (int i = 0; i < last; ++i) out[i] = data[i] >= ' ' && data[i] <= '~' ? data[i] : '.';
  out[last] = '\0';
  return out;
}
