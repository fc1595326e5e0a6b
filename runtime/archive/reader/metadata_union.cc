#include "runtime/archive/reader/metadata_union.h"

namespace pmjit {

OrDamage<void> merge_metadata(Metadata& into, const Metadata& from) {
  for (const PmId pmid : from.pmids) {
    const Desc& desc = from.descs.at(pmid);
    const auto [known, is_new] = into.descs.try_emplace(pmid, desc);
    if (const int code = is_new ? 0 : desc_conflict(known->second, desc); code != 0) {
      return std::unexpected<Damage>(
          {.what = "metric is described differently in another archive", .pm_code = code});
    }
    if (is_new) into.pmids.push_back(pmid);
  }
  into.names.merge(from.names);
  for (const InDomId indom : from.indoms) {
    const auto [domain, is_new] = into.domains.try_emplace(indom);
    if (is_new) into.indoms.push_back(indom);
    domain->second.merge(from.domains.at(indom));
  }
  into.labels.merge(from.labels);
  into.texts.merge(from.texts);
  into.indom_records.insert(into.indom_records.end(), from.indom_records.begin(),
                            from.indom_records.end());
  return {};
}

}  // namespace pmjit
