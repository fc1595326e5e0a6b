#include "tests/unit/derive/recorded.h"

#include <fmt/format.h>

#include "runtime/model/atom.h"

namespace pmjit::test {

namespace {

constexpr const char* kInstances[] = {"zero", "one", "two"};

}  // namespace

Recorded::Recorded() {
  const auto add = [&](const char* name, int type, InDomId indom, Semantics semantics) {
    const auto pmid = static_cast<PmId>(5000 + metrics_.size());
    metrics_[name] = {.pmid = pmid, .pm_type = type, .indom = indom, .semantics = semantics};
  };
  add("u32.a", pm_type::u32, kNullId, Semantics::instant);
  add("u32.b", pm_type::u32, kNullId, Semantics::instant);
  add("u32.set", pm_type::u32, 1u << 22 | 1, Semantics::instant);
  add("i64.set", pm_type::i64, 1u << 22 | 1, Semantics::instant);
  add("text.s", pm_type::string, kNullId, Semantics::discrete);
  add("ctr", pm_type::u64, kNullId, Semantics::counter);
}

OrPmError<PmId> Recorded::look_up(std::string_view name) const {
  const auto found = metrics_.find(name);
  if (found == metrics_.end()) return pm_fail(pm_err::E_NAME);
  return found->second.pmid;
}

OrPmError<Desc> Recorded::describe(PmId pmid) const {
  for (const auto& [name, desc] : metrics_) {
    if (desc.pmid == pmid) return desc;
  }
  return pm_fail(pm_err::E_PMID_LOG);
}

OrPmError<int32_t> Recorded::instance_id(InDomId, std::string_view name) const {
  for (int32_t i = 0; i < 3; ++i) {
    if (kInstances[i] == name) return i;
  }
  return pm_fail(pm_err::E_INST_LOG);
}

OrPmError<std::string> Recorded::instance_name(InDomId, int32_t instance) const {
  if (instance < 0 || instance > 2) return pm_fail(pm_err::E_INST_LOG);
  return std::string(kInstances[instance]);
}

OrPmError<std::vector<int32_t>> Recorded::instances(InDomId) const {
  return std::vector<int32_t>{0, 1, 2};
}

std::vector<Catalog::Instance> Recorded::instances_ever(InDomId) const {
  std::vector<Catalog::Instance> out;
  for (int32_t i = 0; i < 3; ++i) out.push_back({.id = i, .name = std::string(kInstances[i])});
  return out;
}

FetchedSet set_of(PmId pmid, std::initializer_list<std::pair<int32_t, uint32_t>> values) {
  FetchedSet set{.pmid = pmid, .count = static_cast<int>(values.size())};
  for (const auto& [instance, word] : values) {
    set.values.push_back({.instance = instance, .word = word});
  }
  return set;
}

std::string text_of(const FetchedSet& set, int type) {
  if (set.count < 0) return fmt::format("!{}", set.count);
  std::string out;
  for (const Value& value : set.values) {
    if (!out.empty()) out += ' ';
    if (value.instance != kSingular) out += fmt::format("{}:", value.instance);
    const auto atom = load_atom(set.format, type, value);
    out += atom ? atom_text(*atom, type) : "?";
  }
  return out;
}

}  // namespace pmjit::test
