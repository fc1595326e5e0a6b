#include "runtime/model/desc.h"

#include <fmt/core.h>

#include <charconv>

namespace pmjit {

namespace {
// DYNAMIC_PMID: with item 0 the root of a subtree whose names the agent `cluster` knows.
constexpr uint32_t kDynamicDomain = 511;
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
  const uint32_t domain = (pmid >> 22) & 0x1ff, cluster = (pmid >> 10) & 0xfff, item = pmid & 0x3ff;
  if (domain == kDynamicDomain && item == 0) return fmt::format("{}.*.*", cluster);
  return fmt::format("{}.{}.{}", domain, cluster, item);
}

std::string indom_text(InDomId indom) {
  if (indom == kNullId) return "PM_INDOM_NULL";
  return fmt::format("{}.{}", (indom >> 22) & 0x1ff, indom & 0x3fffff);
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

}  // namespace pmjit
