// pmie -d: commands of one letter, once the files of the command line are read. Source: spec
// rules-language.md §21.
#pragma once

#include <string>

#include "rules/cmd/pmie_session.h"

namespace pmjit::pmie {

class Interactive {
 public:
  explicit Interactive(PmieSession& session)
      : session_(session), start_(session.origin()), seconds_(session.end() - session.start()) {}
  // Until q or the end of standard input. The exit status.
  [[nodiscard]] int run();

 private:
  enum class After : uint8_t { go_on, quit, give_up };

  [[nodiscard]] After obey(char command, const std::string& argument);
  void list_statements(const std::string& name);
  void list_bindings(const std::string& name);
  [[nodiscard]] bool run_rules(const std::string& interval);
  void set_start(const std::string& text);
  void set_interval(const std::string& text);
  [[nodiscard]] bool take_seconds(const std::string& interval);

  PmieSession& session_;
  Stamp start_;     // S counts from it
  double seconds_;  // how long r runs: as the window, or as T or r said last
};

}  // namespace pmjit::pmie
