#include "rules/cmd/collector_files.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

std::optional<std::string> text_of_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

CollectorFiles::FileTime CollectorFiles::time_of(const std::string& path) {
  struct stat facts{};
  if (::stat(path.c_str(), &facts) != 0) return {};
  return std::pair(facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec);
}

CollectorSetup CollectorFiles::read() {
  CollectorSetup out;
  good_ = true;
  read_config(out);
  read_names(out);
  has_read_ = true;
  return out;
}

void CollectorFiles::read_config(CollectorSetup& out) {
  const std::string& path = paths_.config;
  const std::string access_path = path + ".access";
  const FileTime config_time = time_of(path), access_time = time_of(access_path);
  if (has_read_ && config_time == config_time_ && access_time == access_time_) {
    out.log.push_back(fmt::format("Configuration file '{}' unchanged", path));
    out.restarts_dead = true;
    return;
  }
  const auto text = text_of_file(path);
  if (!text) {
    out.log.push_back(fmt::format("pmcd: {}: {}", path, std::generic_category().message(errno)));
    good_ = false;
    return;
  }
  const auto access = text_of_file(access_path);
  ConfigTexts texts{.text = *text};
  if (access) texts.access = *access;
  CollectorConfig config = read_collector_config(texts, system_access_names());
  agents_ = config.agents.size();
  for (std::string& message : config.messages) out.log.push_back(std::move(message));
  good_ = config.good;
  if (good_) {
    config_time_ = config_time;
    access_time_ = access_time;
    out.config = std::move(config);
    return;
  }
  if (!has_read_) return;
  out.log.push_back(
      fmt::format("Configuration file '{}' has errors\nConfiguration left unchanged", path));
}

void CollectorFiles::read_names(CollectorSetup& out) {
  if (paths_.names.empty()) return;
  const FileTime names_time = time_of(paths_.names);
  if (has_read_ && names_time == names_time_) {
    out.log.push_back(fmt::format("Info: PMNS file \"{}\" is unchanged", paths_.names));
    return;
  }
  if (has_read_) out.log.push_back(fmt::format("Info: Reloading PMNS \"{}\"", paths_.names));
  const NameSpaceFile file = read_name_space(paths_.names, paths_.same);
  if (file.code != 0) {
    out.log.push_back(fmt::format("Error: {}{}{} PMNS \"{}\": {}", file.preprocessing,
                                  file.messages, has_read_ ? "Reload" : "Load", paths_.names,
                                  pm_error_text(file.code)));
    good_ = good_ && has_read_;
    return;
  }
  names_time_ = names_time;
  std::vector<CollectorSetup::OwnedLeaf>& names = out.names.emplace();
  for (const auto& [name, pmid] : file.leaves) names.push_back({.name = name, .pmid = pmid});
}

}  // namespace pmjit
