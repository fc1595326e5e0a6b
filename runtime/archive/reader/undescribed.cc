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

// Not of a process that came while its domain was asked for: no list has it.
bool is_damage(const Error& misfit) { return misfit.fault() != Fault::not_found; }

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
  const bool new_kind = misfit_ && is_damage(*misfit_) != is_damage(damage);
  if (misfit_ && (new_kind ? is_damage(*misfit_) : stamp >= misfit_stamp_)) return;
  misfit_ = damage;
  misfit_stamp_ = stamp;
}

void UndescribedMetrics::add(const UnlistedInstance& unlisted, const Metadata& metadata,
                             const Place& place) {
  const auto names = metadata.names.names(unlisted.pmid);
  const std::string metric = names.empty() ? pmid_text(unlisted.pmid) : std::string(names.front());
  const InDomId indom = metadata.desc(unlisted.pmid)->indom;
  const bool some_listed = metadata.domain(indom) != nullptr;
  const std::string what =
      indom == kNullId
          ? fmt::format("several instances of {}, which has none in the metadata", metric)
          : fmt::format("instance {} of {}, which the metadata do not list in domain {}",
                        unlisted.instance, metric, indom_text(indom));
  add(Error(some_listed ? Fault::not_found : Fault::format,
            fmt::format("the record of {} has {}", iso_utc(place.stamp), what))
          .at("offset", fmt::format("{}", place.offset))
          .at("file", place.path)
          .pm_code(pm_err::E_LOGREC)
          .help(some_listed
                    ? "it has no name, and -t and rules of pmie do without it: it came just then, "
                      "or the metadata are damaged"
                    : "its values are lost, or have no name: the metadata are damaged, or of "
                      "another archive; copy the archive again"),
      place.stamp);
}

std::optional<Error> UndescribedMetrics::error_until(Stamp last) const {
  const std::lock_guard lock(mutex_);
  const bool strangers = !pmids_.empty() && stamp_ <= last;
  if (misfit_ && misfit_stamp_ <= last && (is_damage(*misfit_) || !strangers)) return misfit_;
  if (!strangers) return std::nullopt;
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
