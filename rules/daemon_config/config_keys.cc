#include "rules/daemon_config/config_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/base/near.h"

namespace pmjit {
namespace {

constexpr size_t kNearEdits = 2, kNearPrefix = 4;

constexpr auto kConfigSections = std::to_array<ConfigSection>({
#define SECTION(type, name, form) {ConfigSectionId::type, name, ConfigForm::form},
#include "rules/daemon_config/keys.def"
});

constexpr auto kConfigKeys = std::to_array<ConfigKey>({
#define KEY(type, key, member, value, text, range, reload) \
  {ConfigSectionId::type, key, ConfigValueType::value, text, range, ConfigReload::reload},
#define LATER(type, key) {.section = ConfigSectionId::type, .name = key, .is_later = true},
#include "rules/daemon_config/keys.def"
});

constexpr auto kLaterSections = std::to_array<std::string_view>({
#define LATER_SECTION(name) name,
#include "rules/daemon_config/keys.def"
});

constexpr auto kLaterSinks = std::to_array<std::string_view>({
#define LATER_SINK(type) type,
#include "rules/daemon_config/keys.def"
});

size_t common_prefix(std::string_view a, std::string_view b) {
  size_t length = 0;
  while (length < a.size() && length < b.size() && a[length] == b[length]) ++length;
  return length;
}

}  // namespace

std::string_view value_type_text(ConfigValueType type) {
  switch (type) {
    case ConfigValueType::text: return "a text";
    case ConfigValueType::path: return "a path";
    case ConfigValueType::glob: return "a path";
    case ConfigValueType::paths: return "a list of paths";
    case ConfigValueType::texts: return "a list of texts";
    case ConfigValueType::addresses: return "a text or a list of texts";
    case ConfigValueType::word: return "a word";
    case ConfigValueType::flag: return "true or false";
    case ConfigValueType::count: return "an integer";
    case ConfigValueType::duration: return "a duration like \"10s\"";
    case ConfigValueType::table: return "a table of texts";
    case ConfigValueType::matchers: return "a list of matchers";
    case ConfigValueType::sinks: return "a list of sinks, or false";
  }
  return "";
}

std::span<const ConfigSection> config_sections() { return kConfigSections; }
std::span<const ConfigKey> config_keys() { return kConfigKeys; }

const ConfigSection& config_section(ConfigSectionId id) {
  return kConfigSections.at(static_cast<size_t>(id));
}

const ConfigSection* find_section(std::string_view name) {
  const auto found = std::ranges::find(kConfigSections, name, &ConfigSection::name);
  return found == kConfigSections.end() ? nullptr : &*found;
}

const ConfigKey* find_key(ConfigSectionId section, std::string_view name) {
  const auto found = std::ranges::find_if(kConfigKeys, [&](const ConfigKey& key) {
    return key.section == section && key.name == name;
  });
  return found == kConfigKeys.end() ? nullptr : &*found;
}

bool is_later_section(std::string_view name) {
  return std::ranges::find(kLaterSections, name) != kLaterSections.end();
}

bool is_later_sink(std::string_view type) {
  return std::ranges::find(kLaterSinks, type) != kLaterSinks.end();
}

std::string section_text(const ConfigSection& section) {
  const size_t dot = section.name.rfind('.');
  switch (section.form) {
    case ConfigForm::one: break;
    case ConfigForm::many: return fmt::format("[[{}]]", section.name);
    case ConfigForm::globs: return fmt::format("[{}.\"GLOB\"]", section.name);
    case ConfigForm::part: return fmt::format("a sink of type {}", section.name.substr(dot + 1));
  }
  return section.name.empty() ? "the main file" : fmt::format("[{}]", section.name);
}

std::vector<std::string_view> range_words(std::string_view range) {
  std::vector<std::string_view> out;
  while (true) {
    const size_t bar = std::min(range.find('|'), range.size());
    out.push_back(range.substr(0, bar));
    if (bar == range.size()) return out;
    range.remove_prefix(bar + 1);
  }
}

namespace {

// What other programs call our keys.
struct OtherName {
  std::string_view name, ours;
};
constexpr OtherName kOtherNames[] = {{"command", "argv"},
                                     {"cmd", "argv"},
                                     {"exec", "argv"},
                                     {"hosts", "names"},
                                     {"targets", "names"},
                                     {"host", "names"},
                                     {"address", "names"},
                                     {"file", "path"},
                                     {"metric", "expr"},
                                     {"every", "interval"},
                                     {"port", "listen"},
                                     {"address", "listen"},
                                     {"bind", "listen"},
                                     {"receiver", "sinks"},
                                     {"receivers", "sinks"},
                                     {"expr", "files"},
                                     {"file", "files"},
                                     {"rule_files", "files"},
                                     {"token", "token_file"},
                                     {"headers", "token_file"},
                                     {"bearer_token", "token_file"},
                                     {"bearer_token_file", "token_file"},
                                     {"username", "user"},
                                     {"password", "password_file"}};

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names) {
  std::string_view nearest;
  size_t nearest_edits = 0;
  for (const std::string_view candidate : names) {
    const size_t edits = edit_distance(name, candidate);
    const bool is_near = edits <= kNearEdits || common_prefix(name, candidate) >= kNearPrefix;
    if (!is_near || (!nearest.empty() && edits >= nearest_edits)) continue;
    nearest = candidate;
    nearest_edits = edits;
  }
  return nearest;
}

bool is_near_key(ConfigSectionId section, std::string_view name) {
  std::vector<std::string_view> names;
  for (const ConfigKey& key : kConfigKeys) {
    if (key.section == section) names.push_back(key.name);
  }
  return !nearest_name(name, names).empty();
}

namespace {

// Of another section, first of a table of this one: `for` of [[rules]] is of [rules.alert."GLOB"].
// Null: none has it.
const ConfigKey* key_elsewhere(ConfigSectionId section, std::string_view name) {
  const std::string begin = fmt::format("{}.", config_section(section).name);
  const auto is_below = [&](const ConfigKey& key) {
    return key.name == name && config_section(key.section).name.starts_with(begin);
  };
  const auto below = std::ranges::find_if(kConfigKeys, is_below);
  if (below != kConfigKeys.end()) return &*below;
  const auto other = std::ranges::find(kConfigKeys, name, &ConfigKey::name);
  return other == kConfigKeys.end() ? nullptr : &*other;
}

// [alerts.host_dwn], [rules.alrt.X]: a table of a table. "": none is called nearly so.
std::string nearest_table_help(ConfigSectionId section, std::string_view name) {
  const std::string begin = fmt::format("{}.", config_section(section).name);
  std::vector<std::string_view> names;
  for (const ConfigSection& one : kConfigSections) {
    const bool is_table = one.form == ConfigForm::one || one.form == ConfigForm::globs;
    if (is_table && one.name.starts_with(begin)) names.push_back(one.name.substr(begin.size()));
  }
  const std::string_view near = nearest_name(name, names);
  if (near.empty()) return {};
  return fmt::format("there is {}", section_text(*find_section(fmt::format("{}{}", begin, near))));
}

}  // namespace

std::string nearest_key_help(std::span<const ConfigSectionId> sections, std::string_view name) {
  std::vector<std::string_view> names;
  for (const ConfigKey& key : kConfigKeys) {
    const bool is_ours = std::ranges::find(sections, key.section) != sections.end();
    if (is_ours && !key.is_later) names.push_back(key.name);
  }
  const auto* const other = std::ranges::find_if(kOtherNames, [&](const OtherName& one) {
    return one.name == name && std::ranges::find(names, one.ours) != names.end();
  });
  if (other != std::end(kOtherNames)) {
    return fmt::format("{} has `{}`", section_text(config_section(sections.front())), other->ours);
  }
  if (const std::string_view near = nearest_name(name, names); !near.empty()) {
    return fmt::format("{} has `{}`", section_text(config_section(sections.front())), near);
  }
  if (std::string table = nearest_table_help(sections.front(), name); !table.empty()) return table;
  if (const ConfigKey* const key = key_elsewhere(sections.front(), name)) {
    return fmt::format("`{}` is a key of {}", name, section_text(config_section(key->section)));
  }
  if (const ConfigSection* const section = find_section(name)) {
    return fmt::format("there is {}", section_text(*section));
  }
  // The main file has tables, too.
  if (config_section(sections.front()).name.empty()) return {};
  constexpr size_t kShown = 10;
  const bool more = names.size() > kShown;
  return names.empty()
             ? std::string()
             : fmt::format(
                   "{} has `{}`{}", section_text(config_section(sections.front())),
                   fmt::join(std::span(names).first(std::min(kShown, names.size())), "`, `"),
                   more ? ", …" : "");
}

std::string missing_key_help(const ConfigKey& key) {
  switch (key.type) {
    case ConfigValueType::paths: return fmt::format("write {} = [\"rules.pmie\"]", key.name);
    case ConfigValueType::texts: return fmt::format("write {} = [\"NAME\"]", key.name);
    case ConfigValueType::word: {
      const auto words = range_words(key.range);
      return fmt::format("write {} = \"{}\", or one of {}", key.name, words.front(),
                         fmt::join(words, ", "));
    }
    default: return fmt::format("write {} = \"…\"", key.name);
  }
}

namespace {

// Of other programs.
struct OtherTable {
  std::string_view name, ours;
};
constexpr OtherTable kOtherTables[] = {
    {"receivers", "sink"},       {"receiver", "sink"}, {"notifiers", "sink"},
    {"channels", "sink"},        {"alerting", "sink"}, {"alertmanagers", "sink"},
    {"alertmanager", "sink"},    {"webhook", "sink"},  {"slack", "sink"},
    {"email", "sink"},           {"targets", "hosts"}, {"scrape_configs", "hosts"},
    {"static_configs", "hosts"}, {"groups", "rules"},  {"rule_files", "rules"}};

}  // namespace

std::string nearest_section_help(std::string_view name) {
  const auto* const other = std::ranges::find(kOtherTables, name, &OtherTable::name);
  if (other != std::end(kOtherTables)) {
    return fmt::format("there is {}", section_text(*find_section(other->ours)));
  }
  std::vector<std::string_view> names(kLaterSections.begin(), kLaterSections.end());
  for (const ConfigSection& section : kConfigSections) names.push_back(section.name);
  const std::string_view near = nearest_name(name, names);
  const ConfigSection* found = near.empty() ? nullptr : find_section(near);
  if (found != nullptr) return fmt::format("there is {}", section_text(*found));
  if (!near.empty()) return fmt::format("there is [{}]", near);
  for (const ConfigKey& key : kConfigKeys) {
    if (key.name == name) {
      return fmt::format("`{}` is a key of {}", name, section_text(config_section(key.section)));
    }
  }
  return {};
}

}  // namespace pmjit
