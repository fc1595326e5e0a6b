// What a file of text holds, found in the text itself: rules, definitions, tests, a configuration,
// or what belongs to another program. A name decides only where texts may be of any kind:
//
//   if (what_holds("my.pmie", text) == Holds::prometheus) …  // groups: of alerts, in YAML
//
// What is said of a file of another kind is in text_file.cc.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace pmjit {

enum class Holds : uint8_t {
  unknown,
  rules,
  other_case,  // made of sections, and no test of rules
  definitions,
  tests,
  configuration,
  report,
  ini,
  toml,        // of another program
  prometheus,  // rules of it, in YAML
  control      // which starts pmie or pmlogger
};

[[nodiscard]] Holds what_holds(const std::string& path, const std::string& text);
// What a file of other programs is, by its name or how it begins. Empty: it may be what is wanted.
[[nodiscard]] std::string_view other_format(const std::string& path, std::string_view text);

// By its name, the comment that begins it, or an action.
[[nodiscard]] bool holds_rules(const std::string& path, std::string_view text);
// Does one of the lines look like a definition? Of a few lines each has its own message.
[[nodiscard]] bool may_define(std::string_view text);
// Is it TOML, as the daemon's configuration is?
[[nodiscard]] bool holds_configuration(std::string_view text);
// Tables, and none that a daemon's configuration has, nor a slip of one.
[[nodiscard]] bool holds_other_toml(std::string_view text);
// Is it a report of `eval -p`?
[[nodiscard]] bool holds_report(std::string_view text);
// What nearly is the line `#: run: rules` of a test. "": there is none.
[[nodiscard]] std::string_view run_line(std::string_view text);
// A test of rules whose line `#: run: rules` has a slip, or is not there.
[[nodiscard]] bool is_meant_for_rule_test(std::string_view text);

}  // namespace pmjit
