// Definition files of derived metrics as libpcp reads them: names and expressions into the
// registry, mistakes to whoever listens. Source: spec derived-metrics.md §6.
//
//   ConfigLoader loader(registry, controls, say);
//   loader.load("/etc/pcp/derived:my.conf", Missing::refused);
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "compiler/compat/registry/file_dialect.h"
#include "compiler/compat/registry/registry.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

// The settings of the facility: $PCP_DERIVED_CONTROL and `#control` lines (pcp7). Source: spec
// derived-metrics.md §7.4.
class Controls {
 public:
  using Sink = std::function<void(std::string_view)>;
  Controls(Registry& registry, const Sink& say) : registry_(registry), say_(say) {}

  // What $PCP_DERIVED_CONTROL says holds against every later setting.
  void read_environment(std::string_view settings);
  // A line that starts with #; anything but #control is a comment. `place` is "[FILE:LINE] ".
  void read_comment(std::string_view line, const std::string& place);

 private:
  struct Where {
    std::string warning, error;  // what messages start with
    bool fixed = false;          // from the environment
  };
  void read(std::string_view settings, const Where& where);
  // Why not; empty: done.
  [[nodiscard]] std::string set(size_t control, int value, bool fixed);

  Registry& registry_;
  const Sink& say_;
  std::set<size_t> fixed_;
  bool debug_[3] = {};
  int context_limit_ = -1;
};

// Parts of a path that cannot be read.
enum class Missing : uint8_t { skipped, refused };

class ConfigLoader {
 public:
  using Sink = std::function<void(std::string_view)>;
  // Which dialect a file is in, and who reads those that are in strict (null: nobody).
  struct Dialects {
    DialectChoice choice{};
    StrictFiles* strict = nullptr;
    bool for_pmjit = false;  // DeriveOptions
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
  [[nodiscard]] OrPmError<int> load_pipe(const std::string& path);
  [[nodiscard]] OrPmError<int> load_folder(const std::string& path, Missing missing);

  Registry& registry_;
  Controls& controls_;
  Dialects dialects_;
  const Sink& say_;
  std::set<std::string> texts_;  // those that have been read: a copy defines nothing new
};

}  // namespace pmjit
