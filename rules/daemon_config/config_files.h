// ConfigFiles: the files that a configuration is read from, so that tests and fuzzers read others.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

class ConfigFiles {
 public:
  virtual ~ConfigFiles() = default;
  // All of it, at most `bytes_max`.
  [[nodiscard]] virtual Result<std::string> read(const std::string& path,
                                                 size_t bytes_max) const = 0;
  [[nodiscard]] virtual bool can_read(const std::string& path) const = 0;
  // Of a file or folder, or where there is none yet, of the folder that it is to be in.
  [[nodiscard]] virtual bool can_write(const std::string& path) const = 0;
  [[nodiscard]] virtual bool can_run(const std::string& program) const = 0;
  // The files that match, in the order of their bytes.
  [[nodiscard]] virtual std::vector<std::string> matching(const std::string& pattern) const = 0;

 protected:
  ConfigFiles() = default;
  ConfigFiles(const ConfigFiles&) = default;
  ConfigFiles& operator=(const ConfigFiles&) = default;
};

// Those of the system.
class SystemConfigFiles final : public ConfigFiles {
 public:
  [[nodiscard]] Result<std::string> read(const std::string& path, size_t bytes_max) const override;
  [[nodiscard]] bool can_read(const std::string& path) const override;
  [[nodiscard]] bool can_write(const std::string& path) const override;
  [[nodiscard]] bool can_run(const std::string& program) const override;
  [[nodiscard]] std::vector<std::string> matching(const std::string& pattern) const override;
};

// Does the path have one of * ? [ ?
[[nodiscard]] bool is_glob(std::string_view path);
// `path` as seen from the folder of `file`.
[[nodiscard]] std::string beside(const std::string& file, const std::string& path);

}  // namespace pmjit
