// Which pmloggers and pmies run here, as each says in a file PID of its folder. Source: spec
// tools.md (pmlogger), rules-language.md §23 (pmie).
#include <sys/types.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "agent/pmcd/pmcd_agent.h"
#include "runtime/base/installed.h"

namespace pmjit {

namespace {

constexpr size_t kToolFileBytesMax = 65'536;
// Of a pmie: texts, a float and seven numbers, as its machine has them.
constexpr size_t kEngineFileBytes = 8'292;
constexpr uint32_t kEngineFileVersion = 1;  // which is written last

bool runs(pid_t process) { return ::kill(process, 0) == 0 || errno == EPERM; }

// 0: no number of a process.
pid_t process_of(const std::string& name) {
  pid_t out = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), out);
  return error == std::errc() && end == name.data() + name.size() && out > 0 ? out : 0;
}

std::string bytes_of(const std::filesystem::path& path) {
  std::error_code error;
  const bool fits = std::filesystem::is_regular_file(path, error) &&
                    std::filesystem::file_size(path, error) <= kToolFileBytesMax;
  if (!fits || error) return "";
  std::ifstream file(path, std::ios::binary);
  std::string out(kToolFileBytesMax, '\0');
  file.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<size_t>(file.gcount()));
  return out;
}

// By process.
std::map<int32_t, std::string> files_of_tools(const std::filesystem::path& folder) {
  std::map<int32_t, std::string> out;
  std::error_code error;
  std::filesystem::directory_iterator entry(folder, error);
  for (; !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    const pid_t process = process_of(entry->path().filename().native());
    if (process != 0 && runs(process)) out.emplace(process, bytes_of(entry->path()));
  }
  return out;
}

std::string text_at(std::string_view bytes, size_t at, size_t size) {
  const std::string_view field = bytes.substr(at, size);
  return std::string(field.substr(0, field.find('\0')));
}

template <class Number>
Number number_at(std::string_view bytes, size_t at) {
  Number out{};
  std::memcpy(&out, bytes.data() + at, sizeof out);
  return out;
}

std::string take_line(std::string_view& text) {
  const size_t end = std::min(text.find('\n'), text.size());
  std::string out(text.substr(0, end));
  text.remove_prefix(std::min(end + 1, text.size()));
  return out;
}

template <class Facts>
void add_primary(int32_t process, std::map<int32_t, Facts>& tools) {
  const auto found = tools.find(process);
  if (found != tools.end()) tools.emplace(0, found->second);
}

}  // namespace

PmcdPlaces installed_places() {
  return {.temporary = installed("PCP_TMP_DIR", "/var/lib/pcp/tmp"),
          .run = installed("PCP_RUN_DIR", "/run/pcp")};
}

std::map<int32_t, LoggerFacts> running_loggers(const PmcdPlaces& places) {
  std::map<int32_t, LoggerFacts> out;
  if (places.temporary.empty()) return out;
  const std::filesystem::path folder = places.temporary + "/pmlogger";
  for (const auto& [process, bytes] : files_of_tools(folder)) {
    std::string_view rest = bytes;
    const std::string port = take_line(rest);
    LoggerFacts facts;
    facts.host = take_line(rest);
    facts.archive = take_line(rest);
    const char* const end = port.data() + port.size();
    const bool whole = std::from_chars(port.data(), end, facts.port).ptr == end;
    if (whole && !port.empty() && !facts.archive.empty()) out.emplace(process, std::move(facts));
  }
  std::error_code error;
  const auto primary = std::filesystem::read_symlink(folder / "primary", error);
  add_primary(process_of(primary.filename().native()), out);
  return out;
}

std::map<int32_t, EngineFacts> running_engines(const PmcdPlaces& places) {
  std::map<int32_t, EngineFacts> out;
  if (places.temporary.empty()) return out;
  for (const auto& [process, bytes] : files_of_tools(places.temporary + "/pmie")) {
    if (bytes.size() != kEngineFileBytes) continue;
    EngineFacts facts{.rules_file = text_at(bytes, 0, 4'097),
                      .log_file = text_at(bytes, 4'097, 4'097),
                      .host = text_at(bytes, 8'194, 65),
                      .expected = number_at<float>(bytes, 8'260)};
    for (size_t i = 0; i < facts.counts.size(); ++i) {
      facts.counts[i] = number_at<uint32_t>(bytes, 8'264 + i * sizeof(uint32_t));
    }
    if (facts.counts.back() == kEngineFileVersion) out.emplace(process, std::move(facts));
  }
  std::ifstream primary(places.run + "/pmie.pid");
  std::string process;
  std::getline(primary, process);
  add_primary(process_of(process), out);
  return out;
}

}  // namespace pmjit
