// Strict rules under the name pmie: read, checked and run over archives.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/cmd/definitions.h"
#include "rules/cmd/rule_files.h"
#include "rules/compat/value_report.h"
#include "rules/strict/rule_set.h"
#include "runtime/model/stamp.h"
#include "runtime/text/zone.h"

namespace pmjit::pmie {

class StrictSession {
 public:
  // What is wrong goes to `complain`, whole lines.
  explicit StrictSession(std::function<void(std::string_view)> complain)
      : complain_(std::move(complain)) {}

  // A file more. False: it has mistakes, which were told.
  [[nodiscard]] bool read(const RuleFileText& file, double delta);
  [[nodiscard]] bool any() const { return !set_.sources.empty(); }
  [[nodiscard]] bool has_stomp() const;

  struct ReplayWindow {
    std::vector<std::string> archives;
    Stamp origin, end;
    Verbose verbose = Verbose::off;
    Zone zone{};
  };
  // Are they right for these archives? False: it was told why not.
  [[nodiscard]] bool check(const ReplayWindow& window);
  [[nodiscard]] bool run(const ReplayWindow& window, std::function<void(std::string_view)> put);

 private:
  struct Opened;
  [[nodiscard]] std::optional<Opened> open(const ReplayWindow& window);

  std::function<void(std::string_view)> complain_;
  strict::RuleSet set_;
};

}  // namespace pmjit::pmie
