#include "runtime/archive/writer/encode.h"

#include <cstring>

#include "runtime/base/result.h"
#include "runtime/model/desc.h"

namespace pmjit {

namespace {

constexpr auto kGone = static_cast<uint32_t>(-1);  // instead of the offset of a name
constexpr uint32_t kInPlace = 0, kInBlocks = 1;
constexpr char kPadding = '~';

// The length stands at both ends of a record; the first is known only when the record is complete.
ByteWriter begin_record() {
  ByteWriter out;
  out.u32(0);
  return out;
}

ByteVector end_record(ByteWriter out) {
  const auto length = static_cast<uint32_t>(out.size() + 4);
  out.u32(length);
  out.set_u32(0, length);
  return out.take();
}

template <class T>
T value_at(Bytes values, size_t i) {
  T value;
  std::memcpy(&value, values.data() + i * sizeof value, sizeof value);
  return value;
}

struct Written {
  const WrittenSet& set;
  Elem elem;
  int pm_type;
  bool in_place;
};

Written checked(const WrittenSet& set, const std::unordered_map<PmId, Desc>& descs) {
  const auto desc = descs.find(set.pmid);
  check(desc != descs.end(), "writer: a value set of a metric that was not added");
  const auto elem = elem_from_pm(desc->second.pm_type);
  check(elem.has_value(), "writer: event metrics are not written");
  const bool has_numbers = is_number(*elem) && set.texts.empty() &&
                           set.values.size() == set.instances.size() * elem_bytes(*elem);
  const bool has_texts = !is_number(*elem) && set.texts.size() == set.instances.size();
  check(set.status <= 0 && (set.status == 0 || set.instances.empty()),
        "writer: values and an error");
  check(has_numbers || has_texts, "writer: as many values as instances, of the metric's type");
  return {set, *elem, desc->second.pm_type, *elem == Elem::i32 || *elem == Elem::u32};
}

uint32_t block_length(const Written& written, size_t i) {
  if (is_number(written.elem)) return static_cast<uint32_t>(4 + elem_bytes(written.elem));
  const size_t nul = written.elem == Elem::text ? 1 : 0;
  return static_cast<uint32_t>(4 + written.set.texts[i].size() + nul);
}

// `next` is the offset of the next block in the record.
void put_pairs(ByteWriter& out, const Written& written, uint64_t& next) {
  const WrittenSet& set = written.set;
  out.u32(set.pmid);
  if (set.instances.empty()) return out.u32(static_cast<uint32_t>(set.status));
  out.u32(static_cast<uint32_t>(set.instances.size()));
  out.u32(written.in_place ? kInPlace : kInBlocks);
  for (size_t i = 0; i < set.instances.size(); ++i) {
    out.u32(static_cast<uint32_t>(set.instances[i]));
    if (written.in_place) {
      out.u32(value_at<uint32_t>(set.values, i));
    } else {
      out.u32(static_cast<uint32_t>((next + 8) / 4));
      next += (block_length(written, i) + 3) / 4 * 4;
    }
  }
}

void put_blocks(ByteWriter& out, const Written& written) {
  constexpr uint32_t kTypeShift = 24;
  if (written.in_place) return;
  for (size_t i = 0; i < written.set.instances.size(); ++i) {
    const uint32_t length = block_length(written, i);
    out.u32(static_cast<uint32_t>(written.pm_type) << kTypeShift | length);
    if (!is_number(written.elem)) {
      out.text(written.set.texts[i]);
      if (written.elem == Elem::text) out.fill(1, '\0');
      out.fill((4 - length % 4) % 4, kPadding);
    } else if (elem_bytes(written.elem) == 8) {
      out.u64(value_at<uint64_t>(written.set.values, i));
    } else {
      out.u32(value_at<uint32_t>(written.set.values, i));
    }
  }
}

}  // namespace

ByteVector encode_label(const ArchiveWriterOptions& options, int32_t volume) {
  ByteWriter out = begin_record();
  out.u32(kLabelMagic | static_cast<uint32_t>(options.version));
  out.u32(static_cast<uint32_t>(options.pid));
  put_stamp(out, options.start, options.version);
  out.u32(static_cast<uint32_t>(volume));
  if (options.version == Version::v2) {
    out.padded(options.host, 64);
    out.padded(options.timezone, 40);
  } else {
    out.u32(options.features);
    out.u32(0);  // reserved
    out.padded(options.host, 256);
    out.padded(options.timezone, 256);
    out.padded(options.zoneinfo, 256);
  }
  return end_record(std::move(out));
}

ByteVector encode_desc(std::span<const std::string_view> names, const Desc& desc) {
  ByteWriter out = begin_record();
  out.u32(static_cast<uint32_t>(MetaRecord::desc));
  out.u32(desc.pmid);
  out.u32(static_cast<uint32_t>(desc.pm_type));
  out.u32(desc.indom);
  out.u32(static_cast<uint32_t>(desc.semantics));
  out.u32(units_to_word(desc.units));
  out.u32(static_cast<uint32_t>(names.size()));
  for (const std::string_view name : names) {
    out.u32(static_cast<uint32_t>(name.size()));
    out.text(name);
  }
  return end_record(std::move(out));
}

namespace {

ByteVector encode_list(MetaRecord type, Version version, Stamp stamp, InDomId indom,
                       std::span<const ListedInstance> list) {
  ByteWriter out = begin_record();
  out.u32(static_cast<uint32_t>(type));
  put_stamp(out, stamp, version);
  out.u32(indom);
  out.u32(static_cast<uint32_t>(list.size()));
  for (const auto& listed : list) out.u32(static_cast<uint32_t>(listed.id));
  size_t offset = 0;
  for (const auto& listed : list) {
    out.u32(listed.name ? static_cast<uint32_t>(offset) : kGone);
    if (listed.name) offset += listed.name->size() + 1;
  }
  for (const auto& listed : list) {
    if (!listed.name) continue;
    out.text(*listed.name);
    out.fill(1, '\0');
  }
  return end_record(std::move(out));
}

}  // namespace

ByteVector encode_indom(Version version, Stamp stamp, InDomId indom,
                        std::span<const ListedInstance> set) {
  return encode_list(version == Version::v2 ? MetaRecord::indom_v2 : MetaRecord::indom, version,
                     stamp, indom, set);
}

ByteVector encode_indom_delta(Stamp stamp, InDomId indom, std::span<const ListedInstance> changes) {
  return encode_list(MetaRecord::indom_delta, Version::v3, stamp, indom, changes);
}

ByteVector encode_labels(Version version, Stamp stamp, LabelType type, uint32_t ident,
                         std::span<const LabelSet> sets) {
  ByteWriter out = begin_record();
  out.u32(static_cast<uint32_t>(version == Version::v2 ? MetaRecord::label_v2 : MetaRecord::label));
  put_stamp(out, stamp, version);
  out.u32(static_cast<uint32_t>(type));
  out.u32(ident);
  out.u32(static_cast<uint32_t>(sets.size()));
  for (const LabelSet& set : sets) {
    out.i32(set.instance);
    out.u32(static_cast<uint32_t>(set.json.size()));
    out.text(set.json);
    out.i32(set.count);
    out.bytes(set.entries);
  }
  return end_record(std::move(out));
}

ByteVector encode_text(uint32_t type, uint32_t ident, std::string_view text) {
  ByteWriter out = begin_record();
  out.u32(static_cast<uint32_t>(MetaRecord::text));
  out.u32(type);
  out.u32(ident);
  out.text(text);
  out.fill(1, '\0');
  return end_record(std::move(out));
}

ByteVector encode_mark(Version version, Stamp stamp) {
  ByteWriter out = begin_record();
  put_stamp(out, stamp, version);
  out.u32(0);
  return end_record(std::move(out));
}

ByteVector encode_index_entry(Version version, Stamp stamp, int32_t volume, uint64_t meta_offset,
                              uint64_t data_offset) {
  ByteWriter out;
  put_stamp(out, stamp, version);
  out.u32(static_cast<uint32_t>(volume));
  if (version == Version::v2) {
    out.u32(static_cast<uint32_t>(meta_offset));
    out.u32(static_cast<uint32_t>(data_offset));
  } else {
    out.u64(meta_offset);
    out.u64(data_offset);
  }
  return out.take();
}

ByteVector encode_result(Version version, Stamp stamp, std::span<const WrittenSet> sets,
                         const std::unordered_map<PmId, Desc>& descs) {
  check(!sets.empty(), "writer: a record without a metric is a mark");
  std::vector<Written> written;
  uint64_t blocks = 4 + stamp_bytes(version) + 4, values = 0;
  for (const WrittenSet& set : sets) {
    written.push_back(checked(set, descs));
    blocks += 8 + (set.instances.empty() ? 0 : 4 + 8 * set.instances.size());
    values += set.instances.size();
  }
  ByteWriter out = begin_record();
  out.reserve(blocks + values * 12 + 4);
  put_stamp(out, stamp, version);
  out.u32(static_cast<uint32_t>(sets.size()));
  for (const Written& one : written) put_pairs(out, one, blocks);
  for (const Written& one : written) put_blocks(out, one);
  return end_record(std::move(out));
}

}  // namespace pmjit
