// case_guard FOLDER: sees that the cases cover what they should. Every row of
// compiler/diag/diag.def occurs in an `expect diag`; every operator of compiler/ir/ops.def in the
// Ir of an eval case in which some value is absent; every text of a stage in an `expect`; and
// leaving out any one pass changes some `expect ir-opt`; every PDU is in a wire case. Prints what
// is missing; exit 0: nothing is.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "compiler/diag/diag.h"
#include "compiler/ir/ir.h"
#include "compiler/ir/print.h"
#include "compiler/ir/read.h"
#include "compiler/passes/passes.h"
#include "runtime/testing/case_file.h"
#include "runtime/wire/pdu.h"
#include "tests/lib/expressions.h"
#include "tests/lib/memory_source.h"
#include "tests/lib/run_text.h"

namespace pmjit::cases {
namespace {

constexpr std::string_view kStages[] = {"ast", "print", "types", "ir", "ir-opt", "plan"};

struct Covered {
  std::set<std::string> codes;
  std::set<Op> ops;
  std::set<std::string> expected;  // titles of sections
  std::set<std::string_view> passes;
  std::set<std::string> pdus;
};

// In the samples, or in what comes out.
bool has_absent_value(const CaseFile& file, const CaseRecording& recording) {
  const Section* result = file.find("expect result");
  if (result != nullptr && result->body.find('?') != std::string::npos) return true;
  const Section* samples = file.find("samples");
  if (samples == nullptr) return false;
  if (std::ranges::any_of(recording.records, &SampleRecord::mark)) return true;
  for (const CaseLine& line : plain_lines(*samples)) {
    for (const std::string& word : split_words(line.text)) {
      if (word == "_" || word == "-" || word == "!") return true;
    }
  }
  return false;
}

void cover_ops(const CaseFile& file, Covered& covered) {
  const auto recordings = read_recordings_of(file);
  if (!recordings || !has_absent_value(file, recordings->front())) return;
  const Outcome outcome = run_sema(file, memory_carrier(*recordings));
  for (const char* name : {"ir", "ir-opt"}) {
    auto ir = read_ir(outcome.texts.at(name));
    if (!ir) continue;
    for (const Node& node : ir->nodes) covered.ops.insert(node.op);
  }
}

// A pass that did nothing would be seen by this case.
void cover_passes(const CaseFile& file, Covered& covered) {
  if (file.find("expect ir-opt") == nullptr) return;
  Outcome outcome;
  if (file.tag("run", "") == "ir") {
    outcome = run_ir(file);
  } else if (const auto recordings = read_recordings_of(file)) {
    outcome = run_sema(file, memory_carrier(*recordings));
  }
  const auto ir = read_ir(outcome.texts["ir"]);
  if (!ir) return;
  for (const Pass& pass : passes()) {
    const auto without = with_passes(*ir, pass.name);
    if (without && print(*without) != outcome.texts["ir-opt"]) covered.passes.insert(pass.name);
  }
}

// Of rules: `error[D06]: …`.
void cover_messages(const std::string& body, Covered& covered) {
  constexpr std::string_view kHead = "error[";
  for (const std::string& line : split_lines(body)) {
    if (!line.starts_with(kHead)) continue;
    covered.codes.insert(line.substr(kHead.size(), line.find(']') - kHead.size()));
  }
}

// Operators that no expression has.
void cover_rules(const std::string& body, Covered& covered) {
  if (body.contains("%_inst")) covered.ops.insert(Op::at_least);
  if (body.contains("@1")) covered.ops.insert(Op::earlier);
  if (body.contains("== \"")) covered.ops.insert(Op::equals);
  if (body.contains("rising")) covered.ops.insert(Op::rising);
  if (body.contains("falling")) covered.ops.insert(Op::falling);
}

void cover(const CaseFile& file, Covered& covered) {
  for (const Section& section : file.sections) {
    covered.expected.insert(section.title);
    if (section.title == "rules") cover_rules(section.body, covered);
    const bool sound_pdu = file.tag("run", "") == "wire" && !file.must_fail();
    if (sound_pdu && section.title == "expect message") {
      covered.pdus.insert(section.body.substr(0, section.body.find(' ')));
    }
    if (section.title == "expect messages") cover_messages(section.body, covered);
    if (section.title != "expect diag") continue;
    for (const std::string& line : split_lines(expand(section.body))) {
      covered.codes.insert(line.substr(0, line.find(' ')));
    }
  }
  if (file.tag("run", "") == "eval") cover_ops(file, covered);
  cover_passes(file, covered);
}

int report_missing(const Covered& covered) {
  int missing = 0;
  constexpr DiagCode kCodes[] = {
#define DIAG(name, ...) DiagCode::name,
#include "compiler/diag/diag.def"
#undef DIAG
  };
  for (DiagCode code : kCodes) {
    if (covered.codes.contains(std::string(diag_code_text(code)))) continue;
    fmt::print("diagnostic {} is in no `expect diag`\n", diag_code_text(code));
    ++missing;
  }
  for (size_t i = 0; i < all_ops().size(); ++i) {
    if (covered.ops.contains(static_cast<Op>(i))) continue;
    fmt::print("operator {} is in no eval case with an absent value\n", all_ops()[i].name);
    ++missing;
  }
  for (const Pass& pass : passes()) {
    if (covered.passes.contains(pass.name)) continue;
    fmt::print("no `expect ir-opt` needs the pass {}\n", pass.name);
    ++missing;
  }
  for (const wire::PduRow& row : wire::pdu_rows()) {
    if (covered.pdus.contains(std::string(row.text))) continue;
    fmt::print("no wire case has a PDU {}\n", row.text);
    ++missing;
  }
  for (std::string_view stage : kStages) {
    if (covered.expected.contains(fmt::format("expect {}", stage))) continue;
    fmt::print("no case has a section `expect {}`\n", stage);
    ++missing;
  }
  fmt::print("{} diagnostics, {} operators, {} passes, {} stages, {} PDUs, {} not covered\n",
             std::size(kCodes), all_ops().size(), passes().size(), std::size(kStages),
             wire::pdu_rows().size(), missing);
  return missing == 0 ? 0 : 1;
}

int guard(const std::string& folder) {
  Covered covered;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".case") continue;
    auto text = read_text_file(entry.path());
    if (!text) continue;
    // A file that is no case fails as a test of its own.
    if (auto file = parse_case(entry.path(), *text)) cover(*file, covered);
  }
  return report_missing(covered);
}

}  // namespace
}  // namespace pmjit::cases

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} FOLDER\n", argv[0]);
    return 2;
  }
  return pmjit::cases::guard(argv[1]);
}
