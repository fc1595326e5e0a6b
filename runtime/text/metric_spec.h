// A metric as pmval's operand names it: where it comes from, which metric, which instances.
//
//   parse_metric_spec("host:disk.dev.read[sda,\"my disk\"]", {})
//   parse_metric_spec("disk.dev.read", {.kind = SourceKind::archive, .source = path})
//
// Source: spec pmapi.md §14.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/result.h"

namespace pmjit {

enum class SourceKind : uint8_t { host = 0, archive = 1, local = 2 };

struct MetricSource {
  SourceKind kind = SourceKind::host;
  std::string source = "local:";  // host, archive path; "@" of a local context
  friend bool operator==(const MetricSource&, const MetricSource&) = default;
};

struct MetricSpec {
  MetricSource from;
  std::string metric;
  std::vector<std::string> instances;  // none: all
};

// A text that names no source has the one given. A failure's what() is pmParseMetricSpec's message:
// the text, a caret below the mistake, each line with its newline; its code PM_ERR_GENERIC.
[[nodiscard]] Result<MetricSpec> parse_metric_spec(std::string_view text,
                                                   const MetricSource& otherwise);

}  // namespace pmjit
