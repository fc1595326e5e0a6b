#include "rules/cmd/colors.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <ranges>
#include <utility>

namespace pmjit {

namespace {

constexpr std::string_view kRed = "\x1b[1;31m", kYellow = "\x1b[1;33m", kBlue = "\x1b[34m",
                           kGreen = "\x1b[32m", kBold = "\x1b[1m", kPlain = "\x1b[0m";

struct Colors {
  bool output = false, messages = false;
};
Colors& colors() {
  static Colors chosen;
  return chosen;
}

bool wants_color(int fd) {
  const char* const no = std::getenv("NO_COLOR");
  const char* const terminal = std::getenv("TERM");
  if (no != nullptr && *no != '\0') return false;
  if (terminal == nullptr || std::string_view(terminal) == "dumb") return false;
  return ::isatty(fd) == 1;
}

std::string in(std::string_view color, std::string_view text) {
  return fmt::format("{}{}{}", color, text, kPlain);
}

// What a line begins with, and its colour.
constexpr std::pair<std::string_view, std::string_view> kHeads[] = {
    {"error", kRed},         {"warning", kYellow}, {"note", kBlue}, {"pmjit: warning:", kYellow},
    {"pmjit: note:", kBlue}, {"pmjit", kRed},
};

// `file:3:17`, alone on a line or behind -->.
bool is_place(std::string_view text) {
  if (text.starts_with("--> ")) return true;
  const size_t column = text.rfind(':');
  const size_t line = column == text.npos || column == 0 ? text.npos : text.rfind(':', column - 1);
  if (line == text.npos || line == 0 || text.find(' ') != text.npos) return false;
  const auto digits = [](std::string_view part) {
    return !part.empty() && std::ranges::all_of(part, [](char c) { return c >= '0' && c <= '9'; });
  };
  return digits(text.substr(column + 1)) && digits(text.substr(line + 1, column - line - 1));
}

// A question that offers something, or a line of help.
std::string with_suggestion(std::string_view line) {
  constexpr std::string_view kOffer = "did you mean ", kHelp = "help:";
  const size_t offer = line.find(kOffer);
  if (offer != line.npos) {
    const size_t end = line.find('?', offer);
    const size_t size = end == line.npos ? line.npos : end + 1 - offer;
    const std::string_view rest = size == line.npos ? "" : line.substr(offer + size);
    return fmt::format("{}{}{}", line.substr(0, offer), in(kGreen, line.substr(offer, size)), rest);
  }
  const size_t help = line.find(kHelp);
  const bool leads = help != line.npos && line.find_first_not_of(" =") == help;
  if (!leads) return std::string(line);
  return fmt::format("{}{}{}", line.substr(0, help), in(kGreen, kHelp),
                     line.substr(help + kHelp.size()));
}

std::string message_line(std::string_view line) {
  for (const auto& [head, color] : kHeads) {
    if (!line.starts_with(head)) continue;
    // error[P01]: · pmjit eval: · pmjit: note:
    const size_t end = head.ends_with(':') ? head.size() : line.find(':') + 1;
    if (end == 0) break;
    return in(color, line.substr(0, end)) + with_suggestion(line.substr(end));
  }
  const size_t begin = std::min(line.find_first_not_of(' '), line.size());
  if (is_place(line.substr(begin))) {
    return std::string(line.substr(0, begin)) + in(kBlue, line.substr(begin));
  }
  const size_t marks = line.find_first_not_of(" |");
  if (marks != line.npos && line[marks] == '^') {
    const size_t end = std::min(line.find_first_not_of('^', marks), line.size());
    return std::string(line.substr(0, marks)) + in(kRed, line.substr(marks, end - marks)) +
           with_suggestion(line.substr(end));
  }
  return with_suggestion(line);
}

constexpr std::pair<std::string_view, std::string_view> kWords[] = {
    {"  true", kRed},  {"  unknown", kYellow},  {"  false", kGreen},
    {"-> true", kRed}, {"-> unknown", kYellow}, {"-> false", kGreen},
};
constexpr std::pair<std::string_view, std::string_view> kFirstWords[] = {
    {"FAIL", kRed}, {"gained", kRed}, {"lost", kYellow}, {"moved", kBlue}, {"ok  ", kGreen},
};

// The last truth of a transition: what the rule is now. The text of an action has none.
std::string result_line(std::string_view line) {
  for (const auto& [word, color] : kFirstWords) {
    if (line.starts_with(word)) return in(color, word) + std::string(line.substr(word.size()));
  }
  for (const auto& [word, color] : kWords | std::views::reverse) {
    const size_t at = line.find(word);
    const size_t end = at + word.size();
    const bool whole = at != line.npos && (end == line.size() || line[end] == ' ');
    if (!whole || line.substr(0, at).find(": ") != line.npos) continue;
    const size_t begin = line.find_first_not_of(" >-", at);
    return fmt::format("{}{}{}", line.substr(0, begin), in(color, line.substr(begin, end - begin)),
                       line.substr(end));
  }
  return std::string(line);
}

// "network at 23:04 is unknown: …", "mem.util.free: unknown: …"
std::string why_line(std::string_view line) {
  constexpr std::string_view kUnknownWord = "unknown";
  for (const std::string_view before : {": ", " is "}) {
    const size_t at = line.find(std::string(before) + std::string(kUnknownWord));
    if (at == line.npos) continue;
    const size_t begin = at + before.size(), end = begin + kUnknownWord.size();
    if (end < line.size() && line[end] != ':') continue;
    return fmt::format("{}{}{}", line.substr(0, begin), in(kYellow, kUnknownWord),
                       line.substr(end));
  }
  return std::string(line);
}

template <class PaintLine>
std::string line_by_line(std::string_view text, PaintLine paint) {
  std::string out;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    out += paint(text.substr(0, end));
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

void add_color_option(Command& program, std::string& value) {
  for (Command& verb : program.below) {
    if (verb.hidden) continue;
    verb.options.push_back(
        {.names = std::string(kColorName),
         .target = &value,
         .value = "WHEN",
         .what = "use colours",
         .choices = {{"always"}, {"auto"}, {"never"}},
         .more = "auto uses colours on a terminal. $NO_COLOR and TERM=dumb turn them off."});
    add_color_option(verb, value);
  }
}

void set_colors(std::string_view value) {
  const bool always = value == "always", automatic = value == "auto";
  colors() = {.output = always || (automatic && wants_color(STDOUT_FILENO)),
              .messages = always || (automatic && wants_color(STDERR_FILENO))};
}

Paint table_paint() {
  if (!colors().output) return {};
  return {.heading = kBold, .unknown = kYellow, .plain = kPlain};
}

bool colors_output() { return colors().output; }

std::string painted_messages(std::string_view text) {
  return colors().messages ? line_by_line(text, message_line) : std::string(text);
}

std::string painted_results(std::string_view text) {
  return colors().output ? line_by_line(text, result_line) : std::string(text);
}

std::string painted_why(std::string_view text) {
  if (!colors().output) return std::string(text);
  const size_t first = std::min(text.find('\n'), text.size());
  return in(kBold, text.substr(0, first)) + line_by_line(text.substr(first), why_line);
}

}  // namespace pmjit
