// Metrics of agents inside this process (PM_CONTEXT_LOCAL) as a module of their own: libpcp.so.3,
// which such agents call. It is opened when a program wants one of its contexts, so nobody else
// links with it. load_local() looks up one symbol, pmjit_local_module, and checks the version.
//
//   const auto local = load_local();
//   if (!local) return fail(local.error());          // it is missing, or of another build
//   const std::string wrong = (*local)->change_agents("add,253,simple/pmda_simple,simple_init");
//   auto context = (*local)->open({.program = "pminfo"});
//   if (!context) …                                  // PM_ERR_*, or a negative errno
//
// One thread has all of these contexts. Messages of agents go to standard error, under the name of
// the program.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/client/context.h"
#include "runtime/client/requests.h"

namespace pmjit {

struct NameSpaceFile;

class LocalSource : public Context {
 public:
  // Of the agent, or of this machine and its user; a set each, of instances several.
  [[nodiscard]] virtual OrPmError<std::vector<HostLabels>> labels(LabelLevel level,
                                                                  uint32_t ident) = 0;
};

struct LocalWishes {
  std::string program;                   // its name, for messages
  std::string container{};               // whose metrics; empty: of the whole machine
  const NameSpaceFile* names = nullptr;  // in place of the system's; null: those
};

struct LocalModule {
  uint32_t version;
  // Which agents there will be, beside those of pmcd's configuration or in place of them, as
  // pmSpecLocalPMDA() takes it: what is wrong with the specification; empty: nothing.
  std::string (*change_agents)(std::string_view spec);
  OrPmError<std::unique_ptr<LocalSource>> (*open)(const LocalWishes& wishes);
};
inline constexpr uint32_t kLocalVersion = 1;  // bumped with these types and those of Context

// Of $PMJIT_LIBPCP, else from where this code is installed: ../lib from our program. It stays until
// the process ends.
[[nodiscard]] Result<const LocalModule*> load_local();

}  // namespace pmjit

extern "C" const pmjit::LocalModule* pmjit_local_module();
