#include "runtime/cmd/arguments.h"

#include <fmt/core.h>
#include <strings.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace pmjit {

namespace {

struct EnvironmentVariable {
  std::string_view name;  // behind PCP_
  Standard option;
};

constexpr EnvironmentVariable kVariables[] = {
    {"ALIGN_TIME", Standard::align},
    {"START_TIME", Standard::start},
    {"FINISH_TIME", Standard::finish},
    {"ORIGIN", Standard::origin},
    {"ORIGIN_TIME", Standard::origin},
    {"ARCHIVE", Standard::archive},
    {"ARCHIVE_LIST", Standard::archive_list},
    {"FOLIO", Standard::archive_folio},
    {"HOST", Standard::host},
    {"HOST_LIST", Standard::host_list},
    {"SPECLOCAL", Standard::spec_local},
    {"LOCALMODE", Standard::local},
    {"LOCALPMDA", Standard::local},
    {"NAMESPACE", Standard::name_space},
    {"UNIQNAMES", Standard::unique_names},
    {"INTERVAL", Standard::interval},
    {"SAMPLES", Standard::samples},
    {"TIMEZONE", Standard::zone},
    {"HOSTZONE", Standard::host_zone},
    {"GUIMODE", Standard::gui_mode},
    {"GUIPORT", Standard::gui_port},
    {"DEBUG", Standard::debug},
};

bool is_debug_flag(const std::string& name) {
#define DEBUG_FLAGS(...) static constexpr const char* kFlags[] = {__VA_ARGS__, "all"};
#include "runtime/text/debug_flags.def"
#undef DEBUG_FLAGS
  return std::ranges::any_of(kFlags,
                             [&](const char* flag) { return strcasecmp(flag, name.c_str()) == 0; });
}

bool is_number(const std::string& text) {
  char* end = nullptr;
  (void)std::strtol(text.c_str(), &end, 10);
  return *end == '\0';
}

}  // namespace

Arguments::Arguments(const OptionTable& table, int argc, const char* const* argv)
    : table_(table),
      words_(argv + std::min(argc, 1), argv + argc),
      operands_end_options_(table.operands_end_options ||
                            std::getenv("POSIXLY_CORRECT") != nullptr) {}

std::optional<Arguments::Found> Arguments::next() {
  if (!letters_.empty()) return letter();
  while (word_ < words_.size()) {
    const std::string_view word = words_[word_++];
    if (word == "--" || (operands_end_options_ && (word.size() < 2 || word[0] != '-'))) {
      if (word != "--") --word_;
      operands_.insert(operands_.end(), words_.begin() + static_cast<ptrdiff_t>(word_),
                       words_.end());
      word_ = words_.size();
      return std::nullopt;
    }
    if (word.starts_with("--")) return long_option(word.substr(2));
    if (word.size() > 1 && word[0] == '-') {
      letters_ = word.substr(1);
      return letter();
    }
    operands_.emplace_back(word);
  }
  return std::nullopt;
}

Arguments::Found Arguments::letter() {
  const char letter = letters_[0];
  letters_.remove_prefix(1);
  const auto row = std::ranges::find_if(table_.rows, [&](const OptionRow& r) {
    return r.letter == letter && r.letter_works && !r.is_section;
  });
  if (row == table_.rows.end()) return {.mistake = fmt::format("invalid option -- '{}'", letter)};
  Found found{.row = &*row};
  if (row->argument.empty()) return found;
  if (!letters_.empty()) {
    found.argument = letters_;
    letters_ = {};
  } else if (word_ < words_.size()) {
    found.argument = words_[word_++];
  } else {
    return {.mistake = fmt::format("option requires an argument -- '{}'", letter)};
  }
  return found;
}

// A name that is given in full is meant, whatever else begins with it.
std::vector<const OptionRow*> Arguments::candidates(std::string_view name) const {
  std::vector<const OptionRow*> out;
  for (const OptionRow& row : table_.rows) {
    if (row.name.empty() || !row.name.starts_with(name)) continue;
    if (row.name == name) return {&row};
    out.push_back(&row);
  }
  // The C library names the first one first and the others from the last to the second.
  if (out.size() > 2) std::reverse(out.begin() + 1, out.end());
  return out;
}

Arguments::Found Arguments::long_option(std::string_view text) {
  const size_t equals = text.find('=');
  const auto rows = candidates(text.substr(0, equals));
  if (rows.empty()) return {.mistake = fmt::format("unrecognized option '--{}'", text)};
  if (rows.size() > 1) {
    std::string mistake = fmt::format("option '--{}' is ambiguous; possibilities:", text);
    for (const OptionRow* row : rows) mistake += fmt::format(" '--{}'", row->name);
    return {.mistake = std::move(mistake)};
  }
  Found found{.row = rows[0]};
  const bool takes_one = !found.row->argument.empty();
  if (equals != text.npos) {
    if (!takes_one) {
      return {.mistake = fmt::format("option '--{}' doesn't allow an argument", found.row->name)};
    }
    found.argument = text.substr(equals + 1);
  } else if (takes_one) {
    if (word_ == words_.size()) {
      return {.mistake = fmt::format("option '--{}' requires an argument", found.row->name)};
    }
    found.argument = words_[word_++];
  }
  return found;
}

std::optional<Standard> option_of_variable(std::string_view name) {
  constexpr std::string_view kPrefix = "PCP_";
  if (!name.starts_with(kPrefix)) return std::nullopt;
  name.remove_prefix(kPrefix.size());
  const auto found = std::ranges::find(kVariables, name, &EnvironmentVariable::name);
  if (found == std::end(kVariables)) return std::nullopt;
  return found->option;
}

bool is_debug_spec(std::string_view spec) {
  if (is_number(std::string(spec))) return true;
  while (!spec.empty()) {
    const size_t comma = std::min(spec.find(','), spec.size());
    if (!is_debug_flag(std::string(spec.substr(0, comma)))) return false;
    spec.remove_prefix(std::min(comma + 1, spec.size()));
  }
  return true;
}

}  // namespace pmjit
