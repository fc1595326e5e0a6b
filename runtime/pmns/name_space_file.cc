#include "runtime/pmns/name_space_file.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <optional>
#include <ranges>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "runtime/model/pm_codes.h"
#include "runtime/pmns/pmns_scanner.h"

namespace pmjit {

namespace {

constexpr std::string_view kRoot = "root";

struct Entry {
  std::string name;
  std::optional<PmId> pmid;  // none: a group of its own has what is below it
};
struct NameGroup {
  std::string path;
  std::vector<Entry> entries{};
  bool used = false;
};

// The groups as they stand. None: that is not what a name space file looks like, and was said.
class GroupReader {
 public:
  explicit GroupReader(PmnsScanner& scanner) : scanner_(scanner) {}

  std::optional<std::vector<NameGroup>> all() {
    advance();
    while (token_.kind != Kind::end) {
      if (!group()) return std::nullopt;
    }
    return std::move(groups_);
  }

 private:
  using Kind = PmnsScanner::Kind;

  void advance() { token_ = scanner_.next(); }
  bool refuse(std::string_view what) {
    if (token_.kind != Kind::failed) scanner_.complain(what);
    return false;
  }
  bool group();
  bool entry(NameGroup& group);
  bool check_names(const NameGroup& group);

  PmnsScanner& scanner_;
  PmnsScanner::Token token_;
  std::vector<NameGroup> groups_;
};

bool GroupReader::group() {
  if (token_.kind != Kind::name && token_.kind != Kind::path) {
    return refuse("Expected NAME or PATH");
  }
  NameGroup& group = groups_.emplace_back(NameGroup{.path = std::string(token_.text)});
  advance();
  if (token_.kind == Kind::end) return true;
  if (token_.kind != Kind::open) return refuse("{ expected");
  advance();
  while (token_.kind != Kind::close && token_.kind != Kind::end) {
    if (!entry(group)) return false;
  }
  if (token_.kind == Kind::end) return true;  // the last one need not be closed
  if (!check_names(group)) return false;
  advance();
  return true;
}

bool GroupReader::entry(NameGroup& group) {
  if (token_.kind != Kind::name) return refuse("Expected NAME or }");
  Entry& entry = group.entries.emplace_back(Entry{.name = std::string(token_.text), .pmid = {}});
  advance();
  switch (token_.kind) {
    case Kind::pmid:
      entry.pmid = token_.pmid;
      advance();
      return true;
    case Kind::name:
    case Kind::close:
    case Kind::end: return true;
    default: return refuse("Expected NAME, PMID or }");
  }
}

// The first name that stands there again.
bool GroupReader::check_names(const NameGroup& group) {
  std::unordered_map<std::string_view, size_t> count;
  for (const Entry& entry : group.entries) ++count[entry.name];
  const auto twice = std::ranges::find_if(
      group.entries, [&](const Entry& entry) { return count[entry.name] > 1; });
  if (twice == group.entries.end()) return true;
  scanner_.complain_of_names(
      fmt::format("Duplicate name \"{}\" in subtree for \"{}\"", twice->name, group.path));
  return false;
}

// The tree that the groups make, and what is wrong with it.
class NameTree {
 public:
  NameTree(std::vector<NameGroup> groups, SameMetric same)
      : groups_(std::move(groups)), same_(same) {
    for (NameGroup& group : groups_) by_path_.emplace(group.path, &group);
  }

  std::vector<NamedMetric> leaves() { return std::move(leaves_); }

  // The mistakes.
  std::vector<std::string> build() {
    const auto roots = std::ranges::count(groups_, kRoot, &NameGroup::path);
    if (roots == 0) return {"No name space entry for \"root\""};
    if (roots > 1) return {"Multiple name space entries for \"root\""};
    walk(*std::ranges::find(groups_, kRoot, &NameGroup::path), "");
    if (!mistakes_.empty()) return mistakes_;
    for (const NameGroup& group : groups_ | std::views::reverse) {
      if (group.used) continue;
      mistakes_.push_back(fmt::format("Disconnected subtree (\"{}\") in name space", group.path));
    }
    if (mistakes_.empty() && same_ == SameMetric::refused) refuse_same();
    return mistakes_;
  }

 private:
  void walk(NameGroup& group, const std::string& prefix) {
    group.used = true;
    for (const Entry& entry : group.entries) {
      const std::string path = prefix + entry.name;
      if (entry.pmid) {
        leaves_.push_back({path, *entry.pmid});
        continue;
      }
      const auto below = by_path_.find(path);
      if (below == by_path_.end() || path == kRoot) {
        mistakes_.push_back(
            fmt::format("Cannot find definition for non-terminal node \"{}\" in name space", path));
        return;
      }
      walk(*below->second, path + ".");
      if (!mistakes_.empty()) return;
    }
  }

  void refuse_same() {
    std::unordered_map<PmId, const std::string*> known;
    for (const NamedMetric& leaf : leaves_) {
      if (leaf.pmid >> 22 == kDynamicDomain) continue;
      const auto [first, is_first] = known.emplace(leaf.pmid, &leaf.name);
      if (is_first) continue;
      mistakes_.push_back(
          fmt::format("Duplicate metric id ({}) in name space for metrics \"{}\" and \"{}\"\n",
                      pmid_text(leaf.pmid), leaf.name, *first->second));
      return;
    }
  }

  std::vector<NameGroup> groups_;
  std::unordered_map<std::string_view, NameGroup*> by_path_;  // the first of each
  SameMetric same_;
  std::vector<NamedMetric> leaves_;
  std::vector<std::string> mistakes_;
};

std::string said(std::string_view what) {
  return fmt::format("Error Parsing ASCII PMNS: {}\n", what);
}

Preprocessed made_of(const std::string& path) {
  const char* const program = std::getenv("PCP_ALT_CPP");
  if (program == nullptr) return preprocess(path, *the_system());
  CommandOutput output = output_of_program(program, path);
  return {.text = std::move(output.text), .sound = output.status == 0};
}

}  // namespace

NameSpaceFile read_name_space(const std::string& path, SameMetric same) {
  if (access(path.c_str(), R_OK) != 0) {
    return {.code = -errno, .messages = said(fmt::format("Cannot open \"{}\"", path))};
  }
  return parse_name_space(made_of(path), path, same);
}

NameSpaceFile parse_name_space(const Preprocessed& made, const std::string& path, SameMetric same) {
  PmnsScanner scanner(made.text, path);
  auto groups = GroupReader(scanner).all();
  NameSpaceFile file{.preprocessing = made.messages, .messages = scanner.messages()};
  std::vector<std::string> mistakes;
  if (groups && !made.sound) {
    mistakes.emplace_back("pmcpp returned non-zero exit status");
  } else if (groups) {
    NameTree tree(*std::move(groups), same);
    mistakes = tree.build();
    if (mistakes.empty()) file.leaves = tree.leaves();
  }
  if (!groups || !mistakes.empty()) file.code = pm_err::E_PMNS;
  for (const std::string& mistake : mistakes) file.messages += said(mistake);
  return file;
}

}  // namespace pmjit
