// UndescribedMetrics: metrics that have values in records, and that the metadata do not describe,
// or describe with another type, or whose instances they do not list. So damaged bytes look where
// the framing of a record is whole.
//
//   found.add(pmid, {.path = path, .offset = offset, .stamp = stamp});      what a reader meets
//   found.add(damage, stamp);
//   if (auto damage = found.error_until(end)) complain(damage->text());
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "runtime/archive/reader/metadata.h"
#include "runtime/base/result.h"
#include "runtime/model/desc.h"
#include "runtime/model/described_metrics.h"
#include "runtime/model/stamp.h"

namespace pmjit {

// What the readers of a recording have met, in whichever thread.
class UndescribedMetrics {
 public:
  struct Place {  // a record
    const std::string& path;
    uint64_t offset;
    Stamp stamp;
  };
  void add(PmId pmid, const Place& place);
  // Values that do not fit their metric.
  void add(const Error& damage, Stamp stamp);
  // Values of an instance that was never in its metric's domain; `metadata` describe the metric.
  void add(const UnlistedInstance& unlisted, const Metadata& metadata, const Place& place);
  // The earliest misfit; else of all that are not described, with the place of the earliest. One of
  // Fault::not_found is worth a warning: an instance without a name where others have one. None:
  // no reader has met one up to that time; readers are ahead of what is asked for.
  [[nodiscard]] std::optional<Error> error_until(Stamp last) const;
  // What was read so far is not what somebody asks about.
  void forget();

 private:
  mutable std::mutex mutex_;
  std::set<PmId> pmids_;
  std::string path_;  // of the earliest record
  uint64_t offset_ = 0;
  Stamp stamp_ = kStampMax;
  bool several_ = false;  // records
  std::optional<Error> misfit_;
  Stamp misfit_stamp_ = kStampMax;
};

// What the metadata list; of a singular metric no instance that it needs.
[[nodiscard]] inline IsListed listed_in(const std::unordered_map<InDomId, Domain>& domains) {
  return [&domains](InDomId indom, int32_t instance) {
    const auto found = domains.find(indom);
    return found != domains.end() && found->second.birth(instance).has_value();
  };
}

}  // namespace pmjit
