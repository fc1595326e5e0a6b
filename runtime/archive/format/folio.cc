#include "runtime/archive/format/folio.h"

#include <fmt/core.h>

#include <cerrno>
#include <cstring>

#include "runtime/base/file.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

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

}  // namespace

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

}  // namespace pmjit
