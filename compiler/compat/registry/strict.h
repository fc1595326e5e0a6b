// Definition files in the strict dialect. Names, identifiers and texts of their metrics are in the
// registry like all others; what they mean knows whoever stands behind this interface
// (compiler/driver/strict_files). Source: spec dialects.md §2.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compiler/diag/diag.h"
#include "runtime/client/deriver.h"
#include "runtime/model/catalog.h"

namespace pmjit {

struct StrictDefinition {
  std::string name;
  uint32_t line = 0;  // in its file
  std::optional<std::string> one_line{}, help{};
};

// A metric of such a file in one context.
class StrictMetric {
 public:
  virtual ~StrictMetric() = default;
  [[nodiscard]] virtual const Desc& desc() const = 0;  // but for its identifier
  [[nodiscard]] virtual std::span<const PmId> operands() = 0;
  // What is known of it after a fetch; its history are the fetches that it was evaluated for. The
  // values live until the next evaluation; a second one for the same fetch (`number`) is the first.
  virtual void evaluate(const Fetched& fetched, uint64_t number, FetchedSet& out) = 0;
};

// The files as one context sees them.
class StrictContext {
 public:
  virtual ~StrictContext() = default;
  // Null: something is wrong in this context with its file or one whose metrics that uses, and has
  // been told; each thing once, whoever asks.
  [[nodiscard]] virtual std::unique_ptr<StrictMetric> bind(
      const std::string& name, const std::function<void(std::string_view)>& say) = 0;
};

class StrictFiles {
 public:
  using Sink = std::function<void(std::string_view)>;
  virtual ~StrictFiles() = default;
  // What a file would define. None: it has a mistake, which has been told.
  [[nodiscard]] virtual std::optional<std::vector<StrictDefinition>> read(const SourceText& file,
                                                                          const Sink& say) = 0;
  // A file, strict or of the process's compatible dialect: strict definitions may use its metrics.
  virtual void keep(const SourceText& file) = 0;
  // This and `recorded` outlive it; files that are read later are seen. `equivalent`: domains that
  // meet, for all contexts.
  [[nodiscard]] virtual std::unique_ptr<StrictContext> attach(
      Context& recorded, const EquivalentDomains& equivalent) = 0;
};

}  // namespace pmjit
