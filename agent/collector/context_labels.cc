// Labels of the context: what the machine is called, and what label files say of it.
// Source: spec collector-and-agents.md §1.11.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "agent/collector/collector_core.h"
#include "runtime/base/blanks.h"
#include "runtime/base/local_host.h"
#include "runtime/text/print_value.h"

namespace pmjit {

namespace {

constexpr size_t kLabelFileBytesMax = 65'536;
constexpr size_t kLabelFilesMax = 1'000;

using LabelsByName = std::map<std::string, AgentLabel>;

// In the order of their names; hidden ones are passed over.
std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> out;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const bool hidden = entry->path().filename().native().starts_with('.');
    if (!hidden && entry->is_regular_file(error) && out.size() < kLabelFilesMax) {
      out.push_back(entry->path());
    }
  }
  std::ranges::sort(out);
  return out;
}

// A later file wins; one that is no JSON object is passed over.
void add_files(const std::filesystem::path& folder, bool optional, LabelsByName& out) {
  for (const std::filesystem::path& path : files_in(folder)) {
    std::error_code error;
    if (std::filesystem::file_size(path, error) > kLabelFileBytesMax || error) continue;
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();  // of what has become a folder: nothing
    const auto labels = flat_labels(text.view());
    if (!labels) continue;
    for (const auto& [name, value] : *labels) {
      out[name] = {.name = name, .value = value, .optional = optional, .of_file = true};
    }
  }
}

// labels.conf: "machineid_hash = sha256", in the section [global].
bool hashes_machine_id(const std::string& folder) {
  std::ifstream file(folder + "/labels.conf");
  bool global = true, out = false;
  for (std::string line; std::getline(file, line);) {
    const std::string_view text = without_blanks(line);
    const size_t equals = text.find('=');
    if (text.starts_with('[')) global = text == "[global]";
    if (!global || text.starts_with('#') || equals == std::string_view::npos) continue;
    if (without_blanks(text.substr(0, equals)) == "machineid_hash") {
      out = without_blanks(text.substr(equals + 1)) == "sha256";
    }
  }
  return out;
}

}  // namespace

std::vector<AgentLabel> file_labels(const std::string& folder) {
  if (folder.empty()) return {};
  LabelsByName all;
  const std::filesystem::path labels = std::filesystem::path(folder) / "labels";
  add_files(labels, false, all);
  add_files(labels / "optional", true, all);
  std::vector<AgentLabel> out;
  for (auto& [name, label] : all) out.push_back(std::move(label));
  return out;
}

MachineLabels read_machine_labels(const CollectorState& state) {
  const std::string& folder = state.label_folder;
  const std::string host = state.host_name.empty() ? local_host_name() : state.host_name;
  MachineLabels out{
      .own = {{"domainname", json_string(local_domain_name())}, {"hostname", json_string(host)}},
      .of_files = file_labels(folder)};
  if (const std::string machine = local_machine_id(); !machine.empty()) {
    const bool hashed = !folder.empty() && hashes_machine_id(folder);
    out.own.push_back({hashed ? "machineid_sha256" : "machineid",
                       json_string(hashed ? sha256_text(machine) : machine)});
  }
  return out;
}

// A label of a file replaces none of ours.
std::vector<AgentLabel> context_labels(const AgentAsker& asker, const CollectorState& state,
                                       const MachineLabels& machine) {
  std::vector<AgentLabel> out = machine.own;
  const auto client = state.clients.find(asker.client);
  if (client != state.clients.end() && !client->second.container.empty()) {
    out.push_back({"container", json_string(client->second.container)});
  }
  if (asker.group_id) out.push_back({"groupid", fmt::format("{}", *asker.group_id), true});
  if (asker.user_id) out.push_back({"userid", fmt::format("{}", *asker.user_id), true});
  for (const AgentLabel& label : machine.of_files) {
    if (std::ranges::find(out, label.name, &AgentLabel::name) == out.end()) out.push_back(label);
  }
  return out;
}

}  // namespace pmjit
