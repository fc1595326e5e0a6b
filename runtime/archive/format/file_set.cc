#include "runtime/archive/format/file_set.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <filesystem>

#include "runtime/archive/format/compression.h"
#include "runtime/model/pm_error.h"

namespace pmjit {

namespace fs = std::filesystem;

namespace {

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
  return exists(path) || std::ranges::any_of(kCompressionSuffixes, [&](const auto& suffix) {
           return exists(path + std::string(suffix.text));
         });
}

std::string base_of_name(const std::string& name) {
  std::string base = exists_somehow(name) ? base_of(name) : std::string();
  return base.empty() ? name : base;
}

struct Member {
  std::string path{};
  size_t rank = SIZE_MAX;  // the lowest of all forms that are there
  void offer(const fs::path& other, size_t other_rank) {
    if (other_rank < rank) path = other.string(), rank = other_rank;
  }
};

struct FoundMembers {
  Member meta{}, index{};
  std::map<int32_t, Member> volumes{};
  bool any = false;
};

// The member that a part of a name stands for; null: a number that no volume can have.
Member* member_of(FoundMembers& found, std::string_view part) {
  if (part == "meta") return &found.meta;
  if (part == "index") return &found.index;
  int32_t number = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
  return error == std::errc() ? &found.volumes[number] : nullptr;
}

Result<FoundMembers> scan(const std::string& base) {
  FoundMembers found;
  const fs::path base_path(base);
  const fs::path folder = base_path.parent_path();
  const std::string wanted = base_path.filename().string() + ".";
  std::error_code error;
  fs::directory_iterator it(folder.empty() ? fs::path(".") : folder, error);
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    if (!file.starts_with(wanted)) continue;
    const auto [plain, compression, rank] = take_apart(file);
    const std::string_view part = part_of(plain);
    if (part.empty() || part.size() + wanted.size() != plain.size()) continue;
    found.any = true;
    if (Member* member = member_of(found, part)) member->offer(folder / file, rank);
  }
  if (error && error != std::errc::no_such_file_or_directory) {
    return fail(Error(Fault::io, "cannot read the folder: " + error.message())
                    .at("archive", base)
                    .pm_code(-error.value()));
  }
  return found;
}

}  // namespace

std::string base_of(std::string_view file_name) {
  const std::string_view plain = take_apart(file_name).plain;
  const std::string_view part = part_of(plain);
  if (part.empty()) return {};
  return std::string(plain.substr(0, plain.size() - part.size() - 1));
}

Result<FileSet> find_files(const std::string& name) {
  if (name.empty()) {
    return fail(Error(Fault::not_found, "the archive's name is empty").pm_code(pm_err::E_LOGFILE));
  }
  FileSet set{.base = base_of_name(name)};
  auto found = scan(set.base);
  if (!found) return std::unexpected(found.error());
  if (!found->any) {
    const bool is_there = exists(name);
    return fail(Error(is_there ? Fault::format : Fault::not_found,
                      is_there ? "this file is not one of an archive" : "No such file or directory")
                    .at("archive", name)
                    .pm_code(-ENOENT)
                    .help("name an archive by its base: foo for foo.meta, foo.index, foo.0"));
  }
  set.meta = std::move(found->meta.path);
  set.index = std::move(found->index.path);
  for (auto& [number, member] : found->volumes) set.volumes[number] = std::move(member.path);
  if (set.meta.empty() || set.volumes.empty()) {
    const char* what = set.meta.empty() ? "its metadata file .meta is missing"
                                        : "it has no data volume (.0, .1 …)";
    return fail(Error(Fault::not_found, what)
                    .at("archive", set.base)
                    .pm_code(pm_err::E_LOGFILE)
                    .help("copy all files of the archive together"));
  }
  return set;
}

}  // namespace pmjit
