// Definitions: the derived metrics of a run of rules, those of the environment and of -c. Rules of
// pmie take them by name, from contexts; those of the strict dialect as texts, from the compiler.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/compat/registry/derive.h"
#include "compiler/diag/diag.h"
#include "runtime/base/result.h"
#include "runtime/model/catalog.h"

namespace pmjit {

class Definitions {
 public:
  using Sink = std::function<void(std::string_view)>;
  // What is wrong with definitions goes to `say`. A failure: a file cannot be read.
  [[nodiscard]] static Result<Definitions> load(const std::vector<std::string>& files, Sink say);

  [[nodiscard]] DerivedMetrics& metrics() { return *metrics_; }
  // The files that were taken, in the order of their reading.
  [[nodiscard]] const std::vector<SourceText>& texts() const { return *texts_; }
  // Something was wrong with them: what has an error is left out.
  [[nodiscard]] bool mistaken() const { return mistaken_; }
  // Of the metrics that they define.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  explicit Definitions(Sink say);

  std::unique_ptr<std::vector<SourceText>> texts_;
  std::unique_ptr<DerivedMetrics> metrics_;
  bool mistaken_ = false;
};

// For messages: the names of a source's metrics, with those that definitions add.
class NamesWithDefined final : public CatalogOver {
 public:
  // `recorded` outlives it.
  NamesWithDefined(const Catalog& recorded, const Definitions& definitions)
      : CatalogOver(recorded), defined_(definitions.names()) {}

  [[nodiscard]] std::vector<std::string> leaves(std::string_view prefix) const override;

 private:
  std::vector<std::string> defined_;
};

}  // namespace pmjit
