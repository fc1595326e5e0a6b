#include "runtime/archive/reader/labels.h"

#include <algorithm>

namespace pmjit {

namespace {

constexpr size_t kEntryBytes = 8;

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

void Labels::add(Stamp stamp, LabelType type, uint32_t ident, std::span<const LabelSet> sets) {
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

void Labels::merge(const Labels& other) {
  for (const LabelRecord& record : other.records_) {
    add(record.stamp, record.type, record.ident, other.sets(record));
  }
}

std::span<const LabelSet> Labels::sets(const LabelRecord& record) const {
  return std::span(sets_).subspan(record.first_set, record.sets);
}

std::span<const uint32_t> Labels::history(LabelType type, uint32_t ident) const {
  const auto found = histories_.find(key(type, ident));
  if (found == histories_.end()) return {};
  return found->second;
}

const LabelRecord* Labels::newest(LabelType type, uint32_t ident, Stamp when) const {
  const auto all = history(type, ident);
  const auto after = std::ranges::upper_bound(
      all, when, {}, [this](uint32_t number) { return records_[number].stamp; });
  return after == all.begin() ? nullptr : &records_[*std::prev(after)];
}

const LabelSet* Labels::find(LabelType type, uint32_t ident, int32_t instance, Stamp when) const {
  const LabelRecord* record = newest(type, ident, when);
  if (record == nullptr) return nullptr;
  const auto all = sets(*record);
  const auto found = std::ranges::find(all, instance, &LabelSet::instance);
  return found == all.end() ? nullptr : &*found;
}

std::string fallback_context_labels(std::string_view host) {
  return "{\"hostname\":\"" + std::string(host) + "\"}";
}

}  // namespace pmjit
