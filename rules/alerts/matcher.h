// Matcher: a condition on one label, as Alertmanager's. Source: spec alerting.md §9.
//
//   group="web"   role!="replica"   host=~"web[0-9]+"   site!~"fra.*"
//
//   const auto matcher = read_matcher(R"(role=~"db|cache")");
//   if (!matcher) complain(matcher.error());
//   matcher->matches(labels)          // a label that is not there is the empty text
//
// Expressions are POSIX extended ones and match the whole value.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>

#include "rules/alerts/alert_labels.h"
#include "runtime/base/pattern.h"

namespace pmjit {

class Matcher {
 public:
  enum class Sign : uint8_t { equal, differs, like, unlike };

  // `value` is an expression that pattern_error() accepts, where the sign is like or unlike.
  Matcher(std::string name, Sign sign, std::string value);

  [[nodiscard]] bool matches(const AlertLabels& labels) const;
  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Sign sign() const { return sign_; }
  [[nodiscard]] const std::string& value() const { return value_; }
  [[nodiscard]] std::string text() const;  // which reads back

 private:
  std::string name_, value_;
  Sign sign_;
  Pattern pattern_;  // of like and unlike
};

struct MatcherProblem {
  size_t offset = 0;  // of the byte that is wrong; the length: the end is
  std::string what, help;
};

// The value stands in double quotes, with \" \\ and \n in it; without quotes it ends the text.
[[nodiscard]] std::expected<Matcher, MatcherProblem> read_matcher(std::string_view text);

// All of them; without any, every label set.
[[nodiscard]] bool matches_all(std::span<const Matcher> matchers, const AlertLabels& labels);

}  // namespace pmjit
