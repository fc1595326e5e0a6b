#include "runtime/model/desc.h"

#include <fmt/core.h>

#include <charconv>
#include <iterator>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// DYNAMIC_PMID: with item 0 the root of a subtree whose names the agent `cluster` knows.
constexpr uint32_t kDynamicDomain = 511;

struct ElemRow {
  std::string_view text;
  int pm_type;
};

constexpr ElemRow kElems[] = {
#define ELEM(name, text, bytes, pm) {text, pm},
#include "runtime/model/elem.def"
#undef ELEM
};

const ElemRow& row(Elem elem) { return kElems[static_cast<size_t>(elem)]; }

}  // namespace

std::string_view semantics_text(Semantics semantics) {
  switch (semantics) {
    case Semantics::counter: return "counter";
    case Semantics::instant: return "instant";
    case Semantics::discrete: return "discrete";
  }
  return "???";
}

std::optional<Semantics> semantics_from_text(std::string_view text) {
  for (Semantics s : {Semantics::counter, Semantics::instant, Semantics::discrete}) {
    if (semantics_text(s) == text) return s;
  }
  return std::nullopt;
}

std::string pmid_text(PmId pmid) {
  if (pmid == kNullId) return "PM_ID_NULL";
  const uint32_t domain = domain_of(pmid), cluster = (pmid >> 10) & 0xfff, item = pmid & 0x3ff;
  if (domain == kDynamicDomain && item == 0) return fmt::format("{}.*.*", cluster);
  return fmt::format("{}.{}.{}", domain, cluster, item);
}

std::string indom_text(InDomId indom) {
  if (indom == kNullId) return "PM_INDOM_NULL";
  return fmt::format("{}.{}", domain_of(indom), indom & 0x3fffff);
}

std::optional<InDomId> indom_from_text(std::string_view text) {
  uint32_t domain = 0, serial = 0;
  const char* end = text.data() + text.size();
  const auto dot = std::from_chars(text.data(), end, domain);
  if (dot.ec != std::errc() || dot.ptr == end || *dot.ptr != '.') return std::nullopt;
  const auto rest = std::from_chars(dot.ptr + 1, end, serial);
  if (rest.ec != std::errc() || rest.ptr != end) return std::nullopt;
  if (domain > 510 || serial >= 1u << 22) return std::nullopt;
  return domain << 22 | serial;
}

std::string_view elem_text(Elem elem) { return row(elem).text; }

std::optional<Elem> elem_from_text(std::string_view text) {
  for (size_t i = 0; i < std::size(kElems); ++i) {
    if (kElems[i].text == text) return static_cast<Elem>(i);
  }
  return std::nullopt;
}

std::optional<Elem> elem_from_pm(int type) {
  if (type == pm_type::aggregate_static) return Elem::bytes;
  for (size_t i = 0; i < std::size(kElems); ++i) {
    if (kElems[i].pm_type == type && type >= 0) return static_cast<Elem>(i);
  }
  return std::nullopt;
}

int pm_type_of(Elem elem) { return elem == Elem::truth ? pm_type::u32 : row(elem).pm_type; }

std::string_view pm_type_name(Elem elem) {
  const int type = row(elem).pm_type;
  return type < 0 ? "truth" : pm_type_text(type);
}

}  // namespace pmjit
