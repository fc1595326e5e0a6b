#include "rules/daemon_config/config_tree.h"

#include <fmt/format.h>

#include <utility>

#include "rules/daemon_config/config_keys.h"

namespace pmjit {
namespace {

// A configuration is written by people; hosts have files of their own.
constexpr size_t kConfigBytesMax = 4u << 20;
constexpr size_t kConfigFilesMax = 1'000;

// `asked`: who names the file; none for the main file, which is its own place.
TomlNode read_config_file(const std::string& path, const ConfigFiles& files,
                          const ConfigPlace* asked, ConfigProblems& problems) {
  auto text = files.read(path, kConfigBytesMax);
  const uint32_t source =
      problems.add_source({.name = path, .text = text ? *std::move(text) : std::string()});
  if (text) return read_toml(source, problems);
  const ConfigPlace place = asked != nullptr ? *asked : ConfigPlace{source, {}};
  ConfigProblem& problem = problems.add(ProblemCode::bad_file, place, text.error().text());
  problem.help("is the name right, and may this user read it?");
  return {};
}

void include_file(const std::string& path, const ConfigPlace& asked, TomlNode& root,
                  const ConfigFiles& files, ConfigProblems& problems) {
  TomlNode included = read_config_file(path, files, &asked, problems);
  if (const TomlEntry* again = included.find("include")) {
    problems.add(ProblemCode::unknown_key, again->place, "include")
        .help("only the main file includes others");
    std::erase_if(included.entries, [](const TomlEntry& e) { return e.key == "include"; });
  }
  merge_config(root, std::move(included), "", problems);
}

void include_all(const ConfigInput& input, TomlNode& root, const ConfigFiles& files,
                 ConfigProblems& problems) {
  const TomlEntry* include = root.find("include");
  if (include == nullptr) return;  // what is no list is a problem of its type
  const std::vector<TomlNode> patterns = include->value.items;
  size_t count = 0;
  for (const TomlNode& pattern : patterns) {
    if (pattern.kind != TomlNode::Kind::text || pattern.text.find('\0') != std::string::npos)
      continue;
    const std::string path = beside(input.path, pattern.text);
    const std::vector<std::string> found =
        is_glob(path) ? files.matching(path) : std::vector<std::string>{path};
    if (found.empty()) problems.add(ProblemCode::no_match, pattern.place, path);
    for (const std::string& one : found) {
      if (count++ < kConfigFilesMax) include_file(one, pattern.place, root, files, problems);
    }
  }
  if (count > kConfigFilesMax) {
    problems.add(ProblemCode::out_of_range, include->place,
                 fmt::format("more than {} files are included", kConfigFilesMax));
  }
}

}  // namespace

TomlNode read_config_tree(const ConfigInput& input, const ConfigFiles& files,
                          ConfigProblems& problems) {
  TomlNode root;
  if (input.text) {
    root = read_toml(problems.add_source({.name = input.path, .text = *input.text}), problems);
  } else {
    root = read_config_file(input.path, files, nullptr, problems);
  }
  include_all(input, root, files, problems);
  override_config(root, input, problems);
  return root;
}

void merge_config(TomlNode& into, TomlNode&& from, const std::string& name,
                  ConfigProblems& problems) {
  for (TomlEntry& entry : from.entries) {
    TomlEntry* const there = into.find(entry.key);
    const std::string full_name = name.empty() ? entry.key : fmt::format("{}.{}", name, entry.key);
    const bool is_same_kind = there != nullptr && there->value.kind == entry.value.kind;
    if (!is_same_kind && (there == nullptr || entry.value.kind == TomlNode::Kind::table ||
                          there->value.kind == TomlNode::Kind::table)) {
      into.entries.push_back(std::move(entry));  // of the wrong kind: both are looked at later
    } else if (is_same_kind && entry.value.kind == TomlNode::Kind::table) {
      merge_config(there->value, std::move(entry.value), full_name, problems);
    } else if (there->value.is_list_of_tables() && entry.value.is_list_of_tables()) {
      for (TomlNode& item : entry.value.items) there->value.items.push_back(std::move(item));
    } else {
      problems.add(ProblemCode::set_twice, entry.place, full_name)
          .help(fmt::format("{} sets it, too", problems.place_text(there->place)));
    }
  }
}

}  // namespace pmjit
