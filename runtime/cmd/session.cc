#include "runtime/cmd/session.h"

#include <fmt/core.h>

#include "runtime/model/pm_error.h"

namespace pmjit {

namespace {

std::string reason(const Error& error) {
  return error.pm_code() != 0 ? pm_error_text(error.pm_code()) : error.text();
}

WindowSpec spec_of(const Options& options) {
  const auto view = [](const std::optional<std::string>& text) {
    return text ? std::optional<std::string_view>(*text) : std::nullopt;
  };
  return {.start = view(options.start),
          .finish = view(options.finish),
          .align = view(options.align),
          .origin = view(options.origin)};
}

}  // namespace

ReportZone report_zone(const Options& options, const Label& label) {
  if (options.host_zone) {
    return {
        .zone = Zone(label.timezone),
        .note = fmt::format("Note: timezone set to local timezone of host \"{}\" from archive\n\n",
                            label.host)};
  }
  if (options.zone) {
    return {.zone = Zone(*options.zone),
            .note = fmt::format("Note: timezone set to \"TZ={}\"\n\n", *options.zone)};
  }
  return {};
}

Result<Window> report_window(const Options& options, Stamp start, Stamp end, Zone& zone,
                             const Clock& clock) {
  return parse_window(spec_of(options),
                      {.start = start, .end = end, .now = unix_seconds(clock.wall())}, zone);
}

Result<Window> report_micro_window(const Options& options, Stamp start, Stamp end, Zone& zone,
                                   const Clock& clock) {
  return parse_micro_window(spec_of(options),
                            {.start = start, .end = end, .now = unix_seconds(clock.wall())}, zone);
}

std::string_view not_yet(bool archive) {
  if (!archive) return "live hosts are not supported yet: name an archive with -a";
  return {};
}

int end_dropin(ToolOutput& out, Messages& messages, int status) {
  if (!out.flush()) {
    messages.complain("standard output: cannot write all of it");
    status = 1;
  }
  messages.flush();
  return status;
}

std::string cannot_open(const std::string& archive, const Error& error) {
  return fmt::format("Cannot open archive \"{}\": {}", archive, reason(error));
}

std::string invalid_window(const Error& error) {
  return fmt::format("invalid time window.\n{}", error.what());
}

std::string no_end_warning(const std::string& program, const std::string& archive,
                           const Error& error) {
  return fmt::format(
      "{}: Cannot locate end of archive {}: {}\n\n"
      "WARNING: This archive is sufficiently damaged that it may not be possible to\n"
      "         produce complete information.  Continuing and hoping for the best.\n\n",
      program, archive, reason(error));
}

}  // namespace pmjit
