#include "rules/cmd/missing_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include "rules/cmd/time_values.h"
#include "runtime/archive/format/names.h"
#include "runtime/base/chars.h"
#include "runtime/client/host_spec.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

namespace fs = std::filesystem;

constexpr size_t kListedMax = 3;
constexpr std::array<std::string_view, 3> kMetaSuffixes = {".meta", ".meta.xz", ".meta.gz"};
constexpr std::array<std::string_view, 4> kFileSuffixes = {".pmie", ".conf", ".toml", ".case"};

bool holds_archives(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    const auto ends = [&](std::string_view suffix) { return name.ends_with(suffix); };
    if (std::ranges::any_of(kMetaSuffixes, ends)) return true;
  }
  return false;
}

// Or a folder of archives.
bool is_archive(const std::string& name) {
  std::error_code unknown;
  if (fs::is_directory(name, unknown)) return holds_archives(name);
  if (name.ends_with(".meta")) return true;
  return std::ranges::any_of(kMetaSuffixes, [&](std::string_view suffix) {
    return fs::exists(name + std::string(suffix), unknown);
  });
}

bool may_be_archive(const std::string& name) {
  return std::ranges::none_of(kFileSuffixes,
                              [&](std::string_view suffix) { return name.ends_with(suffix); });
}

// Archives of pmlogger begin with the digits of a date, and metrics have points.
bool may_be_host(const std::string& name) {
  const auto fits = [](char c) { return is_letter(c) || is_digit(c) || c == '-'; };
  return !name.empty() && is_letter(name.front()) && std::ranges::all_of(name, fits);
}

std::string listed(const std::vector<std::string>& names) {
  std::string out;
  for (size_t i = 0; i < names.size(); ++i) {
    if (i > 0) out += i + 1 == names.size() ? " and " : ", ";
    out += names[i];
  }
  return out;
}

// The path of an example that is installed with the program. Empty: no example has that name.
std::string example_archive(const std::string& name) {
  std::error_code unknown;
  const fs::path program = fs::read_symlink("/proc/self/exe", unknown);
  const fs::path path = program.parent_path().parent_path() / "share/pmjit/examples" / name;
  return fs::exists(path.string() + ".meta", unknown) ? path.string() : std::string();
}

}  // namespace

std::string missing_source(const std::vector<std::string>& arguments, bool hosts) {
  if (const auto found = std::ranges::find_if(arguments, is_archive); found != arguments.end()) {
    return fmt::format("which archive? {} is one; write -a {}", *found, *found);
  }
  const bool meant =
      arguments.size() > 1 && arguments.size() <= kListedMax && may_be_archive(arguments.back());
  if (meant) {
    return fmt::format("which archive? You gave {}; if {} is one, write -a {}", listed(arguments),
                       arguments.back(), arguments.back());
  }
  return hosts ? "no archive or host given; write -a ARCHIVE, or -h HOST for a live one"
               : "no archive given; write -a ARCHIVE";
}

std::string verb_of_file(const std::string& name) {
  std::error_code unknown;
  if (is_archive(name)) {
    return fmt::format("{0} is an archive; pmjit info {0} shows what is in it", name);
  }
  if (!fs::is_regular_file(name, unknown)) return {};
  if (name.ends_with(".pmie")) {
    return fmt::format(
        "{0} is a file; pmjit check {0} finds mistakes, pmjit run {0} -a ARCHIVE "
        "replays its rules",
        name);
  }
  if (name.ends_with(".toml")) return fmt::format("{0} is a file; did you mean run {0}?", name);
  if (name.ends_with(".conf")) return fmt::format("{0} is a file; did you mean check {0}?", name);
  if (name.ends_with(".case")) return fmt::format("{0} is a file; did you mean test {0}?", name);
  return {};
}

std::string archive_for_file(const std::vector<std::string>& files) {
  std::error_code unknown;
  for (const std::string& file : files) {
    if (fs::is_directory(file, unknown) || !is_archive(file)) continue;
    const bool base = !fs::is_regular_file(file, unknown);
    return base ? fmt::format("{0} is an archive, not a file of text; write -a {0}", file)
                : fmt::format("{} is a file of an archive, not a file of text; write -a {}", file,
                              file.substr(0, file.rfind(".meta")));
  }
  return {};
}

std::string archive_as_expression(const std::vector<std::string>& expressions) {
  std::error_code unknown;
  const auto archive = std::ranges::find_if(expressions, [&](const std::string& name) {
    return is_archive(name) && !fs::is_regular_file(name, unknown);  // of files more is said
  });
  if (archive == expressions.end()) return {};
  return fmt::format("{0} is an archive, not an expression; write -a {0}", *archive);
}

std::string archive_as_host(const std::vector<std::string>& hosts) {
  if (hosts.size() != 1 || !is_archive(hosts.front())) return {};
  return fmt::format("{0} is an archive; write -a {0}", hosts.front());
}

std::string user_as_host(const std::vector<std::string>& hosts) {
  if (hosts.size() != 1) return {};
  const std::string& host = hosts.front();
  const size_t at = host.find('@');
  if (at == 0 || at == host.npos || host.find_first_of("?/:,[") != host.npos) return {};
  const std::string user = host.substr(0, at), name = host.substr(at + 1);
  return fmt::format("{} is the host {} behind the proxy {}; to log in write '{}?user={}'", host,
                     user, name, name, user);
}

bool means_host(const std::string& name) {
  std::error_code unknown;
  if (fs::exists(name, unknown) || find_files(name).has_value()) return false;
  const size_t colon = name.rfind(':');
  const bool has_port = colon != name.npos && colon + 1 < name.size() &&
                        name.find_first_not_of("0123456789", colon + 1) == name.npos;
  // 10.0.0.7
  const bool is_address = std::ranges::count(name, '.') == 3 && is_digit(name.back()) &&
                          name.find_first_not_of("0123456789.") == name.npos;
  return is_address || name == "localhost" || name == "local:" || name.starts_with("pcp://") ||
         name.starts_with("pcps://") || has_port;
}

std::string host_as_archive(const std::vector<std::string>& archives) {
  for (const std::string& name : archives) {
    if (const std::string_view host = host_of_url(name); !host.empty()) {
      return fmt::format(
          "{} is not an archive, and pmjit asks no host over HTTP; did you mean -h {}?", name,
          host);
    }
    if (means_host(name)) {
      return fmt::format("{0} is not an archive; did you mean -h {0}?", name);
    }
    const auto files = find_files(name);
    const bool is_slip = !files && files.error().help().starts_with("did you mean");
    const bool in_part = !files && files.error().pm_code() == pm_err::E_LOGFILE;
    std::error_code unknown;
    if (files || is_slip || in_part || fs::exists(name, unknown) || !may_be_host(name)) continue;
    const std::string example = example_archive(name);
    if (!example.empty()) {
      return fmt::format("there is no archive {} here; the example is {}", name, example);
    }
    return fmt::format(
        "there is no archive {0}; name it by its base, or write -h {0} for a live host", name);
  }
  return {};
}

std::string time_as_file(const std::vector<std::string>& files, std::string_view option) {
  std::error_code unknown;
  for (const std::string& file : files) {
    const bool is_time = std::ranges::any_of(file, is_digit) && wrong_time(file).empty();
    if (!is_time || fs::exists(file, unknown)) continue;
    const std::string typed = file.contains(' ') ? fmt::format("\"{}\"", file) : file;
    return fmt::format("{0} is a time; write {1} {0}", typed, option);
  }
  return {};
}

std::string turned_source(const std::vector<std::string>& files,
                          const std::vector<std::string>& archives) {
  if (files.size() != 1 || archives.size() != 1) return {};
  const std::string &file = files.front(), &archive = archives.front();
  if (is_archive(file) && file == archive) {
    return fmt::format("{0} is an archive, and -a names it already; write RULES.pmie -a {0}", file);
  }
  std::error_code unknown;
  const bool is_turned =
      is_archive(file) && !may_be_archive(archive) && fs::is_regular_file(archive, unknown);
  if (!is_turned) return {};
  return fmt::format("{0} is an archive, and {1} a file; write {1} -a {0}", file, archive);
}

}  // namespace pmjit
