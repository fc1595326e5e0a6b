// pmerr: the texts of error codes. Source: spec pmapi.md §24.5.
//
// It takes options in its first word only, so that codes may begin with a hyphen. What looks like a
// number is read as scanf() reads it: "12abc" is 12, and a hexadecimal one has no sign.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <vector>

#include "runtime/cmd/dropin.h"
#include "runtime/cmd/options.h"
#include "runtime/cmd/session.h"
#include "runtime/model/pm_codes.h"

namespace pmjit {

namespace {

constexpr OptionRow kErrRows[] = {
    own('l', "list", "", "print every code with its name and its text"),
    standard(Standard::help),
};
constexpr OptionTable kErrTable{.usage = "[options] [code]", .rows = kErrRows};

struct ErrorRow {
  int code;
  std::string_view name, text;
};
constexpr ErrorRow kErrors[] = {
#define PM_ERROR(name, code, text) {code, "PM_ERR_" #name, text},
#include "runtime/model/pm_errors.def"
#undef PM_ERROR
};

// The list is by number, but for those that came late to a group: behind which one they stand.
double place_of(int code) {
  switch (code) {
    case pm_err::E_TYPE: return -pm_err::E_INST + 0.5;
    case pm_err::E_TLS: return -pm_err::E_IPC + 0.5;
    case pm_err::E_LOGFILE: return -pm_err::E_LOGREC + 0.5;
    case pm_err::E_PMDANOTREADY: return -pm_err::E_NONLEAF + 0.1;
    case pm_err::E_PMDAREADY: return -pm_err::E_NONLEAF + 0.2;
    case pm_err::E_BOTCH: return -pm_err::E_NONLEAF + 0.3;
    case pm_err::E_TOOSMALL: return -pm_err::E_NONLEAF + 0.4;
    case pm_err::E_TOOBIG: return -pm_err::E_NONLEAF + 0.5;
    case pm_err::E_FAULT: return -pm_err::E_NONLEAF + 0.6;
    default: return -code;
  }
}

void put_list(ToolOutput& out) {
  std::vector<ErrorRow> rows(std::begin(kErrors), std::end(kErrors));
  std::ranges::stable_sort(rows, {}, [](const ErrorRow& row) { return place_of(row.code); });
  out << "  Code  Symbolic Name          Message\n";
  for (const ErrorRow& row : rows) out.print("{:6}  {:<22} {}\n", row.code, row.name, row.text);
}

bool is_hexadecimal(const std::string& text) {
  if (!text.starts_with("0x") && !text.starts_with("0X")) return false;
  return text.size() > 2 && std::all_of(text.begin() + 2, text.end(),
                                        [](unsigned char c) { return std::isxdigit(c) != 0; });
}

// Numbers that are too large lose their upper bits.
std::optional<int> code_of_word(const std::string& word) {
  char* end = nullptr;
  if (is_hexadecimal(word)) {
    return static_cast<int>(static_cast<uint32_t>(std::strtoul(word.c_str(), &end, 16)));
  }
  const long number = std::strtol(word.c_str(), &end, 10);
  if (end == word.c_str()) return std::nullopt;
  return static_cast<int>(static_cast<uint32_t>(number));
}

void put_code(const std::string& word, ToolOutput& out) {
  auto code = code_of_word(word);
  if (!code) {
    out.print("Cannot decode \"{}\" - neither decimal nor hexadecimal\n", word);
    return;
  }
  if (*code > 0) {
    *code = -*code;
    out.print("Code is positive, assume you mean {}\n", *code);
  }
  out.print("Code: {} 0x{:x} Text: {}\n", *code, static_cast<uint32_t>(*code),
            pm_error_text(*code));
}

bool is_option(std::string_view word) {
  return word.starts_with('-') &&
         (word.size() < 2 || std::isxdigit(static_cast<unsigned char>(word[1])) == 0);
}

}  // namespace

int run_pmerr(int argc, const char* const* argv, DerivedMetrics&, const Clock&) {
  const std::string program = program_name(argc, argv);
  Messages messages(program);
  ToolOutput out;
  const std::string_view first = argc > 1 ? argv[1] : "";
  if (argc > 1 && is_option(first)) {
    if (first == "-l" || first == "--list") {
      put_list(out);
    } else {
      if (first != "-?" && first != "--help") {
        messages.add(fmt::format("Illegal option -- {}\n", first.substr(1)));
      }
      messages.add(usage_text(program, kErrTable));
    }
    return end_dropin(out, messages, 1);
  }
  for (int i = 1; i < argc; ++i) put_code(argv[i], out);
  return end_dropin(out, messages, 0);
}

}  // namespace pmjit
