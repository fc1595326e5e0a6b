// StatsFile: the statistics of a live pmie, which the agent pmcd serves. The file bears the number
// of the process; readers see each change at once. Source: spec rules-language.md §23.
//
//   StatsFile stats({.config = "/etc/rules", .log = "<none>", .rules = 3, .expected = 0.3});
//   stats.set_host("web1");
//   stats.set({.actions = 4, .yes = 4, .evaluations = 12});
#pragma once

#include <cstdint>
#include <string>

namespace pmjit::pmie {

struct StatsAbout {
  std::string config;  // the first rule file, in full, or `<stdin>`
  std::string log;     // in full, or `<none>`
  uint32_t rules = 0;
  float expected = 0;  // evaluations of statements, per second
};

struct StatsCounts {
  uint32_t actions = 0, yes = 0, no = 0, unknown = 0, evaluations = 0;
};

class StatsFile {
 public:
  // In $PCP_TMP_DIR/pmie; where that cannot be written there is none, which is no mistake. Files of
  // processes that are gone are taken away.
  explicit StatsFile(const StatsAbout& about);
  ~StatsFile();  // takes it away
  StatsFile(const StatsFile&) = delete;
  StatsFile& operator=(const StatsFile&) = delete;

  void set_host(const std::string& host);
  void set(const StatsCounts& counts);

 private:
  void put_text(size_t offset, size_t room, const std::string& text);
  template <class T>
  void put_number(size_t offset, T number);

  std::string path_;
  void* mapped_ = nullptr;  // null: there is none
};

}  // namespace pmjit::pmie
