// PMJIT__SECTION__KEY=VALUE and --set SECTION.KEY=VALUE. Each is a text of its own, so problems
// show it as the user wrote it.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "rules/daemon_config/config_keys.h"
#include "rules/daemon_config/config_tree.h"
#include "rules/daemon_config/config_values.h"

namespace pmjit {
namespace {

constexpr std::string_view kVariableHead = "PMJIT__";

struct Override {
  std::string section, key, value;
  ConfigPlace place{}, value_place{};  // of the name; of what stands behind =
};

// `text` is NAME=VALUE, and the parts of NAME behind `head` are put apart by `between`.
Override taken_apart(const std::string& text, std::string_view head, std::string_view between,
                     std::string_view source_name, ConfigProblems& problems) {
  const uint32_t source = problems.add_source({.name = std::string(source_name), .text = text});
  const size_t equals = std::min(text.find('='), text.size());
  const auto equals_at = static_cast<uint32_t>(equals);
  const auto end = static_cast<uint32_t>(text.size());
  Override out{.value = text.substr(std::min(equals + 1, text.size())),
               .place = {source, {0, equals_at}},
               .value_place = {source, {std::min(equals_at + 1, end), end}}};
  std::string name = text.substr(head.size(), equals - head.size());
  if (!head.empty()) {
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  }
  const size_t last = name.rfind(between);
  out.key = last == name.npos ? name : name.substr(last + between.size());
  for (size_t at = 0; last != name.npos && at < last;) {
    const size_t next = std::min(name.find(between, at), last);
    out.section += (at == 0 ? "" : ".") + name.substr(at, next - at);
    at = next + between.size();
  }
  return out;
}

void refuse(const Override& asked, std::string what, const std::string& help,
            ConfigProblems& problems) {
  ConfigProblem& problem = problems.add(ProblemCode::environment, asked.place, what);
  if (!help.empty()) problem.help(help);
}

// Null: it may not be overridden, or is not there; a problem was added.
const ConfigKey* overridden_key(const Override& asked, ConfigProblems& problems) {
  const ConfigSection* section = find_section(asked.section);
  const std::string top = asked.section.substr(0, asked.section.find('.'));
  if (section == nullptr && is_later_section(top)) {
    problems.add(ProblemCode::not_yet, asked.place, fmt::format("[{}]", top));
    return nullptr;
  }
  if (section == nullptr) {
    refuse(asked, fmt::format("there is no table [{}]", asked.section),
           nearest_section_help(asked.section), problems);
    return nullptr;
  }
  if (section->form != ConfigForm::one) {
    refuse(asked, fmt::format("{} may occur several times", section_text(*section)),
           "set it in a file", problems);
    return nullptr;
  }
  const ConfigKey* key = find_key(section->id, asked.key);
  if (key == nullptr) {
    refuse(asked, fmt::format("{} has no key `{}`", section_text(*section), asked.key),
           nearest_key_help({{section->id}}, asked.key), problems);
  } else if (key->is_later) {
    problems.add(ProblemCode::not_yet, asked.place,
                 fmt::format("`{}` of {}", key->name, section_text(*section)));
    return nullptr;
  }
  return key;
}

// The table of that name, made if there is none. Null: something else has the name.
TomlNode* table_of(TomlNode& root, std::string_view section, const ConfigPlace& place) {
  TomlNode* table = &root;
  while (!section.empty()) {
    const size_t dot = std::min(section.find('.'), section.size());
    const std::string name(section.substr(0, dot));
    section.remove_prefix(std::min(dot + 1, section.size()));
    TomlEntry* entry = table->find(name);
    if (entry == nullptr) {
      table->entries.push_back({name, place, TomlNode{.place = place}});
      entry = &table->entries.back();
    }
    if (entry->value.kind != TomlNode::Kind::table) return nullptr;
    table = &entry->value;
  }
  return table;
}

void apply(TomlNode& root, const Override& asked, ConfigProblems& problems) {
  const ConfigKey* key = overridden_key(asked, problems);
  if (key == nullptr) return;
  auto value = read_scalar_text(*key, asked.value, asked.value_place, problems);
  TomlNode* table = value ? table_of(root, asked.section, asked.place) : nullptr;
  if (table == nullptr) return;
  TomlEntry entry{asked.key, asked.place, *std::move(value)};
  if (TomlEntry* there = table->find(asked.key)) {
    *there = std::move(entry);
  } else {
    table->entries.push_back(std::move(entry));
  }
}

}  // namespace

void override_config(TomlNode& root, const ConfigInput& input, ConfigProblems& problems) {
  for (const std::string& variable : input.environment) {
    if (!variable.starts_with(kVariableHead)) continue;
    apply(root, taken_apart(variable, kVariableHead, "__", "environment", problems), problems);
  }
  for (const std::string& text : input.set) {
    const Override asked = taken_apart(text, "", ".", "--set", problems);
    if (text.find('=') == text.npos) {
      refuse(asked, "a --set without =", "write --set SECTION.KEY=VALUE", problems);
    } else {
      apply(root, asked, problems);
    }
  }
}

}  // namespace pmjit
