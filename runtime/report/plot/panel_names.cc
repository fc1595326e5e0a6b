#include "runtime/report/plot/panel_texts.h"

#include <algorithm>

namespace pmjit {

namespace {

constexpr std::string_view kRate = "rate(";

bool is_plain_name(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '.';
  });
}

bool all_alike(const std::vector<SeriesName>& names, std::string SeriesName::* part) {
  return std::ranges::all_of(
      names, [&](const SeriesName& name) { return name.*part == names.front().*part; });
}

// web1 and read: "web1:read".
std::string after_host(const std::string& host, std::string_view rest) {
  if (host.empty() || rest.empty()) return host + std::string(rest);
  return host + ":" + std::string(rest);
}

}  // namespace

std::string_view SeriesName::parent() const {
  if (!is_plain) return {};
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? std::string_view() : std::string_view(name).substr(0, dot);
}

std::string_view SeriesName::leaf() const {
  const size_t above = parent().size();
  return std::string_view(name).substr(above == 0 ? 0 : above + 1);
}

std::string SeriesName::with_host() const { return after_host(host, name); }

SeriesName series_name(const ResultInfo& info) {
  SeriesName out{.host = info.host, .name = info.name};
  std::string_view inner = info.name;
  if (inner.starts_with(kRate) && inner.ends_with(')')) {
    inner.remove_prefix(kRate.size());
    inner.remove_suffix(1);
    out.is_rate = is_plain_name(inner);
    if (out.is_rate) out.name = std::string(inner);
  }
  out.is_plain = is_plain_name(out.name);
  return out;
}

PanelNames panel_names(const std::vector<SeriesName>& names) {
  PanelNames out;
  const bool one_name = all_alike(names, &SeriesName::name);
  const bool one_host = all_alike(names, &SeriesName::host);
  out.title = one_name ? names.front().name : std::string(names.front().parent());
  if (one_host) out.title = after_host(names.front().host, out.title);
  for (const SeriesName& name : names) {
    out.rests.push_back(
        after_host(one_host ? "" : name.host, one_name ? std::string_view() : name.leaf()));
  }
  return out;
}

}  // namespace pmjit
