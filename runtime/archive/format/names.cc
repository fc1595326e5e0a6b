#include "runtime/archive/format/names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "runtime/archive/format/decompressor.h"
#include "runtime/base/file.h"
#include "runtime/base/limits.h"
#include "runtime/base/near.h"
#include "runtime/model/pm_codes.h"

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
                    .help("separate the names of archives with commas"));
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

constexpr std::string_view kMagic = "PCPFolio", kVersion = "Version: 1", kEntry = "Archive:";
constexpr std::string_view kBlanks = " \t\r";

// Takes a line off `text`, which is not empty.
std::string_view take_line(std::string_view& text) {
  const size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == text.npos ? text.size() : end + 1);
  return line;
}

// Takes a word off `line`; empty: there is none.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, line.find_first_of(kBlanks));
  line.remove_prefix(word.size());
  return word;
}

Error folio_error(std::string what) {
  return Error(Fault::format, std::move(what))
      .help(
          "a folio begins with the lines \"PCPFolio\" and \"Version: 1\"; then a line for each "
          "archive, \"Archive: HOST NAME\"");
}

Result<std::string> text_of(const std::string& path) {
  if (path.empty()) return fail(Fault::usage, "cannot open empty archive folio name");
  auto file = open_file(path);
  if (file) {
    auto bytes = read_whole(**file, limits::kFolioBytesMax);
    if (bytes) return std::string(reinterpret_cast<const char*>(bytes->data()), bytes->size());
    return fail(bytes.error().at("folio", path));
  }
  // What is there and is no file has no first line.
  const int code = file.error().pm_code();
  if (code == -EISDIR || code == -EINVAL) return std::string();
  return fail(Error(file.error().fault(),
                    fmt::format("cannot open archive folio {}: {}", path, std::strerror(-code)))
                  .pm_code(code));
}

std::string beside(const std::string& folio, std::string_view archive) {
  if (archive.starts_with('/')) return std::string(archive);
  const size_t slash = folio.rfind('/');
  const std::string folder = slash == folio.npos ? "." : folio.substr(0, slash);
  return folder + "/" + std::string(archive);
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

// How a file of several is unpacked; "": its name is not that of one.
std::string_view unpacking(std::string_view name) {
  constexpr std::string_view kTars[] = {".tar",    ".tgz",    ".txz",     ".tbz2",
                                        ".tar.gz", ".tar.xz", ".tar.bz2", ".tar.zst"};
  const auto ends = [&](std::string_view suffix) { return name.ends_with(suffix); };
  if (std::ranges::any_of(kTars, ends)) return "tar xf";
  return name.ends_with(".zip") ? "unzip" : "";
}

Error no_archive(const std::string& name) {
  const bool is_there = exists(name);
  std::string help = "name an archive by its base: foo for foo.meta, foo.index, foo.0";
  if (const std::string_view unpacks = unpacking(name); is_there && !unpacks.empty()) {
    help = fmt::format("unpack it with {} {}, and name the archive that was in it", unpacks, name);
  }
  std::vector<std::string> others;
  const fs::path folder = fs::path(name).parent_path();
  if (!is_there && add_folder(others, folder.empty() ? "." : folder.string())) {
    for (std::string& other : others) other = fs::path(other).filename().string();
    if (const auto near = near_paths(name, others); !near.empty()) help = near_names_text(near);
  }
  return Error(is_there ? Fault::format : Fault::not_found,
               is_there ? "is not a PCP archive" : "No such file or directory")
      .at("archive", name)
      .pm_code(-ENOENT)
      .help(std::move(help));
}

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

namespace {

// Of a folder that has data without what describes them. "": it has none.
std::string lacking_metadata(const std::string& folder) {
  std::error_code error;
  fs::directory_iterator it(folder, error);
  for (const fs::directory_iterator end; !error && it != end; it.increment(error)) {
    const std::string file = it->path().filename().string();
    const std::string base = base_of(file);
    if (base.empty() || !it->is_regular_file(error)) continue;
    return fmt::format("it has {} and no {}.meta: copy all files of the archive together", file,
                       base);
  }
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
  std::string help = spec.empty() ? std::string() : lacking_metadata(std::string(spec));
  if (help.empty()) {
    help =
        "name an archive by its base (foo for foo.meta, foo.index, foo.0), or a folder that has "
        "such files in it";
  }
  return fail(Error(Fault::not_found,
                    spec.empty() ? "the archive's name is empty" : "there is no archive in it")
                  .at("archive", spec)
                  .pm_code(pm_err::E_LOGFILE)
                  .help(std::move(help)));
}

bool starts_as_folio(std::string_view text) { return text.starts_with(kMagic); }

Result<std::vector<FolioEntry>> read_folio(const std::string& path) {
  const auto all = text_of(path);
  if (!all) return std::unexpected(all.error());
  std::string_view text = *all;
  const auto no = [&](std::string_view what) {
    return fail(folio_error(fmt::format("archive folio {} {}", path, what)));
  };
  if (text.empty()) return no("has no header");
  if (!starts_as_folio(take_line(text))) return no("has bad magic");
  if (text.empty()) return no("has no version");
  if (!take_line(text).starts_with(kVersion)) {
    return fail(folio_error(fmt::format("unknown version archive folio {}", path)));
  }
  std::vector<FolioEntry> entries;
  for (int number = 3; !text.empty(); ++number) {
    std::string_view line = take_line(text);
    if (!line.starts_with(kEntry)) continue;
    take_word(line);  // "Archive:", with whatever is glued to it
    const std::string_view host = take_word(line), archive = take_word(line);
    if (archive.empty()) {
      const char* missing = host.empty() ? "host" : "path";
      return fail(folio_error(fmt::format("missing {} on archive folio line {}", missing, number)));
    }
    entries.push_back({std::string(host), beside(path, archive)});
  }
  return entries;
}

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
  if (!found->any) return fail(no_archive(name));
  set.meta = std::move(found->meta.path);
  set.index = std::move(found->index.path);
  for (auto& [number, member] : found->volumes) set.volumes[number] = std::move(member.path);
  if (set.meta.empty() || set.volumes.empty()) {
    const std::string what =
        set.meta.empty() ? fmt::format("its metadata file {}.meta is missing", set.base)
                         : fmt::format("its data volumes are missing, such as {}.0", set.base);
    return fail(Error(Fault::not_found, what)
                    .at("archive", set.base)
                    .pm_code(pm_err::E_LOGFILE)
                    .help("copy all files of the archive together"));
  }
  return set;
}

}  // namespace pmjit
