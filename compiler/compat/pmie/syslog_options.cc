#include "compiler/compat/pmie/statement_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>
#include <string_view>

namespace pmjit::pmie {
namespace {

struct Named {
  std::string_view name;
  int number;
};

// As logger(1) names them: syslog(3)'s numbers.
constexpr Named kPriorities[] = {
    {"emerg", 0},   {"panic", 0}, {"alert", 1},  {"crit", 2}, {"err", 3},   {"error", 3},
    {"warning", 4}, {"warn", 4},  {"notice", 5}, {"info", 6}, {"debug", 7}, {"none", 16},
};
constexpr Named kFacilities[] = {
    {"kern", 0 << 3},    {"user", 1 << 3},     {"mail", 2 << 3},    {"daemon", 3 << 3},
    {"auth", 4 << 3},    {"security", 4 << 3}, {"syslog", 5 << 3},  {"lpr", 6 << 3},
    {"news", 7 << 3},    {"uucp", 8 << 3},     {"cron", 9 << 3},    {"authpriv", 10 << 3},
    {"ftp", 11 << 3},    {"local0", 16 << 3},  {"local1", 17 << 3}, {"local2", 18 << 3},
    {"local3", 19 << 3}, {"local4", 20 << 3},  {"local5", 21 << 3}, {"local6", 22 << 3},
    {"local7", 23 << 3}, {"mark", 24 << 3},
};
constexpr int kNotice = 5, kPriorityBits = 7, kFacilityBits = 0x3f8;

template <size_t n>
std::optional<int> find(const Named (&table)[n], std::string_view name) {
  const auto same = [name](const Named& named) {
    return std::ranges::equal(named.name, name, {}, {}, [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
  };
  const auto* found = std::ranges::find_if(table, same);
  if (found != std::end(table)) return found->number;
  if (name.empty() || name.front() < '0' || name.front() > '9') return std::nullopt;
  return static_cast<int>(std::strtol(std::string(name).c_str(), nullptr, 10));
}

std::string_view skip_blanks(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return text;
}

class SyslogOptions {
 public:
  SyslogOptions(PmieNode& action, const std::function<void(const std::string&)>& warn)
      : action_(action), warn_(warn) {}

  void read() {
    action_.syslog_priority = kNotice;
    action_.syslog_tag = "pcp-pmie";
    size_t at = 0;
    auto& arguments = action_.arguments;
    while (at < arguments.size()) {
      const std::string_view argument = arguments[at];
      const bool priority = !has_priority_ && argument.starts_with("-p");
      const bool tag = !has_tag_ && argument.starts_with("-t");
      if (!priority && !tag) break;
      (priority ? has_priority_ : has_tag_) = true;
      std::string value(skip_blanks(argument.substr(2)));
      if (value.empty()) {
        if (++at == arguments.size()) {
          warn_(priority ? "Missing [facility.]priority after -p in syslog action"
                         : "Missing tag after -t in syslog action");
          break;
        }
        value = skip_blanks(arguments[at]);
      }
      ++at;
      if (priority)
        set_priority(first_word(value, "-p pri"));
      else
        action_.syslog_tag = first_word(value, "-t tag");
    }
    arguments.erase(arguments.begin(), arguments.begin() + static_cast<ptrdiff_t>(at));
  }

 private:
  std::string first_word(const std::string& value, std::string_view option) {
    const size_t blank = value.find_first_of(" \t");
    if (blank == value.npos) return value;
    warn_(fmt::format("Ignoring extra text ({}) after {} in syslog action", value.substr(blank),
                      option));
    return value.substr(0, blank);
  }

  void set_priority(std::string_view text) {
    int facility = 0;
    if (const size_t point = text.find('.'); point != text.npos) {
      const std::string_view name = text.substr(0, point);
      if (const auto found = find(kFacilities, name))
        facility = *found;
      else
        warn_(fmt::format("Ignoring unknown facility ({}) for -p in syslog action", name));
      text.remove_prefix(point + 1);
    }
    int priority = kNotice;
    if (const auto found = find(kPriorities, text))
      priority = *found;
    else
      warn_(fmt::format("Ignoring unknown priority ({}) for -p in syslog action", text));
    action_.syslog_priority = (facility & kFacilityBits) | (priority & kPriorityBits);
  }

  bool has_priority_ = false, has_tag_ = false;  // each is an option once
  PmieNode& action_;
  const std::function<void(const std::string&)>& warn_;
};

}  // namespace

void read_syslog_options(PmieNode& action, const std::function<void(const std::string&)>& warn) {
  SyslogOptions(action, warn).read();
}

}  // namespace pmjit::pmie
