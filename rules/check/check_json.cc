#include "rules/check/check_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "runtime/report/text/quoting.h"

namespace pmjit {

namespace {

template <class F>
void each_finding(std::span<const CheckedFile> files, bool differences, F&& f) {
  for (const CheckedFile& file : files) {
    for (const Finding& finding : file.findings) {
      if (differences || finding.level != Level::difference) f(file, finding);
    }
  }
}

// What is said beside the message: labels at the place, then ways out.
std::string help_of(const Finding& finding) {
  std::string out;
  const auto add = [&](const std::string& text) {
    if (!text.empty()) out += (out.empty() ? "" : "; ") + text;
  };
  for (const DiagLabel& label : finding.diag.labels) {
    if (label.span == finding.diag.span || label.text.starts_with("did you mean")) add(label.text);
  }
  for (const std::string& help : finding.diag.helps) add(help);
  return out;
}

std::string_view sarif_level(Level level) {
  switch (level) {
    case Level::error: return "error";
    case Level::warning: return "warning";
    case Level::difference: return "note";
  }
  return "none";
}

// Bytes that cannot stand in a URI as they are.
std::string uri_of(std::string_view path) {
  constexpr std::string_view kPlain = "-._~/";
  std::string out;
  for (const char c : path) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (letter || kPlain.contains(c)) {
      out += c;
    } else {
      out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return out;
}

std::string result_of(const CheckedFile& file, const Finding& finding) {
  std::string text = finding.diag.message;
  if (const std::string help = help_of(finding); !help.empty()) text += " (" + help + ")";
  std::string out =
      fmt::format(R"({{"ruleId":{},"level":"{}","message":{{"text":{}}})",
                  json_text(code_text(finding)), sarif_level(finding.level), json_text(text));
  if (!file.name.empty()) {
    out += fmt::format(R"(,"locations":[{{"physicalLocation":{{"artifactLocation":{{"uri":{}}},)"
                       R"("region":{{"startLine":{},"startColumn":{}}}}}}}])",
                       json_text(uri_of(file.name)), finding.at.line, finding.at.column);
  }
  return out + "}";
}

}  // namespace

std::string json_of(std::span<const CheckedFile> files, bool differences) {
  std::string out;
  each_finding(files, differences, [&](const CheckedFile& file, const Finding& finding) {
    out += fmt::format(
        R"({{"file":{},"line":{},"column":{},"level":"{}","code":{},"message":{},"help":{}}})"
        "\n",
        json_text(file.name), finding.at.line, finding.at.column, level_text(finding.level),
        json_text(code_text(finding)), json_text(finding.diag.message),
        json_text(help_of(finding)));
  });
  return out;
}

std::string sarif_of(std::span<const CheckedFile> files, bool differences,
                     std::string_view version) {
  std::map<std::string, std::string> rules;
  std::vector<std::string> results;
  each_finding(files, differences, [&](const CheckedFile& file, const Finding& finding) {
    const std::string code(code_text(finding));
    rules.emplace(code, fmt::format(R"({{"id":{},"help":{{"text":{}}}}})", json_text(code),
                                    json_text("pmjit explain " + code)));
    results.push_back(result_of(file, finding));
  });
  std::vector<std::string> rule_texts;
  for (const auto& [code, text] : rules) rule_texts.push_back(text);
  return fmt::format(
      R"({{"$schema":"https://json.schemastore.org/sarif-2.1.0.json","version":"2.1.0",)"
      R"("runs":[{{"tool":{{"driver":{{"name":"pmjit","version":{},"rules":[{}]}}}},)"
      R"("columnKind":"unicodeCodePoints","results":[{}]}}]}})"
      "\n",
      json_text(version), fmt::join(rule_texts, ","), fmt::join(results, ",\n"));
}

}  // namespace pmjit
