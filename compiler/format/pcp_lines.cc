// The lines of a file in libpcp's dialects (spec derived-metrics.md §6.2, §6.3), for one who has no
// other file: attributes of metrics that another one may define are let pass.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "compiler/compat/definitions/parse.h"
#include "compiler/differences/definitions/explain_refused.h"
#include "compiler/format/lines.h"
#include "compiler/parse/stages.h"
#include "runtime/base/blanks.h"

namespace pmjit::format {
namespace {

constexpr std::string_view kBlanks = " \t\n\v\f\r";
constexpr std::string_view kAttributeForm = "write name(oneline) = text, or name(helptext) = text";

// Letters first in every part; a dot at the end slips through.
bool is_metric_name(std::string_view name) {
  bool begins = true;
  for (const char c : name) {
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    const bool later = (c >= '0' && c <= '9') || c == '_' || c == '.';
    if (!letter && (begins || !later)) return false;
    begins = c == '.';
  }
  return !name.empty();
}

// What a quoted text means: \x is x, and \ newline nothing.
std::string meaning_of(std::string_view inside) {
  std::string out;
  for (size_t i = 0; i < inside.size(); ++i) {
    if (inside[i] == '\\' && i + 1 < inside.size() && inside[++i] == '\n') continue;
    out += inside[i];
  }
  return with_plain_newlines(out);
}

class PcpReader {
 public:
  PcpReader(std::string_view file, bool completed, Dialect dialect, Diags& diags)
      : file_(file), completed_(completed), dialect_(dialect), diags_(diags) {}

  std::vector<Line> read() {
    bool whole = true;
    while (whole && at_ < file_.size()) {
      begin_ = at_;
      next_line();
      Diags found;
      Line line;
      read_line(line, found);
      if (found.has_errors()) line = {.kind = LineKind::refused};
      const size_t end = at_ > begin_ && file_[at_ - 1] == '\n' ? at_ - 1 : at_;
      line.bytes = file_.substr(begin_, end - begin_);
      result_.push_back(std::move(line));
      whole = parse::add_bounded(found, diags_);
    }
    // More errors than are shown: the rest is not read.
    if (at_ < file_.size()) {
      result_.push_back(
          {.kind = LineKind::refused, .bytes = file_.substr(at_, file_.size() - at_ - 1)});
    }
    return std::move(result_);
  }

 private:
  // The next line with those that it continues on into joined_, and at_ behind it.
  void next_line() {
    joined_.clear();
    for (bool more = true; more;) {
      const size_t end = std::min(file_.find('\n', at_), file_.size());
      const std::string_view part = file_.substr(at_, end - at_);
      joined_ += part;
      at_ = std::min(end + 1, file_.size());
      more = dialect_ != Dialect::pcp6 && part.ends_with('\\') && end < file_.size();
      if (more) joined_.pop_back();
    }
  }

  // Where in the file a byte of joined_ stands.
  [[nodiscard]] size_t in_file(size_t joined) const {
    size_t at = begin_;
    const auto skip_joints = [&] {
      while (dialect_ != Dialect::pcp6 && file_.substr(at, 2) == "\\\n") at += 2;
    };
    skip_joints();
    for (; joined > 0; --joined) {
      ++at;
      skip_joints();
    }
    return at;
  }
  [[nodiscard]] Span place(std::string_view part) const {
    const auto begin = static_cast<size_t>(part.data() - joined_.data());
    const size_t end = part.empty() ? begin : begin + part.size() - 1;
    return {static_cast<uint32_t>(in_file(begin)),
            static_cast<uint32_t>(in_file(end) + (part.empty() ? 0 : 1))};
  }
  void refuse(Diags& found, std::string_view part, std::string_view what, std::string_view help) {
    found.add(DiagCode::P_ConfigLine, place(part), what).help(std::string(help));
  }

  void read_line(Line& out, Diags& found) {
    const std::string_view line = joined_;
    if (without_blanks(line).empty()) return read_blanks(line, found);
    if (line.front() == '#') {
      out.kind = LineKind::comment;
      return;
    }
    const size_t equals = line.find('=');
    if (equals == line.npos) {
      return refuse(found, without_blanks(line), "no = in this line",
                    "write name = expression; a comment begins with # in the first column");
    }
    const std::string_view left = line.substr(0, equals);
    const size_t open = left.find('(');
    const std::string_view name = without_blanks(left.substr(0, open));
    if (name.empty()) {
      return refuse(found, name, "the metric's name is missing", "write name = expression");
    }
    if (!is_metric_name(name)) {
      return refuse(found, name, "this is not a metric name",
                    "a name is words of letters, digits and _ that begin with a letter, with a dot "
                    "between two");
    }
    out.name = name;
    if (open != left.npos) return read_attribute(out, open, equals, found);
    out.kind = LineKind::definition;
    define(out, name, equals, found);
  }

  // To libpcp no empty line, but where it was passed over for lack of a newline.
  void read_blanks(std::string_view line, Diags& found) {
    if (line.empty() || (completed_ && at_ == file_.size())) return;
    refuse(found, line, "no = in this line", "an empty line has no blanks and no CR here");
  }

  void define(Line& out, std::string_view name, size_t equals, Diags& found) {
    const std::string_view line = joined_;
    const size_t first = line.find_first_not_of(kBlanks, equals + 1);
    if (first == line.npos) {
      return refuse(found, line.substr(equals, 1),
                    "no expression after this =", "write name = expression");
    }
    if (defined_.contains(out.name)) {
      found.add(DiagCode::S_Duplicate, place(name), out.name).help("the first definition stays");
      return;
    }
    out.text = std::make_shared<const std::string>(line.substr(first));
    auto ast = pcp::parse(*out.text, dialect_, in_pattern_);
    if (!ast) {
      const pcp::SyntaxError& error = ast.error();
      const size_t at = first + static_cast<size_t>(std::max<int64_t>(error.offset, 0));
      Diag& diag = found.add(DiagCode::P_Syntax, place(line.substr(at, 1)),
                             error.message.empty() ? "this is not allowed here" : error.message);
      const auto in_line = [&](Span within) {
        return place(
            line.substr(std::min(first + within.begin, line.size()), within.end - within.begin));
      };
      explain_refused(*out.text, in_line, diag);
      return;
    }
    defined_.insert(out.name);
    out.ast = *std::move(ast);
  }

  void read_attribute(Line& out, size_t open, size_t equals, Diags& found) {
    const std::string_view line = joined_, left = line.substr(0, equals);
    out.kind = LineKind::attribute;
    const size_t close = left.find(')', open);
    if (close == left.npos) {
      return refuse(found, left.substr(open, 1), "this ( has no )", kAttributeForm);
    }
    const std::string_view key = without_blanks(left.substr(open + 1, close - open - 1));
    out.key = key;
    out.before_equals = without_blanks(left.substr(close + 1));
    if (key.empty()) {
      return refuse(found, left.substr(open, 2), "the attribute's name is missing", kAttributeForm);
    }
    if (!read_value(out, equals, found)) return;
    if (key != "oneline" && key != "helptext") {
      refuse(found, key, "there is no such attribute", kAttributeForm);
    } else if (!attributed_.insert(out.name + '(' + out.key).second) {
      refuse(found, left.substr(0, close + 1),
             fmt::format("{} of {} is given twice", key, out.name), "remove one of them");
    }
  }

  bool read_value(Line& out, size_t equals, Diags& found) {
    const std::string_view line = joined_;
    const size_t first = std::min(line.find_first_not_of(kBlanks, equals + 1), line.size());
    std::string_view text = line.substr(first);
    const bool quoted = text.starts_with('"') || text.starts_with('\'');
    // A quote that the line ends with opens nothing.
    if (text.size() <= (quoted ? 1 : 0)) {
      refuse(found, line.substr(equals, 1), "no text after this =", "for an empty text write \"\"");
      return false;
    }
    if (quoted) return read_quoted(out, in_file(first), found);
    // The CR of a CR LF goes, but where it keeps a \ from joining the next line.
    while (text.ends_with('\r') && !text.ends_with("\\\r")) text.remove_suffix(1);
    out.value = out.written = text;
    // Only behind a joint with nothing can a text of pcp7 end so.
    if (dialect_ != Dialect::pcp6 && text.ends_with('\\')) out.written += "\\\n";
    return true;
  }

  // Runs over lines, so at_ changes; what stands behind the closing quote is passed over.
  bool read_quoted(Line& out, size_t begin, Diags& found) {
    size_t close = begin + 1;
    while (close < file_.size() && file_[close] != file_[begin]) {
      close += file_[close] == '\\' ? 2 : 1;
    }
    if (close >= file_.size()) {
      at_ = file_.size();
      const auto place = static_cast<uint32_t>(begin);
      found.add(DiagCode::P_Unterminated, {place, place + 1}, "text of an attribute")
          .help("it ends with the quote that it begins with");
      return false;
    }
    const size_t end = std::min(file_.find('\n', close), file_.size());
    at_ = std::min(end + 1, file_.size());
    out.value = meaning_of(file_.substr(begin + 1, close - begin - 1));
    out.written = quoted_with_plain_newlines(file_.substr(begin, close + 1 - begin), dialect_);
    out.behind_value = without_blanks(file_.substr(close + 1, end - close - 1));
    return true;
  }

  std::string_view file_;
  bool completed_;
  Dialect dialect_;
  Diags& diags_;
  std::vector<Line> result_;
  size_t begin_ = 0, at_ = 0;  // of the present line, and behind it
  std::string joined_;         // the present line
  bool in_pattern_ = false;    // of the scanner, from line to line
  // Two metrics are always there, with their texts.
  std::set<std::string> defined_{"event.flags", "event.missed"};
  std::set<std::string> attributed_{"event.flags(oneline", "event.flags(helptext",
                                    "event.missed(oneline", "event.missed(helptext"};
};

}  // namespace

std::vector<Line> read_pcp_lines(std::string_view file, bool completed, Dialect dialect,
                                 Diags& diags) {
  return PcpReader(file, completed, dialect, diags).read();
}

}  // namespace pmjit::format
