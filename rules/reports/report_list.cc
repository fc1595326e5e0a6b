#include "rules/reports/report_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string_view>
#include <system_error>

#include "runtime/base/near.h"

namespace pmjit {
namespace {

namespace fs = std::filesystem;

struct EmbeddedReport {
  std::string_view name, text;
};
constexpr EmbeddedReport kEmbedded[] = {
#define REPORT(name, text) {name, text},
#include "report_files.inc"
#undef REPORT
};

constexpr std::string_view kSuffix = ".toml";

bool is_path(std::string_view word) { return word.contains('/') || word.ends_with(kSuffix); }

std::string text_or_nothing(const char* value) { return value == nullptr ? "" : value; }

}  // namespace

// A relative XDG_CONFIG_HOME does not count, as its specification says.
std::string user_report_folder() {
  std::string base = text_or_nothing(std::getenv("XDG_CONFIG_HOME"));
  if (!base.starts_with('/')) {
    base = text_or_nothing(std::getenv("HOME"));
    if (base.empty()) return "";
    base += "/.config";
  }
  return fs::path(base) / "pmjit" / "reports";
}

std::vector<ListedReport> listed_reports() {
  std::map<std::string, std::string> paths;
  for (const EmbeddedReport& report : kEmbedded) paths.emplace(report.name, "");
  if (const std::string folder = user_report_folder(); !folder.empty()) {
    std::error_code unknown;
    for (fs::directory_iterator it(folder, unknown), end; !unknown && it != end;
         it.increment(unknown)) {
      const fs::path& path = it->path();
      const std::string name = path.stem().string();
      if (path.extension() == kSuffix && !name.starts_with('.')) paths[name] = path.string();
    }
  }
  std::vector<ListedReport> out;
  for (auto& [name, path] : paths) out.push_back({.name = name, .path = path});
  return out;
}

Result<FoundReport> find_report(const std::string& word, ReadReport read) {
  std::string path = is_path(word) ? word : "";
  if (path.empty()) {
    const std::vector<ListedReport> reports = listed_reports();
    const auto found = std::ranges::find(reports, word, &ListedReport::name);
    if (found == reports.end()) {
      std::vector<std::string> names;
      for (const ListedReport& report : reports) names.push_back(report.name);
      const std::string own = "./" + word + std::string(kSuffix);
      std::error_code unknown;
      const std::string near = near_names_text(
          fs::exists(own, unknown) ? std::vector<std::string>{own} : near_names(word, names));
      return fail(
          Error(Fault::usage, fmt::format("no report {}{}{}", word, near.empty() ? "" : "; ", near))
              .help("`pmjit explain reports` lists all; a file is named by its path, "
                    "./mine.toml"));
    }
    path = found->path;
  }
  if (path.empty()) {
    const auto found = std::ranges::find(kEmbedded, word, &EmbeddedReport::name);
    return FoundReport{
        .file = {.name = word + std::string(kSuffix), .text = std::string(found->text)}};
  }
  auto text = read(path);
  if (!text) return fail(text.error());
  return FoundReport{.file = {.name = path, .text = *std::move(text)}, .is_own = true};
}

}  // namespace pmjit
