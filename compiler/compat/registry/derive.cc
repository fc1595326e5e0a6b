#include "compiler/compat/registry/derive.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "compiler/compat/definitions/tokens.h"
#include "compiler/compat/registry/config.h"
#include "compiler/compat/registry/context_deriver.h"
#include "runtime/base/installed.h"

namespace pmjit {

namespace {

// Where PCP's packages put definitions that hold for everybody.
std::string installed_definitions() {
  return fmt::format("{}/config/derived", installed("PCP_VAR_DIR", "/var/lib/pcp"));
}

DialectChoice choice_of(const DeriveOptions& options) {
  if (options.for_all) return DialectChoice::compatible(options.dialect);
  DialectChoice out;
  out.otherwise = options.dialect;
  return out;
}

class Metrics final : public DerivedMetrics {
 public:
  Metrics(const DeriveOptions& options, std::unique_ptr<StrictFiles> strict)
      : strict_(std::move(strict)),
        registry_(options.dialect, options.dialect == Dialect::pcp6),
        loader_(
            registry_, controls_,
            {.choice = choice_of(options), .strict = strict_.get(), .for_pmjit = options.for_pmjit},
            say_) {}

  void tell(std::function<void(std::string_view)> sink) override { say_ = std::move(sink); }
  void begin() override;
  OrPmError<int> load(const std::string& path) override;
  [[nodiscard]] ExtraUnits extra_units() const override {
    return pcp::extra_units_of(registry_.dialect());
  }
  std::optional<DefinitionRefusal> define(std::string_view name,
                                          std::string_view expression) override;
  [[nodiscard]] OrPmError<PmId> look_up(std::string_view name) const override {
    const DerivedMetric* metric = registry_.find(name);
    return metric == nullptr ? pm_fail(pm_err::E_NAME) : OrPmError<PmId>(metric->pmid);
  }
  [[nodiscard]] const std::string& last_message() const override {
    return registry_.last_message();
  }
  bool remove(std::string_view name) override { return registry_.remove(name); }
  OrPmError<void> add_text(std::string_view name, TextKind kind, std::string_view text) override {
    DerivedMetric* metric = registry_.find_to_change(name);
    if (metric == nullptr) return pm_fail(pm_err::E_NAME);
    return pmjit::add_text(*metric, kind, text);
  }
  [[nodiscard]] int limit() const override { return registry_.limit; }
  void set_limit(int limit) override { registry_.limit = limit; }
  std::unique_ptr<Deriver> attach(Context& source) override;

 private:
  void load_environment();

  std::function<void(std::string_view)> say_ = [](std::string_view) {};
  std::unique_ptr<StrictFiles> strict_;
  Registry registry_;
  Controls controls_{registry_, say_};
  ConfigLoader loader_;
  bool begun_ = false, environment_loaded_ = false;
};

// 7.x loads the environment's definitions with the first context, 6.x at once: there they win.
void Metrics::begin() {
  if (begun_) return;  // read alone: contexts of several threads are attached at once
  begun_ = true;
  registry_.equivalent_domains = installed_equivalences();
  registry_.add_always_there();
  if (registry_.dialect() == Dialect::pcp6) return load_environment();
  const char* settings = std::getenv("PCP_DERIVED_CONTROL");
  if (settings != nullptr) controls_.read_environment(settings);
}

void Metrics::load_environment() {
  if (environment_loaded_) return;
  environment_loaded_ = true;
  const char* path = std::getenv("PCP_DERIVED_CONFIG");
  (void)loader_.load(path != nullptr ? path : installed_definitions(), Missing::skipped);
}

OrPmError<int> Metrics::load(const std::string& path) {
  begin();
  return loader_.load(path, Missing::refused);
}

std::optional<DefinitionRefusal> Metrics::define(std::string_view name,
                                                 std::string_view expression) {
  const bool room = !registry_.no_room_for(name, 0);
  auto wrong = registry_.add(name, expression);
  if (!wrong) return std::nullopt;
  return DefinitionRefusal{
      .kind = room ? DefinitionRefusal::Kind::syntax : DefinitionRefusal::Kind::registration,
      .offset = wrong->offset,
      .message = std::move(wrong->message)};
}

std::unique_ptr<Deriver> Metrics::attach(Context& source) {
  begin();
  load_environment();
  return std::make_unique<ContextDeriver>(registry_, source, strict_.get(), say_);
}

}  // namespace

std::unique_ptr<DerivedMetrics> make_derived_metrics(const DeriveOptions& options,
                                                     std::unique_ptr<StrictFiles> strict) {
  return std::make_unique<Metrics>(options, std::move(strict));
}

EquivalentDomains installed_equivalences() {
  const char* path = std::getenv("PCP_INDOM_CONFIG");
  std::ifstream file(
      path != nullptr ? path : fmt::format("{}/pcp/indom.conf", installed("PCP_ETC_DIR", "/etc")));
  std::ostringstream text;
  text << file.rdbuf();
  return EquivalentDomains::read(text.view());
}

}  // namespace pmjit
