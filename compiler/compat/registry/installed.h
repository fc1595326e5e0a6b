// What PCP's installation and the environment say of derived metrics, beside their definitions.
#pragma once

#include <string>

#include "runtime/model/equivalent_domains.h"

namespace pmjit {

// A setting of PCP's installation: of the environment, else of its configuration file.
[[nodiscard]] std::string installed(const std::string& name, const std::string& otherwise);

// What $PCP_INDOM_CONFIG declares (empty: nothing), else $PCP_ETC_DIR/pcp/indom.conf.
[[nodiscard]] EquivalentDomains installed_equivalences();

}  // namespace pmjit
