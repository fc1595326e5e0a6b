#include <utility>

#include "runtime/cmd/pminfo/report.h"

namespace pmjit {

namespace {

constexpr size_t kEntryBytes = 8;
constexpr uint32_t kItemMask = 0x3ff;

// The set without its optional labels; their entries are copied to `room`.
LabelSet identifying(const LabelSet& set, std::vector<std::byte>& room) {
  LabelSet out = set;
  out.count = 0;
  room.clear();
  for (size_t i = 0; i < set.size(); ++i) {
    if ((set.entry(i).flags & kLabelOptional) != 0) continue;
    const Bytes entry = set.entries.subspan(i * kEntryBytes, kEntryBytes);
    room.insert(room.end(), entry.begin(), entry.end());
    ++out.count;
  }
  out.entries = room;
  return out;
}

std::string merged(std::vector<const LabelSet*> sets, Optional optional) {
  if (optional == Optional::with) return merge_label_sets(sets);
  std::vector<LabelSet> kept(sets.size());
  std::vector<std::vector<std::byte>> rooms(sets.size());
  for (size_t i = 0; i < sets.size(); ++i) {
    if (sets[i] == nullptr) continue;
    kept[i] = identifying(*sets[i], rooms[i]);
    sets[i] = &kept[i];
  }
  return merge_label_sets(sets);
}

}  // namespace

LabelLevels::LabelLevels(MetricSession& context)
    : context_(context), hostname_(context.host()), hostname_set_(hostname_.set()) {}

void LabelLevels::look_up(Level& level, LabelType type, uint32_t ident, uint32_t asked) {
  if (level.ident == ident) return;
  const auto sets = context_.labels(type, asked);
  level = {.ident = ident, .set = sets.empty() ? nullptr : sets.front()};
}

void LabelLevels::look_up_context() {
  look_up(of_context_, LabelType::context, kContextIdent);
  if (of_context_.set == nullptr && !context_.live()) of_context_.set = &hostname_set_;
}

void LabelLevels::look_up_indom(InDomId indom) {
  if (of_indom_.ident == indom) return;
  look_up(of_indom_, LabelType::indom, indom);
  has_instances_ = false;
}

// An agent has labels of the instances that it was asked for before.
const std::vector<const LabelSet*>& LabelLevels::instances() {
  if (of_indom_.ident && !std::exchange(has_instances_, true)) {
    instances_ = context_.labels(LabelType::instances, *of_indom_.ident);
  }
  return instances_;
}

void LabelLevels::move_to(const Desc& desc) {
  look_up_context();
  look_up(of_domain_, LabelType::domain, domain_of(desc.pmid));
  has_indom_ = desc.indom != kNullId;
  has_metric_ = true;
  if (has_indom_) look_up_indom(desc.indom);
  // The reference never asks an archive for those of clusters.
  if (context_.live()) {
    look_up(of_cluster_, LabelType::cluster, desc.pmid & ~kItemMask, desc.pmid);
  }
  look_up(of_item_, LabelType::item, desc.pmid);
}

void LabelLevels::move_to(InDomId indom) {
  look_up_context();
  look_up(of_domain_, LabelType::domain, domain_of(indom));
  look_up_indom(indom);
  has_indom_ = true;
  has_metric_ = false;
}

void LabelLevels::move_to_instances(InDomId indom) {
  look_up(of_domain_, LabelType::domain, domain_of(indom));
}

std::vector<const LabelSet*> LabelLevels::levels() const {
  std::vector<const LabelSet*> out{of_context_.set, of_domain_.set};
  if (has_indom_) out.push_back(of_indom_.set);
  if (has_metric_) out.insert(out.end(), {of_cluster_.set, of_item_.set});
  return out;
}

std::string LabelLevels::source(Optional optional) const {
  return merged({of_context_.set}, optional);
}

std::string LabelLevels::metric(Optional optional) const { return merged(levels(), optional); }

std::string LabelLevels::instance(const LabelSet* own) const {
  auto sets = levels();
  sets.push_back(own);
  return merged(std::move(sets), Optional::with);
}

std::string LabelLevels::instance_series(const LabelSet* own) const {
  return merged({of_context_.set, of_domain_.set, of_indom_.set, own}, Optional::with);
}

}  // namespace pmjit
