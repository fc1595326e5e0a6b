// DebugSession: lines and their words.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>

#include "agent/debugger/debug_session.h"

namespace pmjit {

namespace {

struct DebugCommand {
  std::string_view word;
  void (DebugSession::*run)();
  std::string_view usage, help;
};
constexpr DebugCommand kDebugCommands[] = {
#define COMMAND(word, run, usage, help) {#word, &DebugSession::run, usage, help},
#include "agent/debugger/commands.def"
#undef COMMAND
};

struct CommandAlias {
  std::string_view word, command;
};
constexpr CommandAlias kAliases[] = {{"exit", "quit"}, {"q", "quit"}, {"attribute", "attr"}};

const DebugCommand* find_command(std::string_view word) {
  for (const CommandAlias& other : kAliases) {
    if (word == other.word) word = other.command;
  }
  const auto* const found = std::ranges::find(kDebugCommands, word, &DebugCommand::word);
  return found == std::end(kDebugCommands) ? nullptr : found;
}

// Their words alone do something.
bool works_alone(std::string_view command) {
  return command == "close" || command == "status" || command == "quit";
}

bool asks_for_help(const CommandWord& word) { return word.text == "help" || word.text == "?"; }

}  // namespace

bool DebugSession::do_line(std::string_view line, const LineSource& source) {
  source_ = source;
  line_ = line;
  words_ = command_words(line);
  next_ = 0;
  echoed_ = 0;
  failed_ = false;
  if (words_.empty()) {
    echo_to(line.size() + 1);
    return going_on_;
  }
  const CommandWord& first = words_[next_++];
  if (asks_for_help(first)) {
    do_help();
    return going_on_;
  }
  const DebugCommand* const command = find_command(first.text);
  if (command == nullptr) {
    mistake(first.kind == CommandWord::Kind::other ? "Illegal character" : "Unrecognized command");
  } else if (words_.size() == 1 && !works_alone(command->word)) {
    echo_to(line.size() + 1);
    fmt::print("{}", command->usage);
  } else {
    (this->*command->run)();
  }
  std::fflush(stdout);
  return going_on_;
}

void DebugSession::do_help() {
  if (peek() == nullptr) {
    echo_to(line_.size() + 1);
    std::string all = "help [ command ]\n\n";
    for (const DebugCommand& command : kDebugCommands) all += command.usage;
    fmt::print("{}\n", all);
    return;
  }
  const DebugCommand* const command = find_command(words_[next_++].text);
  if (command == nullptr) {
    mistake("syntax error");
  } else if (at_end()) {
    fmt::print("\n{}\n{}", command->usage, command->help);
  }
}

const CommandWord* DebugSession::peek() const {
  return next_ < words_.size() ? &words_[next_] : nullptr;
}

const CommandWord* DebugSession::take(CommandWord::Kind kind) {
  const CommandWord* const word = peek();
  if (word == nullptr || word->kind != kind) {
    if (word != nullptr) ++next_;
    mistake("syntax error");
    return nullptr;
  }
  ++next_;
  return word;
}

bool DebugSession::take_word(std::string_view word) {
  if (peek() == nullptr || peek()->text != word) return false;
  ++next_;
  return true;
}

std::optional<PmId> DebugSession::take_metric() {
  if (peek() != nullptr && peek()->kind == CommandWord::Kind::name) {
    const auto found = names_.lookup(words_[next_++].text);
    if (found) return *found;
    mistake(pm_error_text(found.error()));
    return {};
  }
  const CommandWord* const word = take(CommandWord::Kind::number);
  if (word == nullptr) return {};
  std::array<uint32_t, 3> parts{};
  std::ranges::copy(word->numbers, parts.end() - static_cast<ptrdiff_t>(word->numbers.size()));
  const PmId pmid = (parts[0] & 0x1ff) << 22 | (parts[1] & 0xfff) << 10 | (parts[2] & 0x3ff);
  if (names_.names_of(pmid).empty()) {
    echo_to(word->end + 1);
    std::fflush(stdout);
    fmt::print(stderr, "Warning: PMID ({}) is not defined in the PMNS\n", pmid_text(pmid));
  }
  return pmid;
}

std::optional<InDomId> DebugSession::take_indom() {
  const CommandWord* const word = take(CommandWord::Kind::number);
  if (word == nullptr) return {};
  if (word->numbers.size() == 1) return word->numbers[0];
  if (word->numbers.size() == 2) {
    return (word->numbers[0] & 0x1ff) << 22 | (word->numbers[1] & 0x3fffff);
  }
  mistake("syntax error");
  return {};
}

std::optional<std::string> DebugSession::take_path(std::string_view behind) {
  // Paths have other words than all else: from here on the line is read anew.
  const size_t begin = next_ == 0 ? 0 : words_[next_ - 1].end;
  words_.resize(next_);
  for (CommandWord& word : path_words(line_.substr(begin))) {
    word.end += begin;
    words_.push_back(std::move(word));
  }
  const CommandWord* const word = peek();
  if (word == nullptr) {
    mistake("syntax error");
    return {};
  }
  ++next_;
  const bool as_it_is =
      behind.empty() || word->text.starts_with('/') || word->text.starts_with('.');
  return as_it_is ? word->text : fmt::format("{}{}", behind, word->text);
}

bool DebugSession::take_switch(bool& setting) {
  if (take_word("on")) {
    setting = at_end() || setting;
    return true;
  }
  if (take_word("off")) {
    setting = !at_end() && setting;
    return true;
  }
  ++next_;
  mistake("syntax error");
  return false;
}

bool DebugSession::at_end() {
  if (failed_) return false;
  if (peek() != nullptr) {
    ++next_;
    mistake("syntax error");
    return false;
  }
  echo_to(line_.size() + 1);
  return true;
}

bool DebugSession::ready() {
  if (!at_end()) return false;
  if (agent_->is_open()) {
    waited_ = {};
    return true;
  }
  std::fflush(stdout);
  fmt::print(stderr, "Warning: No PMDA currently opened\n");
  return false;
}

void DebugSession::mistake(std::string_view what) {
  if (failed_) return;
  failed_ = true;
  echo_to(line_.size() + 1);
  const size_t last = std::min(next_, words_.size());
  const size_t end = last == 0 ? 0 : words_[last - 1].end;
  const size_t place = source_.prompt.size() + std::min(end + 1, line_.size()) - 1;
  fmt::print("{:>{}}^ at or near here\n", "", place);
  std::fflush(stdout);
  const std::string where =
      source_.file.empty() ? "" : fmt::format(" [{}, line {}]", source_.file, source_.number);
  fmt::print(stderr, "Error{}: {}\nType 'help' for a list of commands.\n", where, what);
}

void DebugSession::echo_to(size_t end) {
  if (!source_.echo || end <= echoed_) return;
  const std::string whole = std::string(line_) + "\n";
  fmt::print("{}", whole.substr(echoed_, end - echoed_));
  echoed_ = std::min(end, whole.size());
}

}  // namespace pmjit
