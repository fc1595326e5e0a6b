#include "runtime/archive/format/names.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>

#include "runtime/archive/format/compression.h"
#include "runtime/archive/format/folio.h"
#include "runtime/base/file.h"
#include "runtime/model/pm_error.h"

namespace pmjit {

namespace fs = std::filesystem;

namespace {

void add(std::vector<std::string>& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

// The base of each metadata file, however compressed.
Result<void> add_folder(std::vector<std::string>& names, const std::string& folder) {
  constexpr std::string_view kMeta = ".meta";
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    const std::string_view plain = take_apart(file).plain;
    if (!plain.ends_with(kMeta) || plain.size() == kMeta.size()) continue;
    const std::string_view base = plain.substr(0, plain.size() - kMeta.size());
    found.push_back((fs::path(folder) / base).string());
  }
  if (error) {
    return fail(Error(Fault::io, "cannot read the folder: " + error.message())
                    .at("folder", folder)
                    .pm_code(-error.value()));
  }
  std::ranges::sort(found);
  for (std::string& name : found) add(names, std::move(name));
  return {};
}

bool is_folio(const std::string& name) {
  std::error_code ignored;
  if (!fs::is_regular_file(name, ignored)) return false;
  const auto file = open_file(name);
  std::array<std::byte, 16> head;
  const auto got = file ? (*file)->read(0, head) : Result<size_t>(size_t{0});
  return got && starts_as_folio({reinterpret_cast<const char*>(head.data()), *got});
}

Result<void> add_item(std::vector<std::string>& names, std::string item) {
  if (item.empty()) {
    return fail(Error(Fault::not_found, "a name in the list of archives is empty")
                    .pm_code(-ENOENT)
                    .help("commas stand between the names of archives"));
  }
  std::error_code ignored;
  if (fs::is_directory(item, ignored)) return add_folder(names, item);
  if (!is_folio(item)) {
    add(names, std::move(item));
    return {};
  }
  auto entries = read_folio(item);
  if (!entries) return std::unexpected(entries.error());
  for (FolioEntry& entry : *entries) add(names, std::move(entry.archive));
  return {};
}

}  // namespace

Result<std::vector<std::string>> expand_archive_names(std::string_view spec) {
  std::vector<std::string> names;
  for (std::string_view rest = spec; !rest.empty();) {
    const size_t comma = rest.find(',');
    auto added = add_item(names, std::string(rest.substr(0, comma)));
    if (!added) return fail(added.error().at("archive", spec));
    rest.remove_prefix(comma == rest.npos ? rest.size() : comma + 1);  // a last comma is no name
  }
  if (!names.empty()) return names;
  return fail(Error(Fault::not_found,
                    spec.empty() ? "the archive's name is empty" : "there is no archive in it")
                  .at("archive", spec)
                  .pm_code(pm_err::E_LOGFILE)
                  .help("name an archive by its base (foo for foo.meta, foo.index, foo.0), or a "
                        "folder that has such files in it"));
}

}  // namespace pmjit
