// Values: what stands behind a key, checked against its row of keys.def. One TOML table becomes
// ConfigValues; fill() puts them into a struct of daemon_config.h.
//
//   ConfigValues values = read_table(table, sections, problems);
//   fill(config.fetch, values);
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "rules/alerts/matcher.h"
#include "rules/daemon_config/config_keys.h"
#include "rules/daemon_config/daemon_config.h"
#include "rules/daemon_config/toml_tree.h"
#include "runtime/base/result.h"

namespace pmjit {

struct ConfigValue {
  struct Item {
    std::string text;
    ConfigPlace place{};
  };
  const ConfigKey* key = nullptr;
  ConfigPlace place{};      // of the value
  ConfigPlace key_place{};  // of its key
  bool flag = false;        // of flag
  int64_t number = 0;       // of count; of word: which one
  Milliseconds duration{0};
  std::vector<Item> items{};  // of text, path and glob one; of lists each
  AlertLabels table{};
  std::vector<Matcher> matchers{};
};

struct ConfigValues {
  std::vector<ConfigValue> all{};
  std::vector<const ConfigKey*> refused{};  // given, with a problem
  ConfigPlace place{};                      // of the table

  [[nodiscard]] const ConfigValue* find(const ConfigKey* key) const;
  [[nodiscard]] bool is_given(const ConfigKey* key) const;
};

// Checks type and range. None: a problem was added.
[[nodiscard]] std::optional<ConfigValue> read_value(const ConfigKey& key, const TomlEntry& entry,
                                                    ConfigProblems& problems);

// Keys of one of `sections`; others are problems, and so are required ones that are missing.
// Tables within the table are left to the caller, if they are sections.
[[nodiscard]] ConfigValues read_table(const TomlNode& table,
                                      const std::vector<ConfigSectionId>& sections,
                                      ConfigProblems& problems);
// The same key in the text of an environment variable or of --set, as TOML has it. None: a list or
// a table, which has no such text; a problem was added.
[[nodiscard]] std::optional<TomlNode> read_scalar_text(const ConfigKey& key,
                                                       const std::string& text, ConfigPlace place,
                                                       ConfigProblems& problems);
// What a key is where nobody says. None: nothing.
[[nodiscard]] std::optional<ConfigValue> default_value(const ConfigKey& key);

template <class Member>
void assign(Member& member, const ConfigValue& value) {
  if constexpr (std::is_same_v<Member, std::string>) {
    member = value.items.front().text;
  } else if constexpr (std::is_same_v<Member, std::vector<std::string>>) {
    member.clear();
    for (const ConfigValue::Item& item : value.items) member.push_back(item.text);
  } else if constexpr (std::is_same_v<Member, NotifySinks>) {
    assign(member.emplace(), value);
  } else if constexpr (std::is_same_v<Member, bool>) {
    member = value.flag;
  } else if constexpr (std::is_same_v<Member, int64_t>) {
    member = value.number;
  } else if constexpr (std::is_same_v<Member, Milliseconds>) {
    member = value.duration;
  } else if constexpr (std::is_same_v<Member, AlertLabels>) {
    member = value.table;
  } else if constexpr (std::is_same_v<Member, std::vector<Matcher>>) {
    member = value.matchers;
  } else if constexpr (std::is_enum_v<Member>) {
    member = static_cast<Member>(value.number);
  } else {
    assign(member.emplace(), value);  // std::optional
  }
}

// Members of the struct that keys of its section have, or their defaults.
template <class Block>
void fill(Block& block, const ConfigValues& values) {
  const auto value_of = [&](ConfigSectionId section, std::string_view name) {
    const ConfigKey* key = find_key(section, name);
    const ConfigValue* value = values.find(key);
    return value != nullptr ? std::optional(*value) : default_value(*key);
  };
#define KEY(type, key, member, value_type, text, range, reload)                                \
  if constexpr (std::is_same_v<Block, type>) {                                                 \
    if (const auto value = value_of(ConfigSectionId::type, key)) assign(block.member, *value); \
  }
#include "rules/daemon_config/keys.def"
}

}  // namespace pmjit
