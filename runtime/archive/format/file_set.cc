#include "runtime/archive/format/file_set.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <filesystem>
#include <optional>

#include "runtime/model/pm_error.h"

namespace pmjit {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 8> kCompressions = {".xz", ".lzma", ".bz2", ".bz",
                                                           ".gz", ".Z",    ".z",   ".zst"};

std::string_view without_compression(std::string_view name) {
  for (std::string_view suffix : kCompressions) {
    if (name.ends_with(suffix)) return name.substr(0, name.size() - suffix.size());
  }
  return name;
}

// The part behind the last dot, if it is one of an archive: "meta", "index" or digits.
std::string_view part_of(std::string_view name) {
  const size_t dot = name.rfind('.');
  if (dot == std::string_view::npos) return {};
  const std::string_view part = name.substr(dot + 1);
  const bool digits = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
  return part == "meta" || part == "index" || digits ? part : std::string_view{};
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

bool exists_somehow(const std::string& path) {
  return exists(path) || std::ranges::any_of(kCompressions, [&](std::string_view suffix) {
           return exists(path + std::string(suffix));
         });
}

Error unsupported(const std::string& place, std::string what, std::string help) {
  return Error(Fault::unsupported, std::move(what)).at("archive", place).help(std::move(help));
}

Result<std::string> base_of_name(const std::string& name) {
  if (name.empty()) {
    return fail(Error(Fault::not_found, "the archive's name is empty").pm_code(pm_err::E_LOGFILE));
  }
  std::error_code ignored;
  if (fs::is_directory(name, ignored)) {
    return fail(unsupported(name, "is a directory; a directory of archives is not supported yet",
                            "name one archive in it"));
  }
  if (exists_somehow(name)) {
    if (std::string base = base_of(name); !base.empty()) return base;
    return name;
  }
  if (name.contains(',')) {
    return fail(unsupported(name, "is a list; reading several archives as one is not supported yet",
                            "name one archive, or join them with pmlogextract first"));
  }
  return name;
}

struct Found {
  FileSet set{};
  std::string compressed{};  // a member that is there in compressed form only
  bool any = false;
};

void add_member(Found& found, const std::string& path, std::string_view part, bool plain) {
  found.any = true;
  if (part == "index") {
    if (plain)
      found.set.index = path;  // a compressed index is not worth a refusal: nobody needs it
    return;
  }
  if (part == "meta") {
    if (plain) found.set.meta = path;
    if (!plain && found.set.meta.empty()) found.compressed = path;
    return;
  }
  int32_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  if (error != std::errc() || end != part.data() + part.size()) return;
  if (plain) {
    found.set.volumes[number] = path;
  } else {
    found.compressed = path;
  }
}

Found scan(const std::string& base) {
  Found found{.set = {.base = base}};
  const fs::path base_path(base);
  const fs::path folder = base_path.has_parent_path() ? base_path.parent_path() : fs::path(".");
  const std::string wanted = base_path.filename().string() + ".";
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    if (!file.starts_with(wanted)) continue;
    const std::string_view plain = without_compression(file);
    const std::string_view part = part_of(plain);
    if (part.empty() || part.size() + wanted.size() != plain.size()) continue;
    const bool is_plain = plain.size() == file.size();
    if (!is_plain && exists((folder / plain).string())) continue;
    const fs::path path = base_path.has_parent_path() ? folder / file : fs::path(file);
    add_member(found, path.string(), part, is_plain);
  }
  return found;
}

}  // namespace

std::string base_of(std::string_view file_name) {
  const std::string_view plain = without_compression(file_name);
  const std::string_view part = part_of(plain);
  if (part.empty()) return {};
  return std::string(plain.substr(0, plain.size() - part.size() - 1));
}

Result<FileSet> find_files(const std::string& name) {
  auto base = base_of_name(name);
  if (!base) return std::unexpected(base.error());
  Found found = scan(*base);
  if (!found.any) {
    std::error_code unknown;
    const bool is_file = fs::exists(name, unknown);
    return fail(Error(is_file ? Fault::format : Fault::not_found,
                      is_file ? "this file is not one of an archive" : "No such file or directory")
                    .at("archive", name)
                    .pm_code(-ENOENT)
                    .help("name an archive by its base: foo for foo.meta, foo.index, foo.0"));
  }
  if (!found.compressed.empty()) {
    return fail(unsupported(
        *base, fmt::format("{} is compressed; that is not supported yet", found.compressed),
        "decompress the archive's files first (xz -d, gzip -d, zstd -d …)"));
  }
  if (found.set.meta.empty() || found.set.volumes.empty()) {
    const char* what = found.set.meta.empty() ? "its metadata file .meta is missing"
                                              : "it has no data volume (.0, .1 …)";
    return fail(Error(Fault::not_found, what)
                    .at("archive", *base)
                    .pm_code(pm_err::E_LOGFILE)
                    .help("copy all files of the archive together"));
  }
  return std::move(found.set);
}

}  // namespace pmjit
