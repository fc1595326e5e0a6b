// CollectorFiles: pmcd.conf, its file of access statements and the name space, as a collector reads
// them: at its start, and again when it is asked to. What has not changed is not read again.
//
//   CollectorFiles files({.config = path, .names = "/var/lib/pcp/pmns/root"});
//   CollectorSetup first = files.read();
//   if (!files.good()) …                        // why not is in first.log
//   options.setup = [&] { return files.read(); }
#pragma once

#include <ctime>
#include <optional>
#include <string>

#include "agent/collector/collector_server.h"
#include "runtime/pmns/name_space_file.h"

namespace pmjit {

struct CollectorPaths {
  std::string config;
  std::string names{};  // empty: those of the agents in the process alone
  SameMetric same = SameMetric::allowed;
};

class CollectorFiles {
 public:
  explicit CollectorFiles(CollectorPaths paths) : paths_(std::move(paths)) {}

  [[nodiscard]] CollectorSetup read();
  // Of the last read.
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] size_t agents() const { return agents_; }

 private:
  // When a file was changed last; none: it is not there.
  using FileTime = std::optional<std::pair<time_t, long>>;

  [[nodiscard]] static FileTime time_of(const std::string& path);
  void read_config(CollectorSetup& out);
  void read_names(CollectorSetup& out);

  CollectorPaths paths_;
  FileTime config_time_, access_time_, names_time_;
  bool good_ = true, has_read_ = false;
  size_t agents_ = 0;
};

}  // namespace pmjit
