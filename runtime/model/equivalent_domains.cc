#include "runtime/model/equivalent_domains.h"

#include <algorithm>
#include <charconv>
#include <ranges>

namespace pmjit {

namespace {

constexpr uint32_t kSerialBits = 22, kDomainMask = 0x1ff;
constexpr uint32_t serial_of(InDomId indom) { return indom & ((1u << kSerialBits) - 1); }
constexpr uint32_t domain_of(InDomId indom) { return (indom >> kSerialBits) & kDomainMask; }

constexpr std::string_view kBlanks = " \t\r\f\v";

}  // namespace

EquivalentDomains EquivalentDomains::read(std::string_view text) {
  EquivalentDomains out;
  for (const auto part : std::views::split(text, '\n')) {
    std::string_view rest(part.begin(), part.end());
    rest = rest.substr(0, rest.find('#'));
    Line line;
    while (true) {
      rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
      if (rest.empty()) break;
      const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
      if (const auto one = word_of(word)) line.push_back(*one);
      rest.remove_prefix(word.size());
    }
    if (!line.empty()) out.lines_.push_back(std::move(line));
  }
  return out;
}

std::optional<EquivalentDomains::Word> EquivalentDomains::word_of(std::string_view text) {
  if (text.ends_with(".*")) {
    const std::string any(text.substr(0, text.size() - 1));
    const auto indom = indom_from_text(any + "0");
    if (!indom) return std::nullopt;
    return Word{.domain = domain_of(*indom), .serial = {}};
  }
  const auto indom = indom_from_text(text);
  if (!indom) return std::nullopt;
  return Word{.domain = domain_of(*indom), .serial = serial_of(*indom)};
}

bool EquivalentDomains::has(const Line& line, InDomId indom) {
  return std::ranges::any_of(line, [&](const Word& word) {
    return word.domain == domain_of(indom) &&
           word.serial.value_or(serial_of(indom)) == serial_of(indom);
  });
}

bool EquivalentDomains::equivalent(InDomId a, InDomId b) const {
  return std::ranges::any_of(lines_,
                             [&](const Line& line) { return has(line, a) && has(line, b); });
}

}  // namespace pmjit
