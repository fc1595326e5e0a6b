#include "runtime/cmd/pmdumplog/metric_text.h"

#include <fmt/core.h>

#include "runtime/cmd/pmdumplog/names.h"
#include "runtime/model/bulk.h"

namespace pmjit {

MetricText::MetricText(const Metadata& metadata, PmId pmid)
    : head_(fmt::format("    {} ({}):", pmid_text(pmid), names_of(metadata, pmid, "<nonames>"))) {
  const Desc* desc = metadata.desc(pmid);
  if (desc == nullptr) return;
  type_ = desc->pm_type;
  singular_ = desc->indom == kNullId;
  domain_ = metadata.domain(desc->indom);
}

void MetricText::set_instances(const std::byte* pairs, uint32_t count, Stamp when) {
  const uint64_t epoch = domain_ == nullptr ? 0 : domain_->sets_until(when);
  const bool same = instances_.size() == count && epoch == epoch_ &&
                    (singular_ || bulk::instances_equal(pairs, instances_));
  if (same) return;
  epoch_ = epoch;
  instances_.resize(count);
  bulk::instances(pairs, count, instances_.data());
  texts_.clear();
  starts_.assign(1, 0);
  for (const int32_t instance : instances_) {
    texts_ += kIndent;
    if (!singular_) texts_ += fmt::format("inst [{}] ", instance_text(domain_, instance, when));
    texts_ += "value ";
    starts_.push_back(texts_.size());
  }
}

std::string MetricText::head_of(int32_t instance, Stamp when) const {
  const std::string_view open_ended = std::string_view(head_).substr(0, head_.size() - 2);
  const std::string which =
      singular_ ? "" : fmt::format("[{}]", instance_text(domain_, instance, when));
  return fmt::format("{}{}): ", open_ended, which);
}

std::string instance_text(const Domain* domain, int32_t instance, Stamp when) {
  const auto name = domain == nullptr ? std::nullopt : domain->name(instance, when);
  return name ? fmt::format("{} or \"{}\"", instance, *name) : fmt::format("{} or ???", instance);
}

MetricText& MetricTexts::of(PmId pmid, size_t position) {
  if (position < seen_.size() && seen_[position].pmid == pmid && seen_[position].text != nullptr) {
    return *seen_[position].text;
  }
  const auto [found, added] = texts_.try_emplace(pmid, metadata_, pmid);
  if (position >= seen_.size()) seen_.resize(position + 1);
  seen_[position] = {.pmid = pmid, .text = &found->second};
  return found->second;
}

}  // namespace pmjit
