#include "rules/daemon/daemon_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "rules/sinks/alert_json.h"
#include "runtime/report/text/quoting.h"

namespace pmjit {

namespace {

constexpr auto kLevels = std::to_array<std::string_view>({"error", "warn", "info", "debug"});

bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("_./:@%+,-").contains(c);
}

std::string logfmt_value(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  return json_text(clean_text(text));
}

}  // namespace

Result<void> DaemonLog::change(const LogSection& section) {
  std::FILE* next = stderr;
  if (section.file != "-") {
    next = std::fopen(section.file.c_str(), "ae");
    if (next == nullptr) {
      return fail(Error(Fault::io, std::strerror(errno))
                      .at("log", section.file)
                      .help("[log] file names one that the daemon may write; - is standard error"));
    }
  }
  const std::scoped_lock lock(mutex_);
  close();
  file_ = next;
  section_ = section;
  return {};
}

Result<void> DaemonLog::reopen() {
  LogSection as_it_is;
  {
    const std::scoped_lock lock(mutex_);
    as_it_is = section_;
  }
  return change(as_it_is);
}

void DaemonLog::close() {
  if (file_ != stderr) std::fclose(file_);
  file_ = stderr;
}

void DaemonLog::write(LogLevel level, std::string_view message, const Fields& fields) {
  const std::string time = rfc3339(clock_.wall());
  const std::string_view name = kLevels.at(static_cast<size_t>(level));
  const std::scoped_lock lock(mutex_);
  if (level > section_.level) return;
  const bool json = section_.format == LogFormat::json;
  std::string line =
      json ? fmt::format(R"({{"time":"{}","level":"{}","msg":{})", time, name, json_text(message))
           : fmt::format("time={} level={} msg={}", time, name, logfmt_value(message));
  for (const auto& [key, value] : fields) {
    line += json ? fmt::format(",{}:{}", json_text(key), json_text(clean_text(value)))
                 : fmt::format(" {}={}", key, logfmt_value(value));
  }
  line += json ? "}\n" : "\n";
  // Nobody who reads the log is no reason to stop.
  (void)std::fwrite(line.data(), 1, line.size(), file_);
  (void)std::fflush(file_);
}

}  // namespace pmjit
