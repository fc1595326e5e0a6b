// LocalSession: agents in this process as the tools see them (-L). What they are is in
// runtime/client/local_module.h.
#include <fmt/format.h>

#include "runtime/base/local_host.h"
#include "runtime/client/local_module.h"
#include "runtime/cmd/live_session.h"

namespace pmjit {

namespace {

class LocalSession final : public LiveSession {
 public:
  LocalSession(std::unique_ptr<LocalSource> source, const Options& options, DerivedMetrics& derived)
      : source_(*source) {
    context_ = std::make_unique<DerivedContext>(std::move(source), derived);
    use_zone_of(options);
  }

  [[nodiscard]] std::string host() const override { return local_host_name(); }

 private:
  [[nodiscard]] OrPmError<std::vector<HostLabels>> ask_labels(LabelLevel level,
                                                              uint32_t ident) override {
    return source_.labels(level, ident);
  }

  LocalSource& source_;  // that context_ has
};

}  // namespace

std::unique_ptr<LiveSession> open_local_session(const Options& options, std::string_view no_local,
                                                DerivedMetrics& derived, Messages& messages) {
  const auto module = load_local();
  if (!module) {
    messages.complain(module.error().text());
    return nullptr;
  }
  auto source = (*module)->open({.program = messages.program(),
                                 .container = options.container.value_or(""),
                                 .names = options.name_space.get()});
  if (!source) {
    messages.complain(fmt::format("{}: {}", no_local, pm_error_text(source.error())));
    return nullptr;
  }
  return std::make_unique<LocalSession>(*std::move(source), options, derived);
}

}  // namespace pmjit
