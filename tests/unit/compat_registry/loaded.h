// Definitions from text, with what is said about them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "compiler/compat/registry/config.h"
#include "compiler/compat/registry/config_file.h"
#include "compiler/compat/registry/registry.h"

namespace pmjit::test {

struct Loaded {
  explicit Loaded(Dialect dialect = Dialect::pcp6) : registry(dialect) {}
  // A file F: the number of metrics that it defines.
  int read(std::string_view text) { return ConfigFile("F", text, registry, controls, say).read(); }
  [[nodiscard]] std::string said() { return std::exchange(told, ""); }

  std::string told;
  std::function<void(std::string_view)> say = [this](std::string_view text) { told += text; };
  Registry registry;
  Controls controls{registry, say};
  ConfigLoader loader{registry, controls, {}, say};
};

}  // namespace pmjit::test
