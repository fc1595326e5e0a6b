#include "runtime/archive/reader/metadata.h"

#include <utility>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/domain_build.h"
#include "runtime/archive/reader/indom_record.h"
#include "runtime/archive/reader/label_record.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

OrDamage<void> read_desc(Bytes payload, ExtraUnits extra_units, Metadata& out) {
  ByteReader in(payload.subspan(4));
  Desc desc;
  desc.pmid = in.u32();
  desc.pm_type = in.i32();
  desc.indom = in.u32();
  desc.semantics = static_cast<Semantics>(in.u32());
  desc.units = units_from_word(in.u32(), extra_units);
  const uint32_t names = in.u32();
  for (uint32_t i = 0; i < names && in.ok(); ++i) {
    // Some writers padded names with NULs; the real tools stop at the first.
    const std::string_view stored = in.text(in.u32());
    const std::string_view name = stored.substr(0, stored.find('\0'));
    if (in.ok()) out.names.add(name, desc.pmid);
  }
  if (!in.done()) return damaged("metric description does not fill its record", 0);
  const auto [it, is_new] = out.descs.try_emplace(desc.pmid, desc);
  if (const int code = is_new ? 0 : desc_conflict(it->second, desc); code != 0) {
    return std::unexpected<Damage>(
        {.what = "metric is described again, and differently", .pm_code = code});
  }
  if (is_new) out.pmids.push_back(desc.pmid);
  return {};
}

OrDamage<void> read_record(Bytes payload, uint64_t offset, ExtraUnits extra_units, Metadata& out) {
  const auto type = MetaRecord{load_be<uint32_t>(payload.data())};
  switch (type) {
    case MetaRecord::desc: return read_desc(payload, extra_units, out);
    case MetaRecord::text: return read_text_record(payload.subspan(4), out.texts);
    case MetaRecord::label_v2:
    case MetaRecord::label:
      return read_label_record(
          payload.subspan(4), type == MetaRecord::label_v2 ? Version::v2 : Version::v3, out.labels);
    case MetaRecord::indom_v2:
    case MetaRecord::indom:
    case MetaRecord::indom_delta: {
      auto record = read_indom_record(payload.subspan(4),
                                      type == MetaRecord::indom_v2 ? Version::v2 : Version::v3,
                                      type == MetaRecord::indom_delta);
      if (!record) return std::unexpected(record.error());
      record->offset = offset;
      out.indom_records.push_back(*record);
      return {};
    }
    default: break;
  }
  return std::unexpected<Damage>(
      {.what = "metadata record of unknown type", .pm_code = pm_err::E_RECTYPE});
}

OrDamage<void> build_domains(Metadata& out) {
  std::unordered_map<InDomId, std::vector<const IndomRecord*>> records;
  for (const IndomRecord& record : out.indom_records) {
    // The reference reads an empty set and drops it: the set before stays in force (spec §6.2).
    if (record.count == 0) continue;
    auto& of_domain = records[record.indom];
    if (of_domain.empty()) out.indoms.push_back(record.indom);
    of_domain.push_back(&record);
  }
  for (const InDomId indom : out.indoms) {
    auto domain = build_domain(std::move(records.at(indom)));
    if (!domain) return std::unexpected(domain.error());
    out.domains.emplace(indom, *std::move(domain));
  }
  return {};
}

}  // namespace

// The first difference in the order in which the reference looks for one.
int desc_conflict(const Desc& a, const Desc& b) {
  if (a.pm_type != b.pm_type) return pm_err::E_LOGCHANGETYPE;
  if (a.semantics != b.semantics) return pm_err::E_LOGCHANGESEM;
  if (a.indom != b.indom) return pm_err::E_LOGCHANGEINDOM;
  if (a.units != b.units) return pm_err::E_LOGCHANGEUNITS;
  return 0;
}

const Desc* Metadata::desc(PmId pmid) const {
  const auto found = descs.find(pmid);
  return found == descs.end() ? nullptr : &found->second;
}

const Domain* Metadata::domain(InDomId indom) const {
  const auto found = domains.find(indom);
  return found == domains.end() ? nullptr : &found->second;
}

OrDamage<Metadata> read_metadata(Bytes file, Version version, ExtraUnits extra_units) {
  Metadata out;
  uint64_t offset = label_bytes(version);
  if (file.size() <= offset) {
    return std::unexpected<Damage>({.what = "there is nothing behind the label",
                                    .offset = offset,
                                    .pm_code = pm_err::E_NODATA});
  }
  while (offset < file.size()) {
    const Bytes rest = file.subspan(offset);
    if (rest.size() < 4) return damaged("metadata record is cut short", offset);
    const uint32_t length = load_be<uint32_t>(rest.data());
    if (length < 12) return damaged("metadata record has an impossible length", offset);
    if (length > rest.size()) return damaged("metadata record is cut short", offset);
    if (load_be<uint32_t>(rest.data() + length - 4) != length) {
      return damaged("metadata record's last word is not its length", offset);
    }
    auto done = read_record(rest.subspan(4, length - 8), offset, extra_units, out);
    if (!done) {
      Damage damage = done.error();
      damage.offset = offset;
      return std::unexpected(damage);
    }
    offset += length;
  }
  if (auto built = build_domains(out); !built) return std::unexpected(built.error());
  if (out.descs.empty()) {
    return std::unexpected<Damage>(
        {.what = "no metric is described", .offset = offset, .pm_code = pm_err::E_NODATA});
  }
  return out;
}

}  // namespace pmjit
