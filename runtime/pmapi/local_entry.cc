// The entry of local contexts for programs of ours that are not linked with libpcp
// (runtime/client/local_module.h).
#include "runtime/client/local_module.h"

#include "runtime/pmapi/local_context.h"
#include "runtime/pmapi/messages.h"

namespace pmjit {

namespace {

// Each question about names finds them loaded, or says why they are not, as in a program that calls
// the PMAPI.
class SelfNamedContext final : public LocalContext {
 public:
  using LocalContext::LocalContext;

  [[nodiscard]] std::vector<OrPmError<PmId>> look_up_names(
      std::span<const std::string_view> names) override {
    the_library().load_default_names();
    return LocalContext::look_up_names(names);
  }
  [[nodiscard]] OrPmError<std::vector<std::string>> names(PmId pmid) override {
    the_library().load_default_names();
    return LocalContext::names(pmid);
  }
  [[nodiscard]] OrPmError<std::vector<Child>> children(std::string_view name) override {
    the_library().load_default_names();
    return LocalContext::children(name);
  }
};

std::string change_local_agents(std::string_view spec) { return local_agents().change(spec); }

OrPmError<std::unique_ptr<LocalSource>> open_local_source(const LocalWishes& wishes) {
  static std::string kept_name;  // whose address pmSetProgname() keeps
  kept_name = wishes.program;
  pmSetProgname(kept_name.c_str());
  if (!wishes.container.empty()) set_variable("PCP_CONTAINER", wishes.container.c_str());
  Library& library = the_library();
  if (wishes.names != nullptr) {
    const std::unique_lock alone(library.definitions);
    library.loaded_names.use(*wishes.names);
  }
  if (const int code = open_local_agents(); code < 0) return pm_fail(code);
  return std::make_unique<SelfNamedContext>(library.loaded_names, library.next_handle());
}

constexpr LocalModule kLocalModule{
    .version = kLocalVersion, .change_agents = change_local_agents, .open = open_local_source};

}  // namespace

}  // namespace pmjit

extern "C" __attribute__((visibility("default"))) const pmjit::LocalModule* pmjit_local_module() {
  return &pmjit::kLocalModule;
}
