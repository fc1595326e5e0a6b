// TOML as a tree of ours, with the place of every key and value. The one door to toml++.
//
//   const TomlNode root = read_toml(source, problems);   // what is wrong is a C01; then it is
//   empty for (const TomlEntry& entry : root.entries) …        // in the order of the text
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/daemon_config/config_problems.h"

namespace pmjit {

struct TomlEntry;

struct TomlNode {
  enum class Kind : uint8_t { text, integer, real, flag, time, list, table };
  Kind kind = Kind::table;
  std::string text{};
  int64_t integer = 0;
  bool flag = false;
  std::vector<TomlNode> items;     // of a list
  std::vector<TomlEntry> entries;  // of a table
  ConfigPlace place{};

  [[nodiscard]] bool is_list_of_tables() const;
  [[nodiscard]] const TomlEntry* find(std::string_view key) const;
  [[nodiscard]] TomlEntry* find(std::string_view key);
};

struct TomlEntry {
  std::string key;
  ConfigPlace place{};  // of the key; of a [table], of its name
  TomlNode value;
};

// "a text", "an integer", …: what was found, in messages.
[[nodiscard]] std::string_view kind_text(TomlNode::Kind kind);

// The 100 of `max = "100"`. None: it is no text, or no number.
[[nodiscard]] std::optional<std::string> number_in_quotes(const TomlNode& node);

[[nodiscard]] TomlNode read_toml(uint32_t source, ConfigProblems& problems);

}  // namespace pmjit
