// The archive's label. Source: spec tools.md §2.5.
#include "runtime/cmd/pmdumplog/dump.h"

namespace pmjit {

namespace {

// Bits that nobody knows, from the highest down.
std::string unknown_features(uint32_t features) {
  std::string out;
  for (int bit = 31; bit >= 0; --bit) {
    if (((features & ~kFeatureQa) >> bit & 1) == 0) continue;
    out += fmt::format(" bit_{:02}", bit);
  }
  return out.empty() ? out : fmt::format(" [unknown:{}]", out);
}

void dump_long(const Label& label, ToolOutput& out) {
  if (!label.timezone.empty()) out.print("Archive timezone: {}\n", label.timezone);
  if (!label.zoneinfo.empty()) out.print("Archive zoneinfo: {}\n", label.zoneinfo);
  if (label.features != 0) {
    out.print("Archive features: {:#x}{}\n", label.features, unknown_features(label.features));
  }
  out.print("PID for pmlogger: {}\n", label.pid);
}

}  // namespace

void dump_label(Dump& dump, std::optional<Stamp> end) {
  const Label& label = dump.archives.label();
  ToolOutput& out = dump.out;
  const auto stamp = [&](Stamp s) {
    std::string text = dump.stamps.date(s);
    if (dump.stamps.detail() > 2) text += fmt::format(" {}", s.sec);
    return text;
  };
  out.print("Log Label (Log Format Version {})\n", static_cast<int>(label.version));
  out.print("Performance metrics from host {}\n", label.host);
  out.print("    commencing {}\n", stamp(label.start));
  out.print("    ending     {}\n", end ? stamp(*end) : "UNKNOWN");
  if (dump.request.long_label) dump_long(label, out);
}

}  // namespace pmjit
