#include "rules/compat/fetched_elements.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "rules/compat/to_binary64.h"
#include "runtime/model/pm_codes.h"
#include "runtime/model/value.h"

namespace pmjit::pmie {

namespace {

bool is_counter(const HostMetric& metric) { return metric.desc.semantics == Semantics::counter; }

size_t count_of(const Delivered& from) {
  if (from.set == nullptr) return 0;
  return std::max(from.set->values.size(), from.set->numbers.size());
}

int32_t instance_of(const Delivered& from, size_t i) {
  return from.set->numbers.empty() ? from.set->values[i].instance : from.set->instances[i];
}

std::string name_of(const HostMetric& metric, int32_t id, Context* asked, uint32_t& unnamed) {
  const auto id_at = [&](uint32_t place) { return metric.instances()[place].id; };
  const auto by_id = metric.by_id();
  const auto found = std::ranges::lower_bound(by_id, id, {}, id_at);
  if (found != by_id.end() && id_at(*found) == id) return metric.instances()[*found].name;
  if (asked != nullptr) {
    if (auto name = asked->instance_name(metric.desc.indom, id)) return *std::move(name);
  }
  ++unnamed;
  return fmt::format("inst#{}?", id);
}

// Those that there were when the rules were read are shared by all who have them.
std::shared_ptr<const std::vector<std::string>> names_of_all(const HostMetric& metric,
                                                             HostState& host, Context* asked) {
  const auto same = [&](uint32_t place, int32_t id) { return metric.instances()[place].id == id; };
  if (metric.list != nullptr && metric.list->names_by_id != nullptr &&
      std::ranges::equal(metric.by_id(), host.ids, same)) {
    host.lacks_names = false;
    return metric.list->names_by_id;
  }
  std::vector<std::string> out;
  const uint32_t before = host.unnamed;
  for (const int32_t id : host.ids) out.push_back(name_of(metric, id, asked, host.unnamed));
  host.lacks_names = host.unnamed != before;
  return std::make_shared<const std::vector<std::string>>(std::move(out));
}

// Is it what came last?
bool same_instances(const Delivered& from, const HostState& host) {
  const size_t n = count_of(from);
  if (host.delivered.size() != n) return false;
  if (n == 0) return true;
  const int32_t* const known = host.delivered.data();
  if (!from.set->numbers.empty()) return std::equal(known, known + n, from.set->instances.data());
  for (size_t i = 0; i < n; ++i) {
    if (known[i] != from.set->values[i].instance) return false;
  }
  return true;
}

// All that came, by identifier. Most sets have the instances of the set before.
void take_all(const HostMetric& metric, const Delivered& from, HostState& host) {
  if (same_instances(from, host)) {
    if (host.lacks_names && from.learns) host.names = names_of_all(metric, host, from.asked);
    return;
  }
  const size_t n = count_of(from);
  host.delivered.resize(n);
  for (size_t i = 0; i < n; ++i) host.delivered[i] = instance_of(from, i);
  host.order.resize(n);
  std::iota(host.order.begin(), host.order.end(), 0U);
  std::ranges::stable_sort(host.order, {}, [&](uint32_t i) { return host.delivered[i]; });
  host.as_delivered = std::ranges::is_sorted(host.order);
  std::vector<int32_t> ids;
  for (const uint32_t i : host.order) ids.push_back(host.delivered[i]);
  if (ids == host.ids) return;
  host.ids = std::move(ids);
  host.names = names_of_all(metric, host, from.asked);
  host.is_changed = true;
  host.before.clear();
}

// As listed; false: one of them did not come.
bool take_listed(const HostMetric& metric, const Delivered& from, HostState& host) {
  if (host.ids.size() != metric.instances().size()) {
    host.ids.clear();
    std::vector<std::string> names;
    for (const HostMetric::Instance& instance : metric.instances()) {
      host.ids.push_back(instance.id);
      names.push_back(instance.name);
    }
    host.names = std::make_shared<const std::vector<std::string>>(std::move(names));
  }
  host.order.clear();
  host.as_delivered = false;
  for (const int32_t id : host.ids) {
    const size_t n = count_of(from);
    size_t at = 0;
    while (at < n && instance_of(from, at) != id) ++at;
    if (at == n) return false;
    host.order.push_back(static_cast<uint32_t>(at));
  }
  return true;
}

bool take_one(const Delivered& from, HostState& host) {
  host.ids.assign(1, kSingular);
  host.order.assign(1, 0);
  return count_of(from) == 1;
}

template <class T>
bool take_blocks(const FetchedSet& set, const std::vector<uint32_t>& order, double scale,
                 double* out) {
  for (size_t i = 0; i < order.size(); ++i) {
    const Bytes block = set.values[order[i]].block;
    if (block.size() != sizeof(T)) return false;
    T value;
    std::memcpy(&value, block.data(), sizeof value);
    out[i] = static_cast<double>(value) * scale;
  }
  return true;
}

void take_column(const HostMetric& metric, const FetchedSet& set, HostState& host, double* out) {
  std::span<const uint64_t> bits = set.numbers;
  if (!host.as_delivered) {
    host.ordered.clear();
    for (const uint32_t i : host.order) host.ordered.push_back(set.numbers[i]);
    bits = host.ordered;
  }
  reals_of(metric.desc.pm_type, bits, metric.scale, out);
}

bool take_numbers(const HostMetric& metric, const FetchedSet& set, HostState& host, double* out) {
  if (!set.numbers.empty()) {
    take_column(metric, set, host, out);
    return true;
  }
  const std::vector<uint32_t>& order = host.order;
  if (set.format != ValueFormat::in_place) {
    switch (metric.desc.pm_type) {
      case pm_type::i64: return take_blocks<int64_t>(set, order, metric.scale, out);
      case pm_type::u64: return take_blocks<uint64_t>(set, order, metric.scale, out);
      case pm_type::f64: return take_blocks<double>(set, order, metric.scale, out);
      default: break;
    }
  }
  for (size_t i = 0; i < order.size(); ++i) {
    const auto atom = atom_of(set.format, metric.desc.pm_type, set.values[order[i]], pm_type::f64);
    if (!atom) return false;
    out[i] = atom->f64 * metric.scale;
  }
  return true;
}

// What a counter of this type loses where it wraps, to pmie in canonical units whatever its own
// are: milliseconds get too much, and kilobytes too little to rise.
double wrap_of(int type) {
  switch (type) {
    case pm_type::i32:
    case pm_type::u32: return 4294967296.0;
    case pm_type::i64:
    case pm_type::u64: return 18446744073709551616.0;
    default: return 0;
  }
}

void take_changes(double* numbers, double* before, size_t n, double seconds) {
  for (size_t i = 0; i < n; ++i) {
    const double number = numbers[i];
    numbers[i] = (number - before[i]) / seconds;
    before[i] = number;
  }
}

// The same where some are less than before: they have wrapped, or the first that has not is told.
MissingValue take_falls(double* numbers, double* before, size_t n, double seconds, double wrap) {
  MissingValue missing;
  for (size_t i = 0; i < n; ++i) {
    double change = numbers[i] - before[i];
    before[i] = numbers[i];
    if (change < 0 && missing.what == FetchAbsence::none) {
      change += wrap;
      if (change < 0) missing = {FetchAbsence::fell, i};
    }
    numbers[i] = change / seconds;
  }
  return missing;
}

}  // namespace

MissingValue rates_since(const HostMetric& metric, double stamp, HostState& host, double* numbers,
                         bool wraps) {
  const size_t n = host.ids.size();
  MissingValue missing;
  if (host.before_at == 0) {
    missing.what = FetchAbsence::first_sample;
  } else if (host.is_changed || host.before.size() != n) {
    missing.what = FetchAbsence::changed;
  }
  host.is_changed = false;
  host.before.resize(n);
  const double seconds = stamp - host.before_at;
  const double wrap = wraps ? wrap_of(metric.desc.pm_type) : 0;
  double* const before = host.before.data();
  if (missing.what != FetchAbsence::none || !any_less(numbers, before, n)) {
    take_changes(numbers, before, n, seconds);
  } else {
    missing = take_falls(numbers, before, n, seconds, wrap);
  }
  if (n > 0) host.before_at = stamp;
  return missing;
}

void note_absence(FetchState& state, FetchAbsence what, size_t host, size_t element) {
  if (state.absence != FetchAbsence::none) return;
  state.absence = what;
  state.absent_host = static_cast<uint32_t>(host);
  state.absent_element = static_cast<uint32_t>(element);
}

bool take_elements(const Fetch& fetch, const std::vector<Delivered>& delivered, FetchState& state) {
  state.absence = FetchAbsence::none;
  for (size_t h = 0; h < fetch.hosts.size(); ++h) {
    const HostMetric& metric = fetch.hosts[h];
    HostState& host = state.hosts[h];
    if (metric.desc.indom == kNullId) {
      if (!take_one(delivered[h], host)) note_absence(state, FetchAbsence::nothing, h);
    } else if (!fetch.instances_listed) {
      take_all(metric, delivered[h], host);
    } else if (!take_listed(metric, delivered[h], host)) {
      note_absence(state, FetchAbsence::not_all, h, host.order.size());
    }
  }
  return state.absence == FetchAbsence::none;
}

void forget_history(FetchState& state) {
  for (HostState& host : state.hosts) host.before_at = 0;
}

size_t count_elements(const FetchState& state) {
  size_t out = 0;
  for (const HostState& host : state.hosts) out += host.ids.size();
  return out;
}

bool read_numbers(const Fetch& fetch, const std::vector<Delivered>& delivered, FetchState& state,
                  double* out, bool wraps) {
  for (size_t h = 0; h < fetch.hosts.size(); ++h) {
    const HostMetric& metric = fetch.hosts[h];
    HostState& host = state.hosts[h];
    // Of a counter a host without instances is known once it had some.
    if (!host.ids.empty() && !take_numbers(metric, *delivered[h].set, host, out)) {
      host.before_at = 0;
      note_absence(state, FetchAbsence::unreadable, h);
    } else if (is_counter(metric) && !fetch.raw) {
      const MissingValue missing = rates_since(metric, delivered[h].stamp, host, out, wraps);
      if (missing.what != FetchAbsence::none) note_absence(state, missing.what, h, missing.element);
    }
    out += host.ids.size();
  }
  return state.absence == FetchAbsence::none;
}

bool read_texts(const Fetch& fetch, const std::vector<Delivered>& delivered, FetchState& state,
                MaybeText* out) {
  for (size_t h = 0; h < fetch.hosts.size(); ++h) {
    const HostState& host = state.hosts[h];
    // A text that is a counter never has a first value.
    if (is_counter(fetch.hosts[h]) && !fetch.raw)
      note_absence(state, FetchAbsence::first_sample, h);
    for (const uint32_t i : host.order) {
      const Bytes block = delivered[h].set->values[i].block;
      const auto* const text = reinterpret_cast<const char*>(block.data());
      *out++ = std::string(text, strnlen(text, block.size()));
    }
  }
  return state.absence == FetchAbsence::none;
}

}  // namespace pmjit::pmie
