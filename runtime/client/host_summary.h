// summarize_host(): asks a host for everything that it says of itself (runtime/model).
//
//   const auto all = summarize_host(context, {});
//   const auto some = summarize_host(context, {"disk.dev", "kernel.all.load"});
//
// | asked for       | requests                                                                 |
// |---|---|
// | always          | names, descriptors, a request for the instances of each domain, agents   |
// | metrics by name | for each metric help texts and labels as well; a name stands for all     |
// |                 | metrics below it                                                         |
//
// So a summary without names takes some ten requests and one for each domain, also from afar.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/result.h"
#include "runtime/client/host_context.h"
#include "runtime/model/host_summary.h"

namespace pmjit {

// Fails where the connection is lost, where a name is none of the host's, and where the context is
// told to stop. What the host refuses to say is left out of the summary, or has its status there.
[[nodiscard]] Result<HostSummary> summarize_host(HostContext& context,
                                                 const std::vector<std::string>& names);

}  // namespace pmjit
