#include "runtime/archive/reader/metadata.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "runtime/archive/format/label.h"
#include "runtime/archive/reader/indom_record.h"
#include "runtime/archive/reader/label_record.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

enum RecordType : uint32_t {
  kDesc = 1,
  kIndomV2 = 2,
  kLabelV2 = 3,
  kText = 4,
  kIndom = 5,
  kIndomDelta = 6,
  kLabel = 7
};

struct Loader {
  Version version;
  Metadata out{};
  std::unordered_map<InDomId, std::vector<IndomRecord>> sets{};
};

// The first difference in the order in which the reference looks for one.
int conflict(const Desc& a, const Desc& b) {
  if (a.pm_type != b.pm_type) return pm_err::E_LOGCHANGETYPE;
  if (a.semantics != b.semantics) return pm_err::E_LOGCHANGESEM;
  if (a.indom != b.indom) return pm_err::E_LOGCHANGEINDOM;
  if (a.units != b.units) return pm_err::E_LOGCHANGEUNITS;
  return 0;
}

OrDamage<void> read_desc(Bytes payload, Loader& loader) {
  ByteReader in(payload.subspan(4));
  Desc desc;
  desc.pmid = in.u32();
  desc.pm_type = in.i32();
  desc.indom = in.u32();
  desc.semantics = static_cast<Semantics>(in.u32());
  desc.units = units_from_word(in.u32());
  const uint32_t names = in.u32();
  for (uint32_t i = 0; i < names && in.ok(); ++i) {
    // Some writers padded names with NULs; the real tools stop at the first.
    const std::string_view stored = in.text(in.u32());
    const std::string_view name = stored.substr(0, stored.find('\0'));
    if (in.ok()) loader.out.names.try_emplace(std::string(name), desc.pmid);
  }
  if (!in.done()) return damaged("metric description does not fill its record", 0);
  const auto [it, is_new] = loader.out.descs.try_emplace(desc.pmid, desc);
  if (const int code = is_new ? 0 : conflict(it->second, desc); code != 0) {
    return std::unexpected<Damage>(
        {.what = "metric is described again, and differently", .pm_code = code});
  }
  return {};
}

OrDamage<void> read_text(Bytes payload) {
  constexpr uint32_t kOneLine = 1, kHelp = 2, kOfMetric = 4, kOfDomain = 8;
  ByteReader in(payload.subspan(4));
  const uint32_t type = in.u32();
  in.skip(4);
  const bool kind = (type & (kOneLine | kHelp)) != 0 && (type & (kOfMetric | kOfDomain)) != 0;
  if (!kind || in.left() == 0 || payload.back() != std::byte{0}) {
    return damaged("help text is of no known kind or does not end", 0);
  }
  return {};
}

OrDamage<void> read_record(Bytes payload, uint64_t offset, Loader& loader) {
  const bool v3 = loader.version == Version::v3;
  const uint32_t type = load_be<uint32_t>(payload.data());
  switch (type) {
    case kDesc: return read_desc(payload, loader);
    case kText: return read_text(payload);
    case kLabelV2:
    case kLabel:
      if (v3 == (type == kLabel)) return check_label_record(payload.subspan(4), loader.version);
      break;
    case kIndomV2:
    case kIndom:
    case kIndomDelta: {
      if (v3 != (type != kIndomV2)) break;
      auto record = read_indom_record(payload.subspan(4), loader.version, type == kIndomDelta);
      if (!record) return std::unexpected(record.error());
      record->offset = offset;
      // The reference reads an empty set and drops it: the set before stays in force (spec §6.2).
      if (record->count != 0) loader.sets[record->indom].push_back(*record);
      return {};
    }
    default: break;
  }
  return std::unexpected<Damage>(
      {.what = "metadata record of unknown type", .pm_code = pm_err::E_RECTYPE});
}

OrDamage<void> build_domains(Loader& loader) {
  std::vector<NamedInstance> set;
  for (auto& [indom, records] : loader.sets) {
    std::ranges::sort(records, {}, [](const IndomRecord& record) {
      return std::pair(record.stamp,
                       record.offset);  // of equal stamps the later in the file counts
    });
    Domain& domain = loader.out.domains[indom];
    for (const IndomRecord& record : records) {
      if (!list_instances(record, set)) {
        return damaged("instance domain record has a bad instance", record.offset);
      }
      if (!record.delta) {
        domain.replace(record.stamp, set);
      } else if (!domain.change(record.stamp, set)) {
        return damaged("instance domain change does not fit the set before it", record.offset);
      }
    }
  }
  return {};
}

}  // namespace

OrDamage<Metadata> read_metadata(Bytes file, Version version) {
  Loader loader{.version = version};
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
    auto done = read_record(rest.subspan(4, length - 8), offset, loader);
    if (!done) {
      Damage damage = done.error();
      damage.offset = offset;
      return std::unexpected(damage);
    }
    offset += length;
  }
  if (auto built = build_domains(loader); !built) return std::unexpected(built.error());
  if (loader.out.descs.empty()) {
    return std::unexpected<Damage>(
        {.what = "no metric is described", .offset = offset, .pm_code = pm_err::E_NODATA});
  }
  return std::move(loader.out);
}

}  // namespace pmjit
