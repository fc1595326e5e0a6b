#include "runtime/archive/reader/undescribed.h"

#include <fmt/core.h>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// Random bytes make another number in each record.
constexpr size_t kKeptMax = 10'000, kNamedMax = 4;

// "1 metric (PMID 3.4.5)"; "7 metrics (PMIDs 3.4.5, … and 3 more)"
std::string metrics_text(const std::set<PmId>& pmids) {
  std::string names;
  size_t named = 0;
  for (const PmId pmid : pmids) {
    if (named == kNamedMax) break;
    names += (named++ == 0 ? "" : ", ") + pmid_text(pmid);
  }
  if (named < pmids.size()) names += fmt::format(" and {} more", pmids.size() - named);
  if (pmids.size() == 1) return fmt::format("1 metric (PMID {})", names);
  return fmt::format("{}{} metrics (PMIDs {})", pmids.size() == kKeptMax ? "at least " : "",
                     pmids.size(), names);
}

}  // namespace

void UndescribedMetrics::add(PmId pmid, const Place& place) {
  const std::lock_guard lock(mutex_);
  several_ |= !pmids_.empty() && (place.offset != offset_ || place.path != path_);
  if (pmids_.size() < kKeptMax) pmids_.insert(pmid);
  if (place.stamp >= stamp_) return;
  path_ = place.path;
  offset_ = place.offset;
  stamp_ = place.stamp;
}

void UndescribedMetrics::add(const Error& damage, Stamp stamp) {
  const std::lock_guard lock(mutex_);
  if (misfit_ && stamp >= misfit_stamp_) return;
  misfit_ = damage;
  misfit_stamp_ = stamp;
}

std::optional<Error> UndescribedMetrics::error_until(Stamp last) const {
  const std::lock_guard lock(mutex_);
  if (misfit_ && misfit_stamp_ <= last) return misfit_;
  if (pmids_.empty() || stamp_ > last) return std::nullopt;
  return Error(Fault::format,
               fmt::format("{} values of {} that the archive does not describe",
                           fmt::format(fmt::runtime(several_ ? "records from {} on have"
                                                             : "the record of {} has"),
                                       iso_utc(stamp_)),
                           metrics_text(pmids_)))
      .at("offset", fmt::format("{}", offset_))
      .at("file", path_)
      .pm_code(pm_err::E_PMID_LOG)
      .help(
          "bytes there are damaged, and values of other metrics are lost with them; copy the "
          "archive again");
}

void UndescribedMetrics::forget() {
  const std::lock_guard lock(mutex_);
  pmids_.clear();
  stamp_ = kStampMax;
  several_ = false;
  misfit_.reset();
}

}  // namespace pmjit
