#include "runtime/archive/reader/labels.h"

#include <algorithm>
#include <map>

namespace pmjit {

namespace {

constexpr size_t kEntryBytes = 8;

bool has_label(const LabelSet& set, std::string_view name, std::string_view value) {
  for (size_t i = 0; i < set.size(); ++i) {
    const LabelEntry entry = set.entry(i);
    if (set.name(entry) == name && set.value(entry) == value) return true;
  }
  return false;
}

// The same names with the same values in any order; how the text is laid out does not matter.
bool say_the_same(const LabelSet& a, const LabelSet& b) {
  if (a.instance != b.instance || a.count != b.count) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const LabelEntry entry = a.entry(i);
    if (!has_label(b, a.name(entry), a.value(entry))) return false;
  }
  return true;
}

std::string_view part(std::string_view text, size_t offset, size_t length) {
  return offset < text.size() ? text.substr(offset, length) : std::string_view{};
}

}  // namespace

LabelEntry LabelSet::entry(size_t i) const {
  ByteReader in(entries.subspan(i * kEntryBytes, kEntryBytes));
  return {.name_offset = in.u16(),
          .name_length = in.u8(),
          .flags = in.u8(),
          .value_offset = in.u16(),
          .value_length = in.u16()};
}

std::string_view LabelSet::name(const LabelEntry& entry) const {
  return part(json, entry.name_offset, entry.name_length);
}

std::string_view LabelSet::value(const LabelEntry& entry) const {
  return part(json, entry.value_offset, entry.value_length);
}

void ArchiveLabels::add(Stamp stamp, LabelType type, uint32_t ident,
                        std::span<const LabelSet> sets) {
  const auto number = static_cast<uint32_t>(records_.size());
  if (type == LabelType::context) ident = kContextIdent;  // there is one context
  auto& history = histories_[key(type, ident)];
  if (history.empty()) owners_.push_back({.type = type, .ident = ident});
  auto at = history.end();
  // Of equal stamps the first in the file is the newest to the reference.
  while (at != history.begin() && records_[*std::prev(at)].stamp >= stamp) --at;
  history.insert(at, number);
  records_.push_back({.stamp = stamp,
                      .type = type,
                      .ident = ident,
                      .first_set = static_cast<uint32_t>(sets_.size()),
                      .sets = static_cast<uint32_t>(sets.size())});
  sets_.insert(sets_.end(), sets.begin(), sets.end());
}

void ArchiveLabels::merge(const ArchiveLabels& other) {
  for (const LabelRecord& record : other.records_) {
    add(record.stamp, record.type, record.ident, other.sets(record));
  }
}

std::span<const LabelSet> ArchiveLabels::sets(const LabelRecord& record) const {
  return std::span(sets_).subspan(record.first_set, record.sets);
}

std::span<const uint32_t> ArchiveLabels::history(LabelType type, uint32_t ident) const {
  const auto found = histories_.find(key(type, ident));
  if (found == histories_.end()) return {};
  return found->second;
}

size_t ArchiveLabels::until(std::span<const uint32_t> history, Stamp when) const {
  const auto stamp_of = [this](uint32_t number) { return records_[number].stamp; };
  const auto after = std::ranges::upper_bound(history, when, {}, stamp_of);
  return static_cast<size_t>(after - history.begin());
}

const LabelRecord* ArchiveLabels::newest(LabelType type, uint32_t ident, Stamp when) const {
  const auto all = history(type, ident);
  const size_t count = until(all, when);
  return count == 0 ? nullptr : &records_[all[count - 1]];
}

std::vector<const LabelSet*> ArchiveLabels::left_of(std::span<const uint32_t> history,
                                                    size_t number) const {
  std::vector<const LabelSet*> before, left;
  if (number != 0) {
    for (const LabelSet& set : sets(records_[history[number - 1]])) before.push_back(&set);
  }
  std::ranges::stable_sort(before, {}, &LabelSet::instance);
  for (const LabelSet& set : sets(records_[history[number]])) {
    const auto same_instance =
        std::ranges::equal_range(before, set.instance, {}, &LabelSet::instance);
    const auto repeats = [&set](const LabelSet* old) { return say_the_same(set, *old); };
    if (!std::ranges::any_of(same_instance, repeats)) left.push_back(&set);
  }
  return left;
}

std::vector<const LabelSet*> ArchiveLabels::delivered(LabelType type, uint32_t ident,
                                                      Stamp when) const {
  const auto all = history(type, ident);
  for (size_t i = until(all, when); i-- > 0;) {
    if (auto left = left_of(all, i); !left.empty()) return left;
  }
  return {};
}

const LabelSet* ArchiveLabels::find(LabelType type, uint32_t ident, int32_t instance,
                                    Stamp when) const {
  const auto all = delivered(type, ident, when);
  const auto found = std::ranges::find(all, instance, &LabelSet::instance);
  return found == all.end() ? nullptr : *found;
}

std::string merge_label_sets(std::span<const LabelSet* const> sets) {
  std::map<std::string_view, std::string_view> merged;
  for (const LabelSet* set : sets) {
    for (size_t i = 0; set != nullptr && i < set->size(); ++i) {
      const LabelEntry entry = set->entry(i);
      merged.insert_or_assign(set->name(entry), set->value(entry));
    }
  }
  std::string out;
  for (const auto& [name, value] : merged) {
    out += out.empty() ? "{\"" : ",\"";
    out.append(name).append("\":").append(value);
  }
  return out.empty() ? out : out + "}";
}

HostnameLabel::HostnameLabel(std::string_view host) {
  constexpr std::string_view kBefore = "{\"hostname\":";
  constexpr size_t kName = 2, kNameBytes = 8;
  json_.append(kBefore).append("\"").append(host).append("\"}");
  const size_t value_bytes = host.size() + 2;
  entry_ = {std::byte{0},
            std::byte{kName},
            std::byte{kNameBytes},
            static_cast<std::byte>(LabelType::context),
            std::byte{0},
            std::byte{kBefore.size()},
            static_cast<std::byte>(value_bytes >> 8),
            static_cast<std::byte>(value_bytes & 0xff)};
}

LabelSet HostnameLabel::set() const { return {.count = 1, .json = json_, .entries = entry_}; }

}  // namespace pmjit
