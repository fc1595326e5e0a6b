#include "runtime/archive/reader/metadata.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/metadata_records.h"
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

void Texts::add(TextKind kind, TextOf of, uint32_t ident, std::string_view text) {
  auto& texts = of == TextOf::metric ? metrics_ : indoms_;
  texts.insert_or_assign({ident, static_cast<uint32_t>(kind)}, text);
}

void Texts::merge(const Texts& newer) {
  for (const auto& [key, text] : newer.metrics_) metrics_.insert_or_assign(key, text);
  for (const auto& [key, text] : newer.indoms_) indoms_.insert_or_assign(key, text);
}

std::optional<std::string_view> Texts::find(TextKind kind, TextOf of, uint32_t ident) const {
  const auto& texts = this->of(of);
  const auto found = texts.find({ident, static_cast<uint32_t>(kind)});
  if (found == texts.end()) return std::nullopt;
  return found->second;
}

OrPmCode<std::string_view> Texts::look_up(TextKind kind, TextOf of, uint32_t ident) const {
  const auto found = find(kind, of, ident);
  if (kind == TextKind::help && (!found || found->empty())) {
    return look_up_alone(TextKind::one_line, of, ident);
  }
  return look_up_alone(kind, of, ident);
}

OrPmCode<std::string_view> Texts::look_up_alone(TextKind kind, TextOf of, uint32_t ident) const {
  if (const auto found = find(kind, of, ident)) return *found;
  const auto is_of_kind = [kind](const auto& one) {
    return one.first.second == static_cast<uint32_t>(kind);
  };
  const bool any = std::ranges::any_of(this->of(of), is_of_kind);
  return std::unexpected(any ? pm_err::E_TEXT : pm_err::E_NOTHOST);
}

std::vector<uint32_t> Texts::idents(TextOf of) const {
  std::vector<uint32_t> out;
  for (const auto& [key, text] : this->of(of)) {
    if (out.empty() || out.back() != key.first) out.push_back(key.first);
  }
  return out;
}

OrDamage<void> read_text_record(Bytes payload, Texts& out) {
  ByteReader in(payload);
  const uint32_t type = in.u32(), ident = in.u32();
  if (!in.ok()) return damaged("help text is too short", 0);
  bool has_kind = false, has_of = false;
  const std::string_view stored = in.text(in.left());
  for (const TextKind kind : {TextKind::one_line, TextKind::help}) {
    for (const TextOf of : {TextOf::metric, TextOf::indom}) {
      const auto kind_bit = static_cast<uint32_t>(kind), of_bit = static_cast<uint32_t>(of);
      has_kind = has_kind || (type & kind_bit) != 0;
      has_of = has_of || (type & of_bit) != 0;
      // A type that says more than these two bits is let pass, and never found.
      if (type == (kind_bit | of_bit))
        out.add(kind, of, ident, stored.substr(0, stored.find('\0')));
    }
  }
  if (!has_kind || !has_of) return damaged("help text is of no known kind", 0);
  return {};
}

Result<Desc> MetadataCatalog::describe(std::string_view metric) const {
  const auto pmid = metadata_.names.find(metric);
  if (!pmid) {
    return fail(Error(Fault::not_found, "Unknown metric name")
                    .at("metric", metric)
                    .at("archive", name_)
                    .pm_code(pm_err::E_NAME));
  }
  return metadata_.descs.at(*pmid);
}

std::vector<std::string> MetadataCatalog::leaves(std::string_view prefix) const {
  std::vector<std::string> out;
  if (const auto found = metadata_.names.leaves(prefix)) {
    for (const auto& leaf : *found) out.emplace_back(leaf.name);
  }
  std::ranges::sort(out);
  return out;
}

std::optional<std::string> MetadataCatalog::instance_name(InDomId indom, int32_t instance,
                                                          Stamp when) const {
  const Domain* domain = metadata_.domain(indom);
  if (domain == nullptr) return std::nullopt;
  const auto name = domain->name(instance, when);
  if (!name) return std::nullopt;
  return std::string(*name);
}

uint64_t MetadataCatalog::domain_epoch(InDomId indom, Stamp when) const {
  const Domain* domain = metadata_.domain(indom);
  return domain == nullptr ? 0 : domain->sets_until(when);
}

std::optional<std::vector<int32_t>> MetadataCatalog::changed_between(InDomId indom, Stamp from,
                                                                     Stamp to) const {
  const Domain* domain = metadata_.domain(indom);
  if (domain == nullptr) return std::vector<int32_t>();
  return domain->changed_between(from, to);
}

std::vector<Catalog::Instance> MetadataCatalog::instances(InDomId indom) const {
  const Domain* domain = metadata_.domain(indom);
  if (domain == nullptr) return {};
  return domain->all();
}

std::vector<std::string> MetadataCatalog::names_ever(InDomId indom) const {
  const Domain* domain = metadata_.domain(indom);
  if (domain == nullptr) return {};
  return domain->names_ever();
}

std::optional<DescConflict> find_desc_conflict(const Metadata& a, const Metadata& b) {
  for (const PmId pmid : b.pmids) {
    const Desc* const known = a.desc(pmid);
    const int code = known == nullptr ? 0 : desc_conflict(*known, b.descs.at(pmid));
    if (code != 0) return DescConflict{.pmid = pmid, .pm_code = code};
  }
  return {};
}

void merge_metadata(Metadata& into, const Metadata& from) {
  for (const PmId pmid : from.pmids) {
    if (into.descs.try_emplace(pmid, from.descs.at(pmid)).second) into.pmids.push_back(pmid);
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
}

}  // namespace pmjit
