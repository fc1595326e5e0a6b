#include "compiler/compat/definitions/value_set.h"

#include "runtime/model/pm_type.h"

namespace pmjit::pcp {

void put_values(const PcpValues& values, const Desc& desc, std::vector<uint64_t>& blocks,
                FetchedSet& out) {
  const bool in_place = desc.pm_type == pm_type::i32 || desc.pm_type == pm_type::u32;
  out.pmid = desc.pmid;
  out.count = values.count;
  out.format = in_place ? ValueFormat::in_place : ValueFormat::block;
  out.values.clear();
  if (values.count <= 0) return;
  blocks.assign(values.items.size(), 0);
  for (size_t i = 0; i < values.items.size(); ++i) {
    const Item& item = values.items[i];
    Value value{.instance = desc.indom == kNullId ? kSingular : item.instance,
                .type = static_cast<uint8_t>(desc.pm_type)};
    if (in_place) {
      value.word = item.value.u32;
    } else if (item.value.has_bytes) {
      value.block = item.value.bytes;
    } else {
      blocks[i] = item.value.u64;
      const size_t size = desc.pm_type == pm_type::f32 ? sizeof(float) : sizeof(uint64_t);
      value.block = Bytes(reinterpret_cast<const std::byte*>(&blocks[i]), size);
    }
    out.values.push_back(value);
  }
}

}  // namespace pmjit::pcp
