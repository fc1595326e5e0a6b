// ConfigProblems: what is wrong with a configuration, where, and what to do about it. A place may
// be in the main file, one that it includes, a hosts file, an environment variable or a --set: each
// is a SourceText.
//
//   const uint32_t source = problems.add_source({.name = path, .text = text});
//   problems.add(ProblemCode::unknown_key, {source, span}, "timout").help("[fetch] has `timeout`");
//   problems.text()
//
//   error[C03]: unknown key `timout`
//     --> pmjit.toml:9:1
//      |
//    9 | timout = "3s"
//      | ^^^^^^
//      = help: [fetch] has `timeout`
#pragma once

#include <cstdint>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/diag/diag.h"

namespace pmjit {

struct ConfigPlace {
  uint32_t source = 0;  // of ConfigProblems::source()
  Span span{};

  friend bool operator==(const ConfigPlace&, const ConfigPlace&) = default;
};

enum class ProblemCode : uint8_t {
#define PROBLEM(name, code, severity, text) name,
#include "rules/daemon_config/problems.def"
#undef PROBLEM
};
[[nodiscard]] std::string_view problem_code_text(ProblemCode code);  // "C03"

struct ConfigProblem {
  ProblemCode code;
  Severity severity;
  ConfigPlace place;
  std::string message;
  std::vector<std::string> helps{};
  std::string detail{};  // diagnostics of their own that follow, whole lines

  ConfigProblem& help(std::string text);
};

class ConfigProblems {
 public:
  [[nodiscard]] uint32_t add_source(SourceText source);
  [[nodiscard]] const SourceText& source(uint32_t id) const { return sources_[id]; }

  // The row's text with {} replaced, in order. The reference stays valid.
  template <class... Args>
  ConfigProblem& add(ProblemCode code, ConfigPlace place, const Args&... args) {
    return add_with(code, place, {std::string(std::string_view(args))...});
  }

  [[nodiscard]] bool has_errors() const;
  [[nodiscard]] const std::deque<ConfigProblem>& all() const { return problems_; }
  // "conf.d/a.toml:3:1"
  [[nodiscard]] std::string place_text(ConfigPlace place) const;
  // By source and place; the first 50 errors and as many warnings, and how many are left out.
  [[nodiscard]] std::string text() const;

 private:
  ConfigProblem& add_with(ProblemCode code, ConfigPlace place, std::vector<std::string> args);
  [[nodiscard]] std::string text_of(const ConfigProblem& problem) const;
  // Where the problem stands once more.
  [[nodiscard]] std::string others_text(std::span<const ConfigProblem* const> all, size_t at) const;

  std::deque<SourceText> sources_;
  std::deque<ConfigProblem> problems_;
};

}  // namespace pmjit
