#include "runtime/report/arrow/value_columns.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace pmjit::arrow {

namespace {

using ElemSet = std::set<Elem>;

std::string_view type_name(Elem elem) {
  switch (elem) {
    case Elem::i32: return "int32";
    case Elem::u32: return "uint32";
    case Elem::i64: return "int64";
    case Elem::u64: return "uint64";
    case Elem::f32: return "float32";
    case Elem::f64: return "float64";
    case Elem::truth: return "bool";
    case Elem::text: return "text";
    case Elem::bytes: return "binary";
  }
  return "";
}

bool within(const ElemSet& elems, const ElemSet& allowed) {
  return std::ranges::includes(allowed, elems);
}

// The type that has every value of these exactly, if there is one.
std::optional<Elem> common(const ElemSet& elems) {
  if (elems.size() == 1) return *elems.begin();
  if (within(elems, {Elem::i32, Elem::u32, Elem::i64})) return Elem::i64;
  if (within(elems, {Elem::u32, Elem::u64})) return Elem::u64;
  if (within(elems, {Elem::i32, Elem::u32, Elem::f32, Elem::f64})) return Elem::f64;
  return std::nullopt;
}

// What stands together where not all of it can: whole numbers, floating ones, and each other type
// for itself. `elems` are all that there are.
Elem shared(Elem elem, const ElemSet& elems) {
  if (is_float(elem)) return elems.contains(Elem::f64) ? Elem::f64 : Elem::f32;
  if (!is_number(elem)) return elem;
  ElemSet whole = elems;
  std::erase_if(whole, [](Elem other) { return !is_number(other) || is_float(other); });
  if (const auto one = common(whole)) return *one;
  return elem == Elem::u64 ? Elem::u64 : Elem::i64;
}

}  // namespace

std::vector<ValueColumn> value_columns(std::span<const ResultInfo> infos) {
  ElemSet elems;
  for (const ResultInfo& info : infos) elems.insert(info.elem);
  const std::optional<Elem> one = common(elems);
  std::vector<ValueColumn> out;
  for (uint32_t k = 0; k < infos.size(); ++k) {
    const Elem elem = one ? *one : shared(infos[k].elem, elems);
    auto found = std::ranges::find(out, elem, &ValueColumn::elem);
    if (found == out.end()) {
      const std::string name = one ? "value" : "value_" + std::string(type_name(elem));
      found = out.insert(out.end(), {.name = name, .elem = elem});
    }
    found->results.push_back(k);
  }
  return out;
}

}  // namespace pmjit::arrow
