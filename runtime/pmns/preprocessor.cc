#include "runtime/pmns/preprocessor.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "runtime/base/chars.h"
#include "runtime/base/limits.h"

namespace pmjit {

namespace {

constexpr size_t kFilesMax = 5;  // that include each other, the first one counted
constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kExtraText = "Unexpected extra text in a control line";
constexpr std::string_view kTooLarge = "Text of more than 64 MB; include less, or shorter macros";
constexpr std::string_view kTooDeep = "#include and/or #shell nesting too deep";

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

struct Included {
  std::string name, content;
};

// As it is named, beside the file that includes it, among those that PCP has installed.
std::optional<Included> find_included(const std::string& name, const std::string& from,
                                      Surroundings& surroundings) {
  const size_t slash = from.rfind('/');
  const char* installed = std::getenv("PCP_VAR_DIR");
  const std::string folders[] = {
      "", slash == std::string::npos ? "" : from.substr(0, slash + 1),
      fmt::format("{}/pmns/", installed != nullptr ? installed : "/var/lib/pcp")};
  for (const std::string& folder : folders) {
    if (auto content = surroundings.file(folder + name))
      return Included{folder + name, *std::move(content)};
  }
  return std::nullopt;
}

std::string_view skip_blanks(std::string_view text) {
  const size_t at = text.find_first_not_of(kBlanks);
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

// Of a control line: what stands behind its keyword.
struct ControlLine {
  enum class Kind { define, undef, ifdef, ifndef, otherwise, endif, include, shell } kind;
  std::string_view rest;
};

constexpr std::pair<std::string_view, ControlLine::Kind> kControls[] = {
    {"define", ControlLine::Kind::define},   {"undef", ControlLine::Kind::undef},
    {"ifdef", ControlLine::Kind::ifdef},     {"ifndef", ControlLine::Kind::ifndef},
    {"else", ControlLine::Kind::otherwise},  {"endif", ControlLine::Kind::endif},
    {"include", ControlLine::Kind::include}, {"shell", ControlLine::Kind::shell},
};

std::optional<ControlLine> control_of(std::string_view line) {
  if (!line.starts_with('#')) return std::nullopt;
  line.remove_prefix(1);
  for (const auto& [keyword, kind] : kControls) {
    if (line.starts_with(keyword)) return ControlLine{kind, line.substr(keyword.size())};
  }
  return std::nullopt;
}

class Preprocessing {
 public:
  explicit Preprocessing(Surroundings& surroundings) : surroundings_(surroundings) {}

  Preprocessed whole(const std::string& path) {
    const auto content = surroundings_.file(path);
    if (!content) {
      told(path + ":", "No such file or directory");
      return std::move(made_);
    }
    mark(1, path);
    if (lines(path, *content)) check_end(path);
    return std::move(made_);
  }

 private:
  struct Input {
    const std::string& name;
    size_t line = 0;  // the number of that which is being read
    std::string_view text{};
  };

  // False: an error ends the work.
  bool lines(const std::string& name, std::string_view content);
  bool line(std::string_view text);
  bool control(const ControlLine& control);
  bool define(std::string_view rest);
  bool condition(const ControlLine& control);
  bool include(std::string_view rest);
  bool shell(std::string_view rest);
  bool insert(const std::string& name, std::string_view content);
  void check_end(const std::string& path);
  bool skipped() {
    made_.text += '\n';
    return true;
  }
  std::string without_comments(std::string_view text);
  std::string substituted(std::string_view text) const;
  std::optional<std::string_view> macro_name(std::string_view& rest);
  void mark(size_t number, std::string_view name) {
    made_.text += fmt::format("# {} \"{}\"\n", number, name);
  }
  // Both false.
  bool refuse(std::string_view message);
  bool told(std::string_view place, std::string_view message);

  Surroundings& surroundings_;
  Preprocessed made_;
  std::vector<Input*> inputs_;
  std::map<std::string, std::string, std::less<>> macros_;
  size_t comment_since_ = 0;  // its line; 0: no comment is open
  size_t open_since_ = 0;     // the line of the #ifdef or #ifndef that is open; 0: none is
  bool holds_ = false;        // its condition, turned by each #else
  bool skips_ = false;
};

bool Preprocessing::told(std::string_view place, std::string_view message) {
  made_.messages += fmt::format("pmcpp: {}\npmcpp: Error: {}\n", place, message);
  made_.sound = false;
  return false;
}

bool Preprocessing::refuse(std::string_view message) {
  const Input& input = *inputs_.back();
  return told(fmt::format("{}[{}]: {}", input.name, input.line, input.text), message);
}

void Preprocessing::check_end(const std::string& path) {
  if (comment_since_ != 0) {
    told(path + ":",
         fmt::format("Comment at line {} not terminated before end of file", comment_since_));
  } else if (open_since_ != 0) {
    told(path + ":",
         fmt::format("End of input and no matching #endif for #ifdef or #ifndef at line {}",
                     open_since_));
  }
}

// Of a whole file, or of a command's output. A last line that does not end is none.
bool Preprocessing::lines(const std::string& name, std::string_view content) {
  Input input{.name = name};
  inputs_.push_back(&input);
  for (size_t end = content.find('\n'); end != std::string_view::npos; end = content.find('\n')) {
    ++input.line;
    input.text = content.substr(0, end);
    content.remove_prefix(end + 1);
    if (!line(input.text)) return false;
    if (made_.text.size() > limits::kSourceBytesMax) return refuse(kTooLarge);
  }
  inputs_.pop_back();
  return true;
}

bool Preprocessing::line(std::string_view text) {
  const std::string stripped = without_comments(text);
  if (const auto found = control_of(stripped)) return control(*found);
  // A line that looks like control ends the skipping, as it does in the reference.
  if (stripped.starts_with('#')) skips_ = false;
  if (!skips_) made_.text += substituted(stripped);
  made_.text += '\n';
  return true;
}

// Blanks stand where a comment was, and none at the end of its line.
std::string Preprocessing::without_comments(std::string_view text) {
  std::string out;
  bool commented = comment_since_ != 0;
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view two = text.substr(i, 2);
    if (comment_since_ == 0 && two == "/*") {
      comment_since_ = inputs_.back()->line;
      commented = true;
      out += "  ";
      ++i;
    } else if (comment_since_ != 0 && two == "*/") {
      comment_since_ = 0;
      out += "  ";
      ++i;
    } else {
      out += comment_since_ != 0 ? ' ' : text[i];
    }
  }
  if (commented) out.erase(out.find_last_not_of(kBlanks) + 1);
  return out;
}

std::string Preprocessing::substituted(std::string_view text) const {
  if (macros_.empty()) return std::string(text);
  std::string out;
  for (size_t i = 0; i < text.size() && out.size() <= limits::kSourceBytesMax;) {
    size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    if (end == i) {
      out += text[i++];
      continue;
    }
    const auto found = macros_.find(text.substr(i, end - i));
    out += found == macros_.end() ? text.substr(i, end - i) : std::string_view(found->second);
    i = end;
  }
  return out;
}

bool Preprocessing::control(const ControlLine& control) {
  switch (control.kind) {
    case ControlLine::Kind::include: return include(control.rest);
    case ControlLine::Kind::shell: return shell(control.rest);
    case ControlLine::Kind::define: return define(control.rest);
    default: return condition(control);
  }
}

// Takes it off `rest`. None: that was an error.
std::optional<std::string_view> Preprocessing::macro_name(std::string_view& rest) {
  rest = skip_blanks(rest);
  const std::string_view name = rest.substr(0, std::min(rest.find_first_of(kBlanks), rest.size()));
  rest.remove_prefix(name.size());
  if (name.empty()) {
    refuse("Missing macro name");
    return std::nullopt;
  }
  if (is_digit(name[0]) || !std::ranges::all_of(name, is_word)) {
    refuse("Illegal character in macro name");
    return std::nullopt;
  }
  return name;
}

bool Preprocessing::define(std::string_view rest) {
  const auto name = macro_name(rest);
  if (!name) return false;
  rest = skip_blanks(rest);
  std::string_view value;
  if (rest.starts_with('\'') || rest.starts_with('"')) {
    const size_t end = rest.find(rest[0], 1);
    if (end == std::string_view::npos) return refuse("Unterminated value string in #define");
    value = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
  } else {
    value = rest.substr(0, std::min(rest.find_first_of(kBlanks), rest.size()));
    rest.remove_prefix(value.size());
  }
  if (!skip_blanks(rest).empty()) return refuse(kExtraText);
  if (!skips_ && !macros_.emplace(*name, value).second) return refuse("Macro redefinition");
  made_.text += '\n';
  return true;
}

bool Preprocessing::condition(const ControlLine& control) {
  std::string_view rest = control.rest;
  std::optional<std::string_view> name;
  const bool names =
      control.kind != ControlLine::Kind::otherwise && control.kind != ControlLine::Kind::endif;
  if (names && !(name = macro_name(rest))) return false;
  if (!skip_blanks(rest).empty()) return refuse(kExtraText);
  switch (control.kind) {
    case ControlLine::Kind::undef:
      if (const auto found = macros_.find(*name); !skips_ && found != macros_.end()) {
        macros_.erase(found);
      }
      break;
    case ControlLine::Kind::otherwise:
      if (open_since_ == 0) return refuse("No matching #ifdef or #ifndef for #else");
      holds_ = !holds_;
      skips_ = !holds_;
      break;
    case ControlLine::Kind::endif:
      if (open_since_ == 0) return refuse("No matching #ifdef or #ifndef for #endif");
      open_since_ = 0;
      skips_ = false;
      break;
    default:
      if (open_since_ != 0) return refuse("Nested #ifdef or #ifndef");
      open_since_ = inputs_.back()->line;
      holds_ = macros_.contains(*name) == (control.kind == ControlLine::Kind::ifdef);
      skips_ = !holds_;
  }
  made_.text += '\n';
  return true;
}

bool Preprocessing::include(std::string_view rest) {
  if (skips_) return skipped();
  rest = skip_blanks(rest);
  const char open = rest.empty() ? '\0' : rest[0];
  if (open != '"' && open != '<') return refuse("Expected \" or < after #include");
  const char close = open == '<' ? '>' : '"';
  const size_t end = rest.find(close, 1);
  if (end == std::string_view::npos) {
    return refuse(fmt::format("Expected {} after file name", close));
  }
  if (!skip_blanks(rest.substr(end + 1)).empty()) {
    return refuse("Unexpected extra text in #include line");
  }
  const std::string name(rest.substr(1, end - 1));
  const auto found = find_included(name, inputs_.back()->name, surroundings_);
  if (!found) return refuse("Cannot open file for #include");
  if (inputs_.size() == kFilesMax) return refuse(kTooDeep);
  return insert(found->name, found->content);
}

bool Preprocessing::shell(std::string_view rest) {
  if (skips_) return skipped();
  rest = skip_blanks(rest);
  const char quote = rest.empty() ? '\0' : rest[0];
  if (quote != '"' && quote != '\'') return refuse("Expected \" or ' after #shell");
  const size_t end = rest.find(quote, 1);
  if (end == std::string_view::npos) return refuse(fmt::format("Expected {} after command", quote));
  if (!skip_blanks(rest.substr(end + 1)).empty()) {
    return refuse("Unexpected extra text in #shell line");
  }
  if (inputs_.size() == kFilesMax) return refuse(kTooDeep);
  const auto [output, status] = surroundings_.shell(std::string(rest.substr(1, end - 1)));
  if (!insert("<shell>", output)) return false;
  if (status != 0) {
    made_.messages += fmt::format("Warning: #shell cmd returns {} exit status\n", status);
  }
  return true;
}

bool Preprocessing::insert(const std::string& name, std::string_view content) {
  mark(1, name);
  if (!lines(name, content)) return false;
  mark(inputs_.back()->line + 1, inputs_.back()->name);
  return true;
}

}  // namespace

Preprocessed preprocess(const std::string& path, Surroundings& surroundings) {
  return Preprocessing(surroundings).whole(path);
}

}  // namespace pmjit
