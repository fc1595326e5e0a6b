// Encryption of a collector's clients, as tls.conf has it.
//
//   auto begin = collector_tls("/etc/pcp/tls.conf", clock);
//   if (!begin) return complain(begin.error());        // a file is missing, or is not right
//   options.begin_tls = *begin;                        // null: it has no certificate
//
// The file is read at the start. Those that it names are read again after a minute, so that a
// certificate that was renewed is taken up; where that fails they stay as they were.
#pragma once

#include <string>

#include "agent/collector/collector_server.h"

namespace pmjit {

[[nodiscard]] Result<BeginTls> collector_tls(const std::string& path, const Clock& clock);

}  // namespace pmjit
