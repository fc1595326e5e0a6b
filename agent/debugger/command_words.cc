// The words of a line of dbpmda.
#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "agent/debugger/debug_session.h"

namespace pmjit {

namespace {

constexpr std::string_view kBlanks = " \t\r";

bool is_name_start(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool in_name(char c) {
  return is_name_start(c) || is_digit(c) || std::string_view("_./:-").contains(c);
}

// "29.0.5", "42", "0x10"; more than three parts are the next word's.
CommandWord number_word(std::string_view line, size_t at) {
  CommandWord out{.kind = CommandWord::Kind::number};
  size_t end = at;
  while (out.numbers.size() < 3) {
    const bool hex = line.substr(end).starts_with("0x");
    size_t stop = end + (hex ? 2 : 0);
    while (stop < line.size() && is_digit(line[stop])) ++stop;
    const std::string digits(line.substr(end, stop - end));
    out.numbers.push_back(
        static_cast<uint32_t>(std::strtoul(digits.c_str(), nullptr, hex ? 16 : 10)));
    end = stop;
    if (end + 1 >= line.size() || line[end] != '.' || !is_digit(line[end + 1])) break;
    ++end;
  }
  out.text = line.substr(at, end - at);
  out.end = end;
  return out;
}

CommandWord word_at(std::string_view line, size_t at) {
  const char first = line[at];
  if (is_digit(first)) return number_word(line, at);
  if (is_name_start(first)) {
    const auto* const stop =
        std::find_if_not(line.begin() + static_cast<ptrdiff_t>(at), line.end(), in_name);
    const auto end = static_cast<size_t>(stop - line.begin());
    return {.kind = CommandWord::Kind::name,
            .text = std::string(line.substr(at, end - at)),
            .end = end};
  }
  if (first == '"' || first == '\'') {
    const size_t end = line.find(first, at + 1);
    if (end != line.npos && end > at + 1) {
      return {.kind = CommandWord::Kind::string,
              .text = std::string(line.substr(at + 1, end - at - 1)),
              .end = end + 1};
    }
  }
  return {.kind = first == ',' ? CommandWord::Kind::comma : CommandWord::Kind::other,
          .text = std::string(1, first),
          .end = at + 1};
}

}  // namespace

std::vector<CommandWord> command_words(std::string_view line) {
  std::vector<CommandWord> out;
  size_t at = 0;
  while ((at = line.find_first_not_of(kBlanks, at)) != line.npos && line[at] != '#') {
    out.push_back(word_at(line, at));
    at = out.back().end;
  }
  return out;
}

std::vector<CommandWord> path_words(std::string_view line) {
  std::vector<CommandWord> out;
  size_t at = 0;
  while ((at = line.find_first_not_of(kBlanks, at)) != line.npos && line[at] != '#') {
    const size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
    out.push_back({.kind = CommandWord::Kind::name,
                   .text = std::string(line.substr(at, end - at)),
                   .end = end});
    at = end;
  }
  return out;
}

}  // namespace pmjit
