#include "runtime/pmns/pmns_scanner.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <utility>

#include "runtime/base/chars.h"

namespace pmjit {

namespace {

constexpr size_t kLineMax = 255;  // characters of a line; beyond, the reference gives up
constexpr uint32_t kDomainMax = 510, kClusterMax = 4095, kItemMax = 1023;

bool is_name(std::string_view word) {
  return !word.empty() && is_letter(word[0]) &&
         std::ranges::all_of(word, [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_path(std::string_view word) {
  for (;;) {
    const size_t dot = word.find('.');
    if (!is_name(word.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    word.remove_prefix(dot + 1);
  }
}

bool looks_like_pmid(std::string_view word) {
  return word[0] != ':' && std::ranges::count(word, ':') <= 3 &&
         std::ranges::all_of(word, [](char c) { return is_digit(c) || c == ':' || c == '*'; });
}

// Of blanks the first of a row counts; beside a colon and at the start of a line none does.
std::string squeezed(std::string_view line) {
  std::string out;
  for (const char c : line) {
    if (c == ':' && !out.empty() && is_blank(out.back())) out.pop_back();
    if (is_blank(c) && (out.empty() || out.back() == ':' || is_blank(out.back()))) continue;
    out += c;
  }
  return out;
}

// As the reference reads a number: the low 32 bits of 64, of the largest where it is larger.
std::optional<uint32_t> take_number(std::string_view& text) {
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end == text.data()) return std::nullopt;
  if (error == std::errc::result_out_of_range) value = INT64_MAX;
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return static_cast<uint32_t>(value);
}

constexpr PmId pmid_of(uint32_t domain, uint32_t cluster, uint32_t item) {
  return (domain & 0x1ff) << 22 | (cluster & 0xfff) << 10 | (item & 0x3ff);
}

struct ReadPmid {
  PmId pmid = kNullId;
  std::string_view mistake{};
};

ReadPmid read_pmid(std::string_view text) {
  const auto too_large = [](uint32_t value, uint32_t max) {
    return static_cast<int32_t>(value) > static_cast<int32_t>(max);
  };
  std::array<uint32_t, 3> fields{};
  size_t count = 0;
  for (; count < fields.size(); ++count) {
    if (count != 0) {
      if (!text.starts_with(':')) break;
      text.remove_prefix(1);
    }
    const auto number = take_number(text);
    if (!number) break;
    fields[count] = *number;
  }
  if (count == fields.size()) {
    if (too_large(fields[0], kDomainMax)) return {.mistake = "Illegal domain field in PMID"};
    if (too_large(fields[1], kClusterMax)) return {.mistake = "Illegal cluster field in PMID"};
    if (too_large(fields[2], kItemMax)) return {.mistake = "Illegal item field in PMID"};
    return {.pmid = pmid_of(fields[0], fields[1], fields[2])};
  }
  if (count != 1 || (!text.empty() && text != "*:*")) return {.mistake = "Illegal PMID"};
  if (too_large(fields[0], kDomainMax)) return {.mistake = "Illegal domain field in dynamic PMID"};
  return {.pmid = pmid_of(kDynamicDomain, fields[0], 0)};
}

}  // namespace

PmnsScanner::Token PmnsScanner::next() {
  for (;;) {
    while (at_ < line_.size() && is_blank(line_[at_])) ++at_;
    if (at_ < line_.size()) break;
    if (rest_.empty()) return {.kind = Kind::end};
    if (!next_line()) return {.kind = Kind::failed};
  }
  word_ = at_;
  while (at_ < line_.size() && !is_blank(line_[at_])) ++at_;
  const std::string_view word = std::string_view(line_).substr(*word_, at_ - *word_);
  if (word == "{") return {.kind = Kind::open, .text = word};
  if (word == "}") return {.kind = Kind::close, .text = word};
  if (is_name(word)) return {.kind = Kind::name, .text = word};
  if (is_path(word)) return {.kind = Kind::path, .text = word};
  if (!looks_like_pmid(word)) return {.kind = Kind::other, .text = word};
  const ReadPmid read = read_pmid(word);
  if (!read.mistake.empty()) {
    complain(read.mistake);
    return {.kind = Kind::other};
  }
  return {.kind = Kind::pmid, .text = word, .pmid = read.pmid};
}

// False: what comes cannot be understood.
bool PmnsScanner::next_line() {
  const size_t end = std::min(rest_.find('\n'), rest_.size());
  std::string_view line = rest_.substr(0, end);
  const bool too_long = line.size() >= kLineMax;
  line = line.substr(0, kLineMax);
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
  at_ = 0;
  line_ = squeezed(line);
  if (too_long) {
    line_ += line.substr(line_.size());  // as the reference shows it
    complain("Absurdly long line, cannot recover");
    return false;
  }
  if (!std::exchange(numbered_, false) && number_ != INT32_MAX) ++number_;
  return !line_.starts_with('#') || take_marker();
}

// `# NUMBER "FILE"`: where the next line is from.
bool PmnsScanner::take_marker() {
  std::string_view text = std::string_view(line_).substr(1);
  const auto skip = [&] {
    while (!text.empty() && is_blank(text[0])) text.remove_prefix(1);
  };
  skip();
  if (const auto number = take_number(text)) {
    number_ = static_cast<int32_t>(*number);
    skip();
    const size_t close = text.find('"', 1);
    if (text.starts_with('"') && close != std::string_view::npos) {
      file_ = text.substr(1, close - 1);
      line_.clear();
      numbered_ = true;
      return true;
    }
  }
  complain("Illegal line number control number");
  return false;
}

void PmnsScanner::complain(std::string_view what) {
  if (number_ > 0) messages_ += fmt::format("[{}:{}] ", file_, number_);
  messages_ += fmt::format("Error Parsing ASCII PMNS: {}\n", what);
  if (number_ <= 0) return;
  messages_ += fmt::format("    {}\n", line_);
  if (!word_) return;
  // The line is lost by it: a second message shows what is left.
  line_.resize(std::min(line_.size(), *word_));
  line_.resize(*word_, ' ');
  std::ranges::replace_if(line_, [](char c) { return c != '\t'; }, ' ');
  line_ += '^';
  messages_ += fmt::format("    {}\n", line_);
  at_ = line_.size();
}

void PmnsScanner::complain_of_names(std::string_view what) {
  line_ = what;
  complain(fmt::format("{}\n", what));
}

}  // namespace pmjit
