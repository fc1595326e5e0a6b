#include "runtime/archive/reader/domain_build.h"

#include <algorithm>
#include <functional>
#include <unordered_set>

namespace pmjit {

namespace {

using InstanceSet = std::vector<NamedInstance>;
using Records = std::span<const IndomRecord* const>;

std::unexpected<Damage> bad_instance(const IndomRecord& record) {
  return damaged("instance domain record has a bad instance", record.offset);
}

std::unexpected<Damage> no_fit(const IndomRecord& record) {
  return damaged("instance domain change does not fit the set before it", record.offset);
}

uint64_t mixed(const NamedInstance& instance) {
  const uint64_t both = std::hash<std::string_view>()(instance.name) ^
                        static_cast<uint64_t>(instance.id) * 0x9e3779b97f4a7c15;
  return (both ^ both >> 29) * 0xbf58476d1ce4e5b9;
}

// A set that records change, with a number that is equal for equal sets.
class Current {
 public:
  explicit Current(InstanceSet set) { take(std::move(set)); }

  [[nodiscard]] bool apply(const IndomRecord& record, const InstanceSet& listed) {
    if (!record.delta) {
      take(listed);
      return true;
    }
    for (const NamedInstance& change : listed) {
      const auto at = std::ranges::lower_bound(set_, change.id, {}, &NamedInstance::id);
      const bool there = at != set_.end() && at->id == change.id;
      if (change.gone) {
        if (!there) return false;
        sum_ -= mixed(*at);
        set_.erase(at);
      } else if (!there) {
        sum_ += mixed(change);
        set_.insert(at, change);
      }
    }
    return true;
  }
  [[nodiscard]] const InstanceSet& set() const { return set_; }
  [[nodiscard]] uint64_t sum() const { return sum_; }

 private:
  void take(InstanceSet set) {
    set_ = std::move(set);
    sum_ = 0;
    for (const NamedInstance& instance : set_) sum_ += mixed(instance);
  }
  InstanceSet set_;
  uint64_t sum_ = 0;
};

OrDamage<void> add_one(const IndomRecord& record, Domain& domain, InstanceSet& listed) {
  if (!list_instances(record, listed)) return bad_instance(record);
  if (!record.delta) {
    domain.replace(record.stamp, listed);
  } else if (!domain.change(record.stamp, listed)) {
    return no_fit(record);
  }
  return {};
}

// Calls use(number, Current) after each record.
template <class Use>
OrDamage<void> walk(Records records, const Domain& domain, InstanceSet& listed, Use use) {
  bool has_set = domain.set_count() != 0;
  Current current(domain.newest_set());  // `use` may add to the domain
  for (size_t i = 0; i < records.size(); ++i) {
    if (!list_instances(*records[i], listed)) return bad_instance(*records[i]);
    has_set = has_set || !records[i]->delta;
    if (!has_set || !current.apply(*records[i], listed)) return no_fit(*records[i]);
    use(i, current);
  }
  return {};
}

// Of equal sets with one stamp the reference keeps the last.
OrDamage<void> add_of_one_stamp(Records records, Domain& domain, InstanceSet& listed) {
  std::vector<uint64_t> sums;
  auto done = walk(records, domain, listed,
                   [&sums](size_t, const Current& current) { sums.push_back(current.sum()); });
  if (!done) return done;
  std::vector<bool> kept(sums.size());
  std::unordered_set<uint64_t> later;
  for (size_t i = sums.size(); i-- > 0;) kept[i] = later.insert(sums[i]).second;
  if (later.size() == sums.size()) {
    for (const IndomRecord* record : records) {
      if (done = add_one(*record, domain, listed); !done) return done;
    }
    return {};
  }
  return walk(records, domain, listed, [&](size_t i, const Current& current) {
    if (kept[i]) domain.replace(records[i]->stamp, current.set());
  });
}

}  // namespace

OrDamage<Domain> build_domain(std::vector<const IndomRecord*> records) {
  const auto stamp_of = [](const IndomRecord* record) { return record->stamp; };
  if (!std::ranges::is_sorted(records, {}, stamp_of)) {
    std::ranges::stable_sort(records, {}, stamp_of);
  }
  Domain domain;
  InstanceSet listed;
  for (auto from = records.begin(); from != records.end();) {
    auto to = from + 1;
    while (to != records.end() && (*to)->stamp == (*from)->stamp) ++to;
    auto done = to == from + 1 ? add_one(**from, domain, listed)
                               : add_of_one_stamp({from, to}, domain, listed);
    if (!done) return std::unexpected(done.error());
    from = to;
  }
  return domain;
}

}  // namespace pmjit
