#include "rules/daemon/daemon_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// The help of an error follows in the same line.
std::string with_help_behind(std::string_view text) {
  constexpr std::string_view kHelp = "\n  help: ", kBehind = "; ";
  std::string out(text);
  for (size_t at = out.find(kHelp); at != out.npos; at = out.find(kHelp, at)) {
    out.replace(at, kHelp.size(), kBehind);
  }
  return out;
}

std::string logfmt_value(std::string_view text) {
  if (!text.empty() && std::ranges::all_of(text, is_plain)) return std::string(text);
  return json_text(clean_text(text));
}

}  // namespace

DaemonLog::DaemonLog(const Clock& clock)
    : clock_(clock), output_([this](uint64_t lines) {
        return line(LogLevel::warn, "lines of this log are lost: there was no room for them",
                    {{"lines", fmt::format("{}", lines)}});
      }) {}

Result<void> DaemonLog::change(const LogSection& section) {
  const std::scoped_lock lock(mutex_);
  if (section.file == "-") {
    output_.use_standard();
  } else if (const int error = output_.open(section.file); error != 0) {
    return fail(Error(Fault::io, std::strerror(error))
                    .at("log", section.file)
                    .help("[log] file names one that the daemon may write; - is standard error"));
  }
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

void DaemonLog::write(LogLevel level, std::string_view message, const Fields& fields) {
  const std::scoped_lock lock(mutex_);
  if (level <= section_.level) output_.write(line(level, message, fields));
}

std::string DaemonLog::line(LogLevel level, std::string_view message, const Fields& fields) const {
  const std::string time = rfc3339(clock_.wall());
  const std::string_view name = kLevels.at(static_cast<size_t>(level));
  const bool json = section_.format == LogFormat::json;
  std::string out =
      json ? fmt::format(R"({{"time":"{}","level":"{}","msg":{})", time, name, json_text(message))
           : fmt::format("time={} level={} msg={}", time, name, logfmt_value(message));
  for (const auto& [key, value] : fields) {
    out +=
        json ? fmt::format(",{}:{}", json_text(key), json_text(clean_text(with_help_behind(value))))
             : fmt::format(" {}={}", key, logfmt_value(with_help_behind(value)));
  }
  return out + (json ? "}\n" : "\n");
}

}  // namespace pmjit
