#include "tests/unit/compat_registry/recorded.h"

#include <fmt/format.h>

#include "runtime/model/value.h"
#include "runtime/text/float_text.h"

namespace pmjit::test {

Recorded::Recorded() {
  constexpr InDomId kSet = 1u << 22 | 1;
  add("u32.a", {.pm_type = pm_type::u32});
  add("u32.b", {.pm_type = pm_type::u32});
  add("u32.set", {.pm_type = pm_type::u32, .indom = kSet});
  add("i64.set", {.pm_type = pm_type::i64, .indom = kSet});
  add("text.s", {.pm_type = pm_type::string, .semantics = Semantics::discrete});
  add("ctr", {.pm_type = pm_type::u64, .semantics = Semantics::counter});
  set_instances_elsewhere(
      {{.id = 0, .name = "zero"}, {.id = 1, .name = "one"}, {.id = 2, .name = "two"}});
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
