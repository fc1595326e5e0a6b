#include "rules/daemon_config/config_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "rules/daemon_config/quantities.h"
#include "runtime/base/near.h"

namespace pmjit {
namespace {

void add_wrong_type(const TomlEntry& entry, const TomlNode& found, std::string_view wanted,
                    ConfigProblems& problems) {
  ConfigProblem& problem =
      problems.add(ProblemCode::wrong_type, found.place, fmt::format("`{}`", entry.key),
                   kind_text(found.kind), wanted);
  if (found.kind == TomlNode::Kind::integer && wanted.starts_with("a duration")) {
    problem.help(fmt::format("write \"{}s\" or \"{}ms\"", found.integer, found.integer));
  } else if (found.kind == TomlNode::Kind::integer && entry.key == "listen") {
    problem.help(fmt::format("write \"127.0.0.1:{}\"", found.integer));
  } else if (found.kind == TomlNode::Kind::integer &&
             (wanted.starts_with("a text") || wanted.starts_with("a path"))) {
    problem.help(fmt::format("write \"{}\"", found.integer));
  } else if (found.kind == TomlNode::Kind::text && wanted.starts_with("a list")) {
    problem.help(fmt::format("write [\"{}\"]", found.text));
  } else if (found.kind == TomlNode::Kind::table && wanted == "a list of matchers") {
    std::string all;
    for (const TomlEntry& one : found.entries) {
      all += fmt::format("{}'{}=\"{}\"'", all.empty() ? "" : ", ", one.key, one.value.text);
    }
    problem.help(fmt::format("write {} = [{}]", entry.key, all));
  } else if (wanted.starts_with("a table of texts")) {
    problem.help(fmt::format("write {} = {{ NAME = \"VALUE\" }}", entry.key));
  } else if (wanted.starts_with("an integer")) {
    problem.help(fmt::format("write {} = {}", entry.key, number_in_quotes(found).value_or("4")));
  } else if (wanted.starts_with("true")) {
    const bool is_no = found.kind == TomlNode::Kind::text && found.text == "false";
    problem.help(fmt::format("write {} = {}", entry.key, !is_no));
  } else if (found.kind == TomlNode::Kind::flag && wanted.starts_with("a text")) {
    problem.help(fmt::format("write {} = \"…\"", entry.key));
  }
}

constexpr std::string_view kLabelOfHost = "host";  // unless [alerts] label_host says another

// A key that was given without a value of its type is left out.
class ValueReader {
 public:
  ValueReader(const ConfigKey& key, const TomlEntry& entry, ConfigProblems& problems)
      : key_(key), entry_(entry), node_(entry.value), problems_(problems) {}

  std::optional<ConfigValue> read() {
    out_ = {.key = &key_, .place = node_.place, .key_place = entry_.place};
    if (!read_type()) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool read_type() {
    switch (key_.type) {
      case ConfigValueType::text:
      case ConfigValueType::path:
      case ConfigValueType::glob: return is(TomlNode::Kind::text) && add_item(node_);
      case ConfigValueType::paths:
      case ConfigValueType::texts: return is(TomlNode::Kind::list) && add_items();
      case ConfigValueType::addresses: return read_addresses();
      case ConfigValueType::word: return is(TomlNode::Kind::text) && read_word();
      case ConfigValueType::flag:
        return is(TomlNode::Kind::flag) && ((out_.flag = node_.flag), true);
      case ConfigValueType::count: return is(TomlNode::Kind::integer) && read_count();
      case ConfigValueType::duration: return is(TomlNode::Kind::text) && read_duration_text();
      case ConfigValueType::table: return is(TomlNode::Kind::table) && read_labels();
      case ConfigValueType::matchers: return is(TomlNode::Kind::list) && read_matchers();
      case ConfigValueType::sinks: return read_sinks();
    }
    return false;
  }

  bool is(TomlNode::Kind kind) {
    if (node_.kind == kind) return true;
    add_wrong_type(entry_, node_, value_type_text(key_.type), problems_);
    return false;
  }

  bool add_item(const TomlNode& item) {
    if (item.kind != TomlNode::Kind::text) {
      add_wrong_type(entry_, item, "a text", problems_);
      return false;
    }
    if (item.text.find('\0') != item.text.npos) {
      return out_of_range(item.place, fmt::format("`{}` has a NUL", key_.name));
    }
    out_.items.push_back({item.text, item.place});
    return true;
  }

  bool add_items() {
    bool is_good = true;
    for (const TomlNode& item : node_.items) is_good = add_item(item) && is_good;
    return is_good;
  }

  // An empty text is no address.
  bool read_addresses() {
    if (node_.kind == TomlNode::Kind::text) return node_.text.empty() || add_item(node_);
    return is(TomlNode::Kind::list) && add_items();
  }

  bool read_sinks() {
    if (node_.kind == TomlNode::Kind::flag && !node_.flag) return true;
    return is(TomlNode::Kind::list) && add_items();
  }

  bool read_word() {
    const std::vector<std::string_view> words = range_words(key_.range);
    const auto found = std::ranges::find(words, node_.text);
    if (found != words.end()) {
      out_.number = found - words.begin();
      return true;
    }
    if (key_.section == ConfigSectionId::SinkBlock && is_later_sink(node_.text)) {
      problems_.add(ProblemCode::not_yet, node_.place, fmt::format("type \"{}\"", node_.text))
          .help(fmt::format("types are {}", fmt::join(words, ", ")));
      return false;
    }
    const std::string_view near = nearest_name(node_.text, words);
    return out_of_range(
        node_.place,
        fmt::format("`{}` is \"{}\", not one of {}", key_.name, node_.text, fmt::join(words, ", ")),
        !near.empty()             ? fmt::format("write \"{}\"", near)
        : key_.name == "severity" ? severity_help()
        : key_.section == ConfigSectionId::SinkBlock && key_.name == "type" ? sink_help()
                                                                            : "");
  }

  // Programs, and services that are asked by posting to a url.
  [[nodiscard]] std::string sink_help() const {
    constexpr std::array<std::string_view, 5> kPrograms = {"program", "script", "command", "shell",
                                                           "run"};
    constexpr std::array<std::string_view, 8> kPosted = {
        "slack", "http", "https", "post", "discord", "teams", "mattermost", "pagerduty"};
    const auto is_one_of = [&](std::span<const std::string_view> words) {
      return std::ranges::any_of(words, [&](std::string_view word) {
        return edit_distance(node_.text, word) <= 1;  // "slak"
      });
    };
    if (is_one_of(kPrograms)) {
      return "write \"exec\": it runs a program of yours";
    }
    if (is_one_of(kPosted)) {
      return "write \"webhook\": it posts JSON to a url. Alertmanager has a receiver for most "
             "services";
    }
    return "\"webhook\" posts JSON to a url, and \"exec\" runs a program of yours; "
           "Alertmanager has receivers for other services";
  }

  // Prometheus has severities of its own.
  [[nodiscard]] std::string severity_help() const {
    return fmt::format("[alerts] severity_label = {{ critical = \"{}\" }} renames one", node_.text);
  }

  bool read_count() {
    out_.number = node_.integer;
    const auto [least, most] = range_ends();
    if (out_.number >= number_of(least) && out_.number <= number_of(most)) return true;
    return out_of_range(
        node_.place, fmt::format("`{}` is {}, not {} to {}", key_.name, out_.number, least, most));
  }

  bool read_duration_text() {
    const auto duration = read_duration(node_.text);
    if (!duration) {
      problems_
          .add(ProblemCode::wrong_type, node_.place, fmt::format("`{}`", key_.name),
               fmt::format("\"{}\"", node_.text), value_type_text(key_.type))
          .help("write whole numbers with units: ms s m min h d w, as in \"1h30m\"");
      return false;
    }
    out_.duration = *duration;
    const auto [least, most] = range_ends();
    if (*duration >= *read_duration(least) && *duration <= *read_duration(most)) return true;
    return out_of_range(
        node_.place, fmt::format("`{}` is {}, not {} to {}", key_.name, node_.text, least, most));
  }

  bool read_labels() {
    bool is_good = true;
    for (const TomlEntry& item : node_.entries) {
      if (item.value.kind != TomlNode::Kind::text) {
        add_wrong_type(item, item.value, "a text", problems_);
        is_good = false;
      } else if (!is_name(item.key)) {
        is_good = out_of_range(item.place, name_problem(item.key));
      } else if (item.value.text.find('\0') != item.value.text.npos) {
        is_good = out_of_range(item.value.place, fmt::format("`{}` has a NUL", item.key));
      } else {
        out_.table.emplace(item.key, item.value.text);
      }
    }
    return is_good;
  }

  [[nodiscard]] bool is_name(const std::string& name) const {
    if (key_.range == "@notes") return is_label_name(name);
    if (key_.range == "@labels") return is_label_name(name) && !is_label_of_all(name);
    return key_.range != "@severities" || name == "info" || name == "warning" || name == "critical";
  }

  [[nodiscard]] std::string name_problem(const std::string& name) const {
    if (is_label_of_all(name)) return fmt::format("\"{}\" is a label that every alert has", name);
    if (key_.range == "@labels" || key_.range == "@notes") {
      return fmt::format("\"{}\" is not a label name", name);
    }
    return fmt::format("\"{}\" is not one of info, warning, critical", name);
  }

  bool read_matchers() {
    bool is_good = true;
    for (const TomlNode& item : node_.items) {
      if (!add_item(item)) {
        is_good = false;
        continue;
      }
      auto matcher = read_matcher(item.text);
      if (matcher) {
        out_.matchers.push_back(*std::move(matcher));
        continue;
      }
      refuse_matcher(item, matcher.error());
      is_good = false;
    }
    return is_good;
  }

  // hosts = ["web1"]: a name in the place of what chooses it.
  void refuse_matcher(const TomlNode& item, const MatcherProblem& wrong) {
    const bool is_host = key_.section == ConfigSectionId::RulesBlock && key_.name == "hosts" &&
                         !item.text.empty() && item.text.find_first_of("=!~\"' ") == item.text.npos;
    if (!is_host) {
      problems_.add(ProblemCode::bad_matcher, item.place, fmt::format("matcher: {}", wrong.what))
          .help(wrong.help);
      return;
    }
    problems_
        .add(ProblemCode::bad_matcher, item.place,
             fmt::format("`hosts` chooses by labels, and \"{}\" is no choice", item.text))
        .help(
            fmt::format("write '{0}=\"{1}\"', and name {1} in [[hosts]]", kLabelOfHost, item.text));
  }

  [[nodiscard]] std::pair<std::string_view, std::string_view> range_ends() const {
    const size_t dots = key_.range.find("..");
    check(dots != key_.range.npos, "a number has a range");
    return {key_.range.substr(0, dots), key_.range.substr(dots + 2)};
  }

  static int64_t number_of(std::string_view text) {
    int64_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
  }

  bool out_of_range(ConfigPlace place, std::string what, std::string help = {}) {
    ConfigProblem& problem = problems_.add(ProblemCode::out_of_range, place, what);
    if (!help.empty()) problem.help(std::move(help));
    return false;
  }

  const ConfigKey& key_;
  const TomlEntry& entry_;
  const TomlNode& node_;
  ConfigProblems& problems_;
  ConfigValue out_{};
};

// "[http] `cert_file`", "key `priority` of [[rules]]": what is not supported yet.
std::string later_text(const ConfigKey& key) {
  return fmt::format("`{}` of {}", key.name, section_text(config_section(key.section)));
}

const ConfigKey* find_key_of(const std::vector<ConfigSectionId>& sections, std::string_view name) {
  for (const ConfigSectionId section : sections) {
    if (const ConfigKey* key = find_key(section, name)) return key;
  }
  return nullptr;
}

bool is_subsection(const std::vector<ConfigSectionId>& sections, const std::string& name) {
  const std::string_view parent = config_section(sections.front()).name;
  return find_section(parent.empty() ? name : fmt::format("{}.{}", parent, name)) != nullptr;
}

}  // namespace

const ConfigValue* ConfigValues::find(const ConfigKey* key) const {
  const auto found = std::ranges::find(all, key, &ConfigValue::key);
  return found == all.end() ? nullptr : &*found;
}

bool ConfigValues::is_given(const ConfigKey* key) const {
  return find(key) != nullptr || std::ranges::find(refused, key) != refused.end();
}

std::optional<ConfigValue> read_value(const ConfigKey& key, const TomlEntry& entry,
                                      ConfigProblems& problems) {
  return ValueReader(key, entry, problems).read();
}

ConfigValues read_table(const TomlNode& table, const std::vector<ConfigSectionId>& sections,
                        ConfigProblems& problems) {
  ConfigValues out{.place = table.place};
  for (const TomlEntry& entry : table.entries) {
    const ConfigKey* key = find_key_of(sections, entry.key);
    if (key != nullptr && key->is_later) {
      problems.add(ProblemCode::not_yet, entry.place, later_text(*key));
    } else if (key != nullptr) {
      if (auto value = read_value(*key, entry, problems)) {
        out.all.push_back(*std::move(value));
      } else {
        out.refused.push_back(key);
      }
    } else if (!is_subsection(sections, entry.key)) {
      ConfigProblem& problem = problems.add(ProblemCode::unknown_key, entry.place, entry.key);
      const std::string help = nearest_key_help(sections, entry.key);
      if (!help.empty()) problem.help(help);
      // What it was meant for is not missing as well.
      for (const ConfigKey& meant : config_keys()) {
        const bool is_ours = std::ranges::find(sections, meant.section) != sections.end();
        const bool named = help.ends_with(fmt::format("has `{}`", meant.name));
        if (is_ours && named) out.refused.push_back(&meant);
      }
    }
  }
  for (const ConfigKey& key : config_keys()) {
    const bool is_ours = std::ranges::find(sections, key.section) != sections.end();
    if (!is_ours || !key.is_required() || table.find(key.name) != nullptr) continue;
    if (std::ranges::find(out.refused, &key) != out.refused.end()) continue;
    problems
        .add(ProblemCode::missing_key, table.place, section_text(config_section(key.section)),
             key.name)
        .help(missing_key_help(key));
  }
  return out;
}

std::optional<TomlNode> read_scalar_text(const ConfigKey& key, const std::string& text,
                                         ConfigPlace place, ConfigProblems& problems) {
  TomlNode out{.kind = TomlNode::Kind::text, .text = text, .place = place};
  switch (key.type) {
    case ConfigValueType::text:
    case ConfigValueType::path:
    case ConfigValueType::glob:
    case ConfigValueType::addresses:
    case ConfigValueType::word:
    case ConfigValueType::duration: return out;
    case ConfigValueType::flag:
      out.kind = TomlNode::Kind::flag;
      out.flag = text == "true";
      if (out.flag || text == "false") return out;
      problems.add(ProblemCode::environment, place,
                   fmt::format("`{}` is \"{}\", not true or false", key.name, text));
      return std::nullopt;
    case ConfigValueType::count: {
      out.kind = TomlNode::Kind::integer;
      const char* const end = text.data() + text.size();
      const auto [stop, wrong] = std::from_chars(text.data(), end, out.integer);
      if (wrong == std::errc{} && stop == end) return out;
      problems.add(ProblemCode::environment, place,
                   fmt::format("`{}` is \"{}\", not an integer", key.name, text));
      return std::nullopt;
    }
    case ConfigValueType::paths:
    case ConfigValueType::texts:
    case ConfigValueType::table:
    case ConfigValueType::matchers:
    case ConfigValueType::sinks: break;
  }
  problems
      .add(ProblemCode::environment, place,
           fmt::format("`{}` is {}", key.name, value_type_text(key.type)))
      .help("set it in a file");
  return std::nullopt;
}

std::optional<ConfigValue> default_value(const ConfigKey& key) {
  if (key.default_text.empty() || key.is_required()) return std::nullopt;
  ConfigProblems problems;
  auto node = read_scalar_text(key, std::string(key.default_text), {}, problems);
  check(node.has_value(), "a default is a scalar");
  auto value = read_value(key, {std::string(key.name), {}, *std::move(node)}, problems);
  check(value.has_value(), "a default is in its own range");
  return value;
}

}  // namespace pmjit
