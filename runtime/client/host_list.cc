#include "runtime/client/host_list.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <utility>

#include "runtime/base/chars.h"
#include "runtime/base/limits.h"

namespace pmjit {
namespace {

constexpr size_t kNumberDigitsMax = 9;

// A part of a list: one text, or those that stand in brackets.
using Choices = std::vector<std::string>;

template <class... Texts>
std::unexpected<HostListProblem> no_list(size_t offset, size_t length, Texts&&... texts) {
  return std::unexpected(HostListProblem{offset, length, std::forward<Texts>(texts)...});
}

std::unexpected<HostListProblem> too_many(std::string_view text) {
  return no_list(0, text.size(), fmt::format("more than {} hosts", limits::kListedHostsMax),
                 "write fewer; one list may have so many");
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, is_digit);
}

// An end for numbers that have none: 001 to 009, 40 to 99.
std::string last_like(std::string_view first) {
  std::string out(first);
  const size_t digit = std::min(out.find_first_not_of('0'), out.size() - 1);
  std::fill(out.begin() + static_cast<std::ptrdiff_t>(digit), out.end(), '9');
  return out;
}

// 1..3, 1~3, 1to3: numbers with another sign between them than ours. "": it is none.
std::string numbers_meant(std::string_view choice) {
  const auto is_no_digit = [](char c) { return !is_digit(c); };
  const auto sign = std::ranges::find_if(choice, is_no_digit) - choice.begin();
  const std::string_view rest = choice.substr(static_cast<size_t>(sign));
  for (const std::string_view other : {"...", "..", "~", "to", "–", "—"}) {
    const bool here = rest.starts_with(other) && sign > 0 && all_digits(rest.substr(other.size()));
    if (here) {
      return fmt::format("{}-{}", choice.substr(0, static_cast<size_t>(sign)),
                         rest.substr(other.size()));
    }
  }
  return "";
}

// Where the , of web1,web2 is; not those of web[1,2], nor of ports: web1:44321,4321. npos: there is
// none.
size_t comma_between_hosts(std::string_view text) {
  if (text.find_first_of("/?") != text.npos) return text.npos;
  bool within = false, has_port = false;
  for (size_t i = 0; i < text.size(); ++i) {
    within = text[i] == '[' || (within && text[i] != ']');
    has_port = has_port || (!within && text[i] == ':');
    if (within || text[i] != ',') continue;
    const std::string_view next = text.substr(i + 1);
    if (!has_port || !all_digits(next.substr(0, next.find(',')))) return i;
  }
  return text.npos;
}

// Reads the brackets of a list, one after the other.
class HostListReader {
 public:
  explicit HostListReader(std::string_view text) : text_(text) {}

  std::expected<std::vector<Choices>, HostListProblem> parts() {
    std::vector<Choices> out;
    for (size_t at = 0; at < text_.size();) {
      const size_t open = std::min(text_.find_first_of("[]", at), text_.size());
      if (open > at) out.push_back({std::string(text_.substr(at, open - at))});
      if (open == text_.size()) break;
      if (text_[open] == ']') return no_list(open, 1, "] without [", "write web[1-40]");
      const size_t close = text_.find(']', open);
      if (close == text_.npos) return no_list(open, 1, "[ without ]", "write web[1-40]");
      const std::string_view inside = text_.substr(open + 1, close - open - 1);
      if (inside.find(':') != inside.npos) {
        out.push_back({std::string(text_.substr(open, close + 1 - open))});  // an address
      } else if (auto added = add_choices(inside, open + 1, out); !added) {
        return std::unexpected(added.error());
      }
      at = close + 1;
    }
    return out;
  }

 private:
  using Done = std::expected<void, HostListProblem>;

  Done add_choices(std::string_view inside, size_t offset, std::vector<Choices>& out) {
    Choices choices;
    while (true) {
      const size_t comma = std::min(inside.find(','), inside.size());
      if (auto added = add_choice(inside.substr(0, comma), offset, choices); !added) return added;
      if (comma == inside.size()) break;
      inside.remove_prefix(comma + 1);
      offset += comma + 1;
    }
    out.push_back(std::move(choices));
    return {};
  }

  Done add_choice(std::string_view choice, size_t offset, Choices& out) {
    if (choice.empty()) return no_list(offset, 0, "nothing between the signs", "write [1-3,7]");
    const size_t bad = choice.find_first_of("[ \t");
    if (bad != choice.npos) {
      return no_list(offset + bad, 1, fmt::format("\"{}\" within brackets", choice[bad]),
                     "write [1-3,7]");
    }
    const size_t dash = choice.find('-');
    const std::string_view from = choice.substr(0, dash);
    const std::string_view to = dash == choice.npos ? "" : choice.substr(dash + 1);
    if (all_digits(from) && all_digits(to)) return count(choice, from, to, offset, out);
    if (dash != choice.npos && (all_digits(from) ? to.empty() : from.empty() && all_digits(to))) {
      return no_list(offset, choice.size(),
                     to.empty() ? "the numbers have no end" : "the numbers have no begin",
                     to.empty()
                         ? in_place(choice, offset, fmt::format("{}-{}", from, last_like(from)))
                         : in_place(choice, offset, fmt::format("1-{}", to)));
    }
    if (from.size() == 1 && to.size() == 1 && is_letter(from[0]) && is_letter(to[0])) {
      return no_list(offset, choice.size(), "only numbers count", "write [a,b,c]");
    }
    if (const std::string meant = numbers_meant(choice); !meant.empty()) {
      return no_list(offset, choice.size(), fmt::format("{} is no range of numbers", choice),
                     in_place(choice, offset, meant));
    }
    out.emplace_back(choice);
    return out.size() <= limits::kListedHostsMax ? Done{} : too_many(text_);
  }

  Done count(std::string_view choice, std::string_view from, std::string_view to, size_t offset,
             Choices& out) {
    const bool is_padded = from.size() > 1 && from.front() == '0';
    const bool is_to_padded = to.size() > 1 && to.front() == '0';
    if (from.size() > kNumberDigitsMax || to.size() > kNumberDigitsMax) return too_many(text_);
    if ((is_padded || is_to_padded) && from.size() != to.size()) {
      return no_list(offset, choice.size(), fmt::format("{} and {} differ in length", from, to),
                     "write [01-40]");
    }
    uint32_t first = 0, last = 0;
    std::from_chars(from.data(), from.data() + from.size(), first);
    std::from_chars(to.data(), to.data() + to.size(), last);
    if (first > last) {
      return no_list(offset, choice.size(), fmt::format("{} is greater than {}", from, to),
                     fmt::format("write [{}-{}]", to, from));
    }
    if (last - first >= limits::kListedHostsMax - out.size()) return too_many(text_);
    const size_t width = is_padded ? from.size() : 1;
    for (uint32_t n = first; n <= last; ++n) out.push_back(fmt::format("{:0{}}", n, width));
    return {};
  }

  // The whole text with `meant` in the place of a choice.
  [[nodiscard]] std::string in_place(std::string_view choice, size_t offset,
                                     const std::string& meant) const {
    return fmt::format("write {}{}{}", text_.substr(0, offset), meant,
                       text_.substr(offset + choice.size()));
  }

  std::string_view text_;
};

struct Word {
  size_t offset = 0;
  std::string_view text;
};

// Up to a # at the begin of a word.
std::vector<Word> words_of_line(std::string_view line, size_t offset) {
  std::vector<Word> out;
  for (size_t at = 0; at < line.size();) {
    if (is_blank(line[at])) {
      ++at;
      continue;
    }
    if (line[at] == '#') break;
    const size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    out.push_back({offset + begin, line.substr(begin, at - begin)});
  }
  return out;
}

// The length of the name of label=value, where the word is one. host?container=web is none.
size_t label_name_length(std::string_view word) {
  size_t length = 0;
  while (length < word.size() &&
         (is_letter(word[length]) || is_digit(word[length]) || word[length] == '_')) {
    ++length;
  }
  const bool is_label = length > 0 && length < word.size() && word[length] == '=';
  return is_label && !is_digit(word[0]) ? length : 0;
}

std::expected<std::vector<ListedHost>, HostListProblem> hosts_of_line(
    const std::vector<Word>& words) {
  ListedHost host{.offset = words[0].offset, .length = words[0].text.size()};
  for (size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i].text;
    const size_t name = label_name_length(word);
    if (name > 0) {
      const auto [place, is_new] = host.labels.emplace(word.substr(0, name), word.substr(name + 1));
      if (is_new) continue;
      return no_list(words[i].offset, name, fmt::format("{} is given twice", place->first),
                     "leave one of them out");
    }
    if (i > 1) {
      return no_list(words[i].offset, word.size(), fmt::format("\"{}\" is not a label", word),
                     "write NAME [SPEC] [label=value …]");
    }
    host.spec = word;
  }
  auto names = expand_hosts(words[0].text);
  if (!names) {
    HostListProblem problem = names.error();
    problem.offset += words[0].offset;
    return std::unexpected(problem);
  }
  std::vector<ListedHost> out;
  for (std::string& name : *names) {
    out.push_back(host);
    out.back().name = std::move(name);
  }
  return out;
}

}  // namespace

std::expected<std::vector<std::string>, HostListProblem> expand_hosts(std::string_view text) {
  if (text.empty()) return no_list(0, 0, "an empty name", "write the name of a host");
  const size_t blank = static_cast<size_t>(std::ranges::find_if(text, is_blank) - text.begin());
  if (blank < text.size()) {
    return no_list(blank, 1, "a blank within a name", "write one name, or web[1-40]");
  }
  if (const size_t other = text.find_first_of("*{}"); other != text.npos) {
    return no_list(other, 1, fmt::format("no name of a host has a {}", text[other]),
                   text[other] == '*' ? "name each host, or count them: web[1-40]"
                                      : "write web[1-40], or web[1,3,7]");
  }
  if (const size_t comma = comma_between_hosts(text); comma != text.npos) {
    const bool digit = comma + 1 < text.size() && is_digit(text[comma + 1]);  // web1,2
    const bool fits = !digit && text.find_first_of("[]:") == text.npos;
    return no_list(
        comma, 1, "names have no , between them",
        fits ? fmt::format("name each by itself, or write [{}]", text) : "name each by itself");
  }
  auto parts = HostListReader(text).parts();
  if (!parts) return std::unexpected(parts.error());
  std::vector<std::string> out{std::string()};
  for (const Choices& part : *parts) {
    if (part.size() > limits::kListedHostsMax / out.size()) return too_many(text);
    std::vector<std::string> longer;
    longer.reserve(out.size() * part.size());
    for (const std::string& head : out) {
      for (const std::string& choice : part) longer.push_back(head + choice);
    }
    out = std::move(longer);
  }
  return out;
}

HostFile read_host_lines(std::string_view text) {
  HostFile out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::vector<Word> words = words_of_line(text.substr(at, end - at), at);
    at = end + 1;
    if (words.empty()) continue;
    auto hosts = hosts_of_line(words);
    if (!hosts) {
      out.problems.push_back(hosts.error());
    } else if (hosts->size() > limits::kListedHostsMax - out.hosts.size()) {
      out.problems.push_back(too_many(text).error());
      out.problems.back().offset = words[0].offset;
      out.problems.back().length = words[0].text.size();
      break;
    } else {
      std::ranges::move(*hosts, std::back_inserter(out.hosts));
    }
  }
  return out;
}

std::expected<std::string, HostListProblem> fill_host_spec(std::string_view spec,
                                                           std::string_view name,
                                                           const ListedLabels& labels) {
  std::string out;
  for (size_t i = 0; i < spec.size(); ++i) {
    const std::string_view rest = spec.substr(i);
    if (rest.starts_with("%n")) {
      out += name;
      ++i;
    } else if (rest.starts_with("%{")) {
      const size_t close = rest.find('}');
      if (close == rest.npos) return no_list(i, 2, "%{ without }", "write %{label}");
      const auto label = labels.find(rest.substr(2, close - 2));
      if (label == labels.end()) {
        return no_list(i, close + 1,
                       fmt::format("{} has no label {}", name, rest.substr(2, close - 2)),
                       "give it in labels, or write %n for the name");
      }
      out += label->second;
      i += close;
    } else {
      out += spec[i];
    }
  }
  return out;
}

}  // namespace pmjit
