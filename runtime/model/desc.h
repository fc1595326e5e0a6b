// Desc: what is known of a metric before any value: identity, type, instance domain, semantics,
// units.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "runtime/base/ids.h"
#include "runtime/model/units.h"

namespace pmjit {

enum class Semantics : uint8_t { counter = 1, instant = 3, discrete = 4 };  // PM_SEM_*
std::string_view semantics_text(Semantics semantics);  // "counter" …; "???" for other numbers
std::optional<Semantics> semantics_from_text(std::string_view text);

using PmId = uint32_t;                           // flag:1 domain:9 cluster:12 item:10
using InDomId = uint32_t;                        // flag:1 domain:9 serial:22
inline constexpr uint32_t kNullId = UINT32_MAX;  // PM_ID_NULL, PM_INDOM_NULL, PM_IN_NULL
inline constexpr int32_t kSingular = -1;         // instance of the one value of a singular metric
// Beside the identifier of an instance without a name, where it stands in an equivalent domain.
inline constexpr int32_t kElsewhere = INT32_MIN;

std::string pmid_text(PmId pmid);       // "60.2.17"; "60.*.*" for the root of a dynamic subtree
std::string indom_text(InDomId indom);  // "60.1"
// Back; none: not DOMAIN.SERIAL, with DOMAIN up to 510 and SERIAL up to 4194303.
std::optional<InDomId> indom_from_text(std::string_view text);

struct Desc {
  PmId pmid = kNullId;
  int pm_type = 0;  // PM_TYPE_*, events included; elem_from_pm() gives the column type
  InDomId indom = kNullId;
  Semantics semantics = Semantics::instant;
  Units units;
};

}  // namespace pmjit
