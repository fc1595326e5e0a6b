// The table of keys (keys.def) as data: what a table may hold, what a key must be, and what is near
// to a key that nobody knows. Source: spec alerting.md §2.1.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pmjit {

enum class ConfigSectionId : uint8_t {
#define SECTION(type, name, form) type,
#include "rules/daemon_config/keys.def"
};

enum class ConfigForm : uint8_t { one, many, globs, part };

struct ConfigSection {
  ConfigSectionId id;
  std::string_view name;
  ConfigForm form;
};

enum class ConfigValueType : uint8_t {
  text,
  path,       // of one file
  glob,       // a path that may be a glob
  paths,      // a list of paths and globs
  texts,      // a list
  addresses,  // a text or a list
  word,       // one of those of the range
  flag,
  count,
  duration,
  table,  // names and texts
  matchers,
  sinks,  // a list of names, or false
};
// "a duration like \"10s\"": what is wanted, in messages.
[[nodiscard]] std::string_view value_type_text(ConfigValueType type);

enum class ConfigReload : uint8_t { live, restart };

struct ConfigKey {
  ConfigSectionId section;
  std::string_view name;
  ConfigValueType type = ConfigValueType::text;
  std::string_view default_text{}, range{};
  ConfigReload reload = ConfigReload::live;
  bool is_later = false;  // of the specification, not built yet

  [[nodiscard]] bool is_required() const { return default_text == "!"; }
};

[[nodiscard]] std::span<const ConfigSection> config_sections();
[[nodiscard]] std::span<const ConfigKey> config_keys();
[[nodiscard]] const ConfigSection& config_section(ConfigSectionId id);
// Null: there is none of that name.
[[nodiscard]] const ConfigSection* find_section(std::string_view name);
[[nodiscard]] const ConfigKey* find_key(ConfigSectionId section, std::string_view name);
[[nodiscard]] bool is_later_section(std::string_view name);
[[nodiscard]] bool is_later_sink(std::string_view type);

// "[http]", "[[sink]]", "a sink of type exec", "the file": in messages.
[[nodiscard]] std::string section_text(const ConfigSection& section);
// The words of a range `a|b|c`.
[[nodiscard]] std::vector<std::string_view> range_words(std::string_view range);

// What to write where a key is missing: files = ["rules.pmie"].
[[nodiscard]] std::string missing_key_help(const ConfigKey& key);
// What to write instead of a key or table that nobody knows in one of `sections`: the nearest that
// is there (edit distance ≤ 2, or a common prefix ≥ 4), or where else it belongs; else empty.
[[nodiscard]] std::string nearest_key_help(std::span<const ConfigSectionId> sections,
                                           std::string_view name);
[[nodiscard]] std::string nearest_section_help(std::string_view name);
// Is one of the section's keys that near?
[[nodiscard]] bool is_near_key(ConfigSectionId section, std::string_view name);
// The nearest of the names by that rule; empty: none is near.
[[nodiscard]] std::string_view nearest_name(std::string_view name,
                                            std::span<const std::string_view> names);

}  // namespace pmjit
