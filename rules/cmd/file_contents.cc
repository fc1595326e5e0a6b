#include "rules/cmd/file_contents.h"

#include <algorithm>
#include <vector>

#include "rules/cmd/rule_files.h"
#include "rules/daemon_config/config_keys.h"
#include "rules/testing/test_file.h"
#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"
#include "runtime/base/near.h"

namespace pmjit {

namespace {

// Each line that is neither blank nor one of definitions' comments; until it says no.
template <class Says>
void each_line(std::string_view text, Says says) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t\r"), line.size()));
    if (line.empty() || line.starts_with('#')) continue;
    if (!says(line)) return;
  }
}

// An arrow with an action behind it.
bool has_action(std::string_view text) {
  bool out = false;
  each_line(text, [&](std::string_view line) {
    const size_t arrow = line.find("->");
    if (arrow == line.npos) return true;
    line.remove_prefix(arrow + 2);
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    for (const std::string_view action : {"print", "syslog", "shell", "alarm", "stomp"}) {
      out = out || line.starts_with(action);
    }
    return !out;
  });
  return out;
}

// a.metric = …, or one of its help texts: a.metric(oneline) = …
bool begins_with_definition(std::string_view text) {
  bool out = false;
  each_line(text, [&](std::string_view line) {
    const std::string_view name = line.substr(0, line.find_first_of(" \t=("));
    std::string_view rest = line.substr(name.size());
    const size_t sign = rest.find('=');
    const bool has_more = sign != rest.npos && rest.find_first_not_of(" \t=", sign) != rest.npos;
    out = has_more && name.contains('.') && !name.contains('"');
    return false;
  });
  return out;
}

// Files that users have beside theirs. By the end of the name, for texts may be of any kind.
struct OtherFormat {
  std::string_view end, what;
};
constexpr OtherFormat kOtherFormats[] = {
    {".md", "a text in Markdown"},  {".rst", "a text in reStructuredText"},
    {".html", "a page in HTML"},    {".xml", "a file in XML"},
    {".svg", "a picture in SVG"},   {".json", "data in JSON"},
    {".csv", "data in CSV"},        {".tsv", "data in TSV"},
    {".py", "a program in Python"}, {".sh", "a script of the shell"}};

// --- samples every 10s
bool has_sections(std::string_view text) {
  constexpr std::string_view kSections[] = {"metrics", "samples", "rules", "expect"};
  bool out = false;
  each_line(text, [&](std::string_view line) {
    if (!line.starts_with("--- ")) return true;
    line.remove_prefix(4);
    out = std::ranges::find(kSections, line.substr(0, line.find_first_of(" \t\r"))) !=
          std::end(kSections);
    return !out;
  });
  return out;
}

// groups:, and rules of them: - alert: NAME
bool holds_prometheus(std::string_view text) {
  bool first = true, groups = false, rules = false;
  each_line(text, [&](std::string_view line) {
    if (line.starts_with("---") && first) return true;
    groups = groups || (first && line.starts_with("groups:"));
    first = false;
    rules =
        line.starts_with("- alert:") || line.starts_with("- record:") || line.starts_with("rules:");
    return groups && !rules;
  });
  return groups && rules;
}

std::string_view first_line(std::string_view text) {
  std::string_view out;
  each_line(text, [&](std::string_view line) {
    out = line;
    return false;
  });
  return out;
}

// A file with [sections] and none of a daemon's, as pmrep's configuration.
bool holds_ini(const std::string& path, std::string_view text) {
  bool of_daemon = path.ends_with(".toml");
  bool begins = false;
  each_line(text, [&](std::string_view line) {
    begins = begins || line.starts_with('[');
    of_daemon = of_daemon || line.starts_with("[[") || line.starts_with("[daemon]") ||
                line.starts_with("[http]") || line.starts_with("[log]");
    return begins && !of_daemon;
  });
  return begins && !of_daemon;
}

// what = "CPU": no statement of rules, which ends in a semicolon.
bool is_report_key(std::string_view line) {
  constexpr std::string_view kKeys[] = {"what", "rows", "title", "description", "header", "expr"};
  const size_t sign = line.find('=');
  if (sign == line.npos || line.contains(';') || line.contains("->")) return false;
  const std::string_view key = without_blanks(line.substr(0, sign));
  const size_t value = line.find_first_not_of(" \t", sign + 1);
  const bool is_text = value != line.npos && (line[value] == '"' || line[value] == '\'');
  return is_text && std::ranges::count(kKeys, key) != 0;
}

}  // namespace

Holds what_holds(const std::string& path, const std::string& text) {
  if (holds_report(text)) return Holds::report;
  if (holds_configuration(text)) {
    if (holds_ini(path, text)) return Holds::ini;
    return holds_other_toml(text) ? Holds::toml : Holds::configuration;
  }
  if (first_line(text).starts_with("$version=")) return Holds::control;
  if (!path.ends_with(".pmie") && holds_prometheus(text)) return Holds::prometheus;
  if (is_rule_test(text)) return Holds::tests;
  if (has_sections(text)) return Holds::other_case;
  if (holds_rules(path, text)) return Holds::rules;
  const bool has_help = text.contains("(oneline)") || text.contains("(helptext)");
  const bool is_open = text.contains(';') || text.contains("->");
  return begins_with_definition(text) && (has_help || !is_open) ? Holds::definitions
                                                                : Holds::unknown;
}

std::string_view other_format(const std::string& path, std::string_view text) {
  for (const OtherFormat& format : kOtherFormats) {
    if (path.ends_with(format.end)) return format.what;
  }
  const size_t first = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  text.remove_prefix(first);
  if (text.starts_with("<!") || text.starts_with("<?xml") || text.starts_with("<html")) {
    return "a page in HTML or XML";
  }
  if (text.empty() || (text.front() != '{' && text.front() != '[')) return {};
  const size_t second = text.find_first_not_of(" \t\r\n", 1);
  const char next = second == text.npos ? ' ' : text[second];
  const bool object = text.front() == '{' && (next == '"' || next == '}');
  const bool list = text.front() == '[' && (next == '{' || next == '"');
  return object || list ? "data in JSON" : std::string_view();
}

bool holds_rules(const std::string& path, std::string_view text) {
  // Definitions with comments of rules are still definitions, and so is what a pipe has without
  // any sign of rules.
  const bool has_statements = text.contains("->") || text.contains(';');
  if (!path.ends_with(".pmie") && !has_statements) return false;
  return is_rule_text({.name = path, .text = std::string(text)}) || has_action(text);
}

// [section] or [[hosts]] stands alone in the first line, or `include = …`; no rule begins so.
bool holds_configuration(std::string_view text) {
  bool out = false;
  each_line(text, [&](std::string_view line) {
    const std::string_view rest = line.substr(std::min(line.find_last_of(']'), line.size()));
    const size_t behind = rest.find_first_not_of("] \t\r");
    const bool ends = !rest.empty() && (behind == rest.npos || rest[behind] == '#');
    constexpr std::string_view kInclude = "include";
    const size_t sign = line.find_first_not_of(" \t", kInclude.size());
    const bool includes = line.starts_with(kInclude) && sign != line.npos && line[sign] == '=';
    out = includes || (line.starts_with('[') && ends);
    return false;
  });
  return out;
}

bool may_define(std::string_view text) {
  if (text.contains("pmjit: dialect=")) return true;
  constexpr size_t kFewLines = 5;
  size_t lines = 0;
  bool found = false;
  each_line(text, [&](std::string_view line) {
    ++lines;
    const size_t sign = line.find('=');
    const std::string_view name = line.substr(0, std::min(sign, line.find_first_of(" \t(")));
    found = sign != line.npos && !name.empty() && name.find_first_of("\"<>;,:") == name.npos;
    return !found;
  });
  return found || lines <= kFewLines;
}

bool holds_other_toml(std::string_view text) {
  std::vector<std::string> known = {"column"};  // that of a report
  for (const ConfigSection& section : config_sections()) known.emplace_back(section.name);
  bool any = false, of_daemon = false;
  each_line(text, [&](std::string_view line) {
    of_daemon = of_daemon || line.starts_with("include");
    if (!line.starts_with('[')) return !of_daemon;
    line.remove_prefix(std::min(line.find_first_not_of("[ \t"), line.size()));
    const std::string name(line.substr(0, line.find_first_of("]. \t")));
    std::vector<std::string> near = near_names(name, known);
    keep_slips(name, near);
    any = true;
    of_daemon = !near.empty() || is_later_section(name);
    return !of_daemon;
  });
  return any && !of_daemon;
}

// [[column]], or what nearly is; or a key before any table that a report or its column has.
bool holds_report(std::string_view text) {
  bool out = false, of_daemon = false, has_key = false, in_table = false;
  each_line(text, [&](std::string_view line) {
    if (!line.starts_with('[')) {
      has_key = has_key || (!in_table && is_report_key(line));
      return true;
    }
    in_table = true;
    line.remove_prefix(line.starts_with("[[") ? 2 : 1);
    const std::string name(line.substr(0, line.find_first_of("]. \t")));
    constexpr std::string_view kColumn = "column";
    of_daemon = std::ranges::any_of(
        config_sections(), [&](const ConfigSection& section) { return section.name == name; });
    out = !of_daemon && (name == kColumn || edit_distance(name, kColumn) <= 2);
    return !out && !of_daemon;
  });
  return out || (has_key && !of_daemon);
}

std::string_view run_line(std::string_view text) {
  const std::string_view head = text.substr(0, text.find("--- "));
  for (size_t at = 0; at < head.size();) {
    const size_t end = std::min(head.find('\n', at), head.size());
    std::string_view line = head.substr(at, end - at);
    at = end + 1;
    while (!line.empty() && is_blank(line.back())) line.remove_suffix(1);
    const std::string_view rest =
        line.substr(std::min(line.find_first_not_of("#: \t"), line.size()));
    const bool run = rest.starts_with("run:") || rest.starts_with("run ");
    if (line.starts_with('#') && run) return line;
  }
  return {};
}

bool is_meant_for_rule_test(std::string_view text) {
  constexpr std::string_view kRules = "rules";
  constexpr size_t kSlip = 2;  // letters
  const std::string_view line = run_line(text);
  if (line.empty()) return has_sections(text);
  const std::string_view what = without_blanks(line.substr(line.find("run") + 4));
  return edit_distance(what, kRules) <= kSlip;
}

}  // namespace pmjit
