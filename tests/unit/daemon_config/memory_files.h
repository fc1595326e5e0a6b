// Configurations in memory, and what is wrong with them as lines.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rules/daemon_config/read_config.h"

namespace pmjit {

class MemoryFiles final : public ConfigFiles {
 public:
  MemoryFiles() = default;
  explicit MemoryFiles(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  [[nodiscard]] Result<std::string> read(const std::string& path, size_t bytes_max) const override;
  [[nodiscard]] bool can_read(const std::string& path) const override;
  // All but what is below /run/gone.
  [[nodiscard]] bool can_write(const std::string& path) const override {
    return !path.starts_with("/run/gone/");
  }
  [[nodiscard]] bool can_run(const std::string& program) const override {
    return !program.starts_with("/run/gone/");
  }
  [[nodiscard]] std::vector<std::string> matching(const std::string& pattern) const override;

 private:
  std::map<std::string, std::string> files_;
};

// "C03 pmjit.toml:9:1 unknown key `timout` | [fetch] has `timeout`": a line a problem.
[[nodiscard]] std::string problem_lines(const ConfigProblems& problems);

// The text as pmjit.toml, alone.
[[nodiscard]] ConfigRead read_text(const std::string& text);
[[nodiscard]] std::string problems_of(const std::string& text);

}  // namespace pmjit
