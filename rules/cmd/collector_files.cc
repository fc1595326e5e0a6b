#include "rules/cmd/collector_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <expected>
#include <memory>
#include <system_error>

#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

// Or errno. A folder can be opened, but not read.
std::expected<std::string, int> text_of_file(const std::string& path) {
  const std::unique_ptr<FILE, int (*)(FILE*)> file(std::fopen(path.c_str(), "re"), std::fclose);
  if (!file) return std::unexpected(errno);
  std::string out;
  std::array<char, 4'096> piece{};
  while (const size_t bytes = std::fread(piece.data(), 1, piece.size(), file.get())) {
    out.append(piece.data(), bytes);
  }
  if (std::ferror(file.get()) != 0) return std::unexpected(errno);
  return out;
}

// What pmcd says of a configuration that it cannot read; `again`: it has another one.
std::string unreadable_text(const std::string& path, int error, bool again) {
  const std::string why = std::generic_category().message(error);
  const bool is_there = ::access(path.c_str(), F_OK) == 0;
  if (again && !is_there) return fmt::format("ParseRestartAgents: stat {}: {}", path, why);
  if (error != EISDIR) return fmt::format("ParseInitAgents: open {}: {}", path, why);
  return fmt::format(
      "pmcd config[line 0]: Error: fgets failed: {}\npmcd config: Can't continue, giving up", why);
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
    good_ = false;
    out.log.push_back(unreadable_text(path, text.error(), has_read_));
    if (has_read_) out.log.emplace_back("Configuration left unchanged");
    return;
  }
  const auto access = text_of_file(access_path);
  ConfigTexts texts{.text = *text};
  if (access) texts.access = *access;
  CollectorConfig config = read_collector_config(texts, system_access_names());
  agents_ = config.agents.size();
  for (std::string& message : config.messages) out.log.push_back(std::move(message));
  good_ = config.good;
  const bool drops_all = good_ && has_read_ && config.agents.empty();
  if (good_ && !drops_all) {
    config_time_ = config_time;
    access_time_ = access_time;
    out.config = std::move(config);
    return;
  }
  if (!has_read_) return;
  out.log.push_back(fmt::format("Configuration file '{}' has {}\nConfiguration left unchanged",
                                path, drops_all ? "no valid agents" : "errors"));
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
    std::string details = file.preprocessing + file.messages;
    if (details.ends_with('\n')) details.pop_back();
    if (!details.empty()) out.log.push_back(std::move(details));
    const int takes_same = paths_.same == SameMetric::allowed ? 1 : 0;
    out.log.push_back(fmt::format("Error: pmLoadASCIINameSpace({}, {}): {}", paths_.names,
                                  takes_same, pm_error_text(file.code)));
    good_ = good_ && has_read_;
    return;
  }
  names_time_ = names_time;
  std::vector<CollectorSetup::OwnedLeaf>& names = out.names.emplace();
  for (const auto& [name, pmid] : file.leaves) names.push_back({.name = name, .pmid = pmid});
}

}  // namespace pmjit
