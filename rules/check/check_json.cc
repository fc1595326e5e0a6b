#include "rules/check/check_output.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

#include "runtime/report/text/quoting.h"

namespace pmjit {

namespace {

// A finding or a note, as programs read it.
struct ToldRow {
  std::string_view level;
  std::string code{};  // empty: a note
  LineColumn at;
  std::string message, help;
};

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

constexpr std::string_view kNote = "note";

ToldRow row_of(const Finding& finding) {
  return {.level = level_text(finding.level),
          .code = std::string(code_text(finding)),
          .at = finding.at,
          .message = finding.diag.message,
          .help = help_of(finding)};
}

ToldRow row_of(const CheckNote& note) {
  ToldRow out{.level = kNote, .at = note.at, .message = note.message, .help = note.help};
  for (const std::string& detail : note.details) out.message += "; " + detail;
  return out;
}

// Of each file, in its order.
template <class F>
void each_row(std::span<const CheckedFile> files, bool differences, F&& f) {
  for (const CheckedFile& file : files) {
    for (const Finding& finding : file.findings) {
      if (differences || finding.level != Level::difference) f(file, row_of(finding));
    }
    for (const CheckNote& note : file.notes) f(file, row_of(note));
    for (const CheckNote& note : file.comparisons) f(file, row_of(note));
  }
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

std::string result_of(const CheckedFile& file, const ToldRow& row) {
  std::string text = row.message;
  if (!row.help.empty()) text += " (" + row.help + ")";
  const bool is_difference = row.level == level_text(Level::difference);
  std::string out =
      fmt::format(R"({{{}"level":"{}","message":{{"text":{}}})",
                  row.code.empty() ? "" : fmt::format(R"("ruleId":{},)", json_text(row.code)),
                  is_difference ? kNote : row.level, json_text(text));
  if (!file.name.empty()) {
    out += fmt::format(R"(,"locations":[{{"physicalLocation":{{"artifactLocation":{{"uri":{}}},)"
                       R"("region":{{"startLine":{},"startColumn":{}}}}}}}])",
                       json_text(uri_of(file.name)), row.at.line, row.at.column);
  }
  return out + "}";
}

}  // namespace

std::string json_of(std::span<const CheckedFile> files, bool differences) {
  std::string out;
  each_row(files, differences, [&](const CheckedFile& file, const ToldRow& row) {
    out += fmt::format(
        R"({{"file":{},"line":{},"column":{},"level":"{}","code":{},"message":{},"help":{}}})"
        "\n",
        json_text(file.name), row.at.line, row.at.column, row.level, json_text(row.code),
        json_text(row.message), json_text(row.help));
  });
  return out;
}

std::string sarif_of(std::span<const CheckedFile> files, bool differences,
                     std::string_view version) {
  std::map<std::string, std::string> rules;
  std::vector<std::string> results;
  each_row(files, differences, [&](const CheckedFile& file, const ToldRow& row) {
    if (!row.code.empty()) {
      rules.emplace(row.code,
                    fmt::format(R"({{"id":{},"help":{{"text":{}}}}})", json_text(row.code),
                                json_text("pmjit explain " + row.code)));
    }
    results.push_back(result_of(file, row));
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
