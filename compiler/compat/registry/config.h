// Definition files of derived metrics as libpcp reads them: names and expressions into the
// registry, mistakes to whoever listens. Source: spec derived-metrics.md §6.
//
//   ConfigLoader loader(registry, controls, say);
//   loader.load("/etc/pcp/derived:my.conf", Missing::refused);
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/compat/registry/controls.h"
#include "compiler/compat/registry/file_dialect.h"
#include "compiler/compat/registry/registry.h"
#include "runtime/model/pm_error.h"

namespace pmjit {

// Parts of a path that cannot be read.
enum class Missing : uint8_t { skipped, refused };

class ConfigLoader {
 public:
  using Sink = std::function<void(std::string_view)>;
  // Which dialect a file is in, and who reads those that are in strict (null: nobody).
  struct Dialects {
    DialectChoice choice{};
    StrictFiles* strict = nullptr;
  };
  ConfigLoader(Registry& registry, Controls& controls, const Dialects& dialects, const Sink& say)
      : registry_(registry), controls_(controls), dialects_(dialects), say_(say) {}

  // Files and folders between colons. The number of metrics defined, or a negative errno.
  [[nodiscard]] OrPmError<int> load(const std::string& path, Missing missing);

 private:
  [[nodiscard]] OrPmError<int> load_part(const std::string& path, Missing missing);
  // The number of metrics defined in a file.
  [[nodiscard]] int load_text(const SourceText& file);
  [[nodiscard]] int load_strict(const SourceText& file);
  [[nodiscard]] int refuse(const SourceText& file, const std::string& why);
  [[nodiscard]] OrPmError<int> load_folder(const std::string& path, Missing missing);

  Registry& registry_;
  Controls& controls_;
  Dialects dialects_;
  const Sink& say_;
};

}  // namespace pmjit
