// pmie -d: commands of one letter. Source: spec rules-language.md §21.
#pragma once

#include <string>

#include "rules/cmd/pmie_session.h"

namespace pmjit::pmie {

class Interactive {
 public:
  Interactive(PmieSession& session, Output& out) : session_(session), out_(out) {}
  // Until q or the end of standard input. The exit status.
  [[nodiscard]] int run();

 private:
  enum class After : uint8_t { go_on, quit, give_up };

  [[nodiscard]] After obey(char command, const std::string& argument);
  void put_menu();
  void list_statements(const std::string& name);
  void list_bindings(const std::string& name);
  [[nodiscard]] bool run_rules(const std::string& interval);
  void set_start(const std::string& text);
  void set_interval(const std::string& text);

  PmieSession& session_;
  Output& out_;
  double start_ = 0;
  std::optional<double> interval_;  // of r; none: to the end of the window
};

}  // namespace pmjit::pmie
