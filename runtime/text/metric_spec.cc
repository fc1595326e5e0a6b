#include "runtime/text/metric_spec.h"

#include <cctype>
#include <optional>

#include "runtime/base/blanks.h"
#include "runtime/base/chars.h"
#include "runtime/model/pm_codes.h"
#include "runtime/text/interval.h"

namespace pmjit {

namespace {

constexpr char kQuoteNext = '\\';

// A backslash is taken away from before any character; one at the end has none to quote and stays.
std::string unquoted(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == kQuoteNext && i + 1 < text.size()) ++i;
    out += text[i];
  }
  return out;
}

struct Mistake {
  size_t column;
  std::string_view why;
};

class SpecReader {
 public:
  explicit SpecReader(std::string_view text) : text_(text) {}

  std::optional<Mistake> read(MetricSpec& out) {
    if (auto mistake = source(out.from)) return mistake;
    if (auto mistake = metric(out.metric)) return mistake;
    skip_blanks();
    if (done()) return std::nullopt;
    if (text_[at_] != '[') return Mistake{at_, "unexpected extra characters"};
    const size_t from = at_ + 1;
    if (auto mistake = skip_bracket()) return mistake;
    SpecReader inside(text_.substr(0, at_ - 1));
    skip_blanks();
    if (!done()) return Mistake{at_, "unexpected extra characters"};
    inside.at_ = from;
    return inside.instances(out.instances);
  }

 private:
  [[nodiscard]] bool done() const { return at_ >= text_.size(); }
  void skip_blanks() {
    while (!done() && is_blank(text_[at_])) ++at_;
  }
  void step() { at_ += text_[at_] == kQuoteNext && at_ + 1 < text_.size() ? 2 : 1; }

  // Up to the rightmost ':' or '/' before any instances; quoting does not protect it.
  std::optional<Mistake> source(MetricSource& out) {
    const size_t end = text_.substr(0, text_.find('[')).find_last_of(":/");
    if (end == text_.npos) return std::nullopt;
    const std::string_view name = without_blanks(text_.substr(0, end));
    const bool archive = text_[end] == '/';
    if (name.empty()) return Mistake{end, archive ? "archive name expected" : "host name expected"};
    out.kind = archive ? SourceKind::archive : name == "@" ? SourceKind::local : SourceKind::host;
    out.source = unquoted(name);
    at_ = end + 1;
    return std::nullopt;
  }

  std::optional<Mistake> metric(std::string& out) {
    skip_blanks();
    const size_t from = at_;
    while (!done() && !is_blank(text_[at_]) && text_[at_] != '[') {
      if (text_[at_] == ']' || text_[at_] == ',') {
        return Mistake{at_, "unexpected character in metric name"};
      }
      step();
    }
    if (at_ == from) return Mistake{at_, "performance metric name expected"};
    out = unquoted(text_.substr(from, at_ - from));
    return std::nullopt;
  }

  // The end is looked for first, and any quotation mark counts there; the names between are read
  // last.
  std::optional<Mistake> skip_bracket() {
    bool quoted = false;
    for (++at_; !done() && (quoted || text_[at_] != ']'); step()) {
      if (text_[at_] == '"') quoted = !quoted;
    }
    if (done())
      return Mistake{text_.size(), quoted ? "closing \" and ] expected" : "closing ] expected"};
    ++at_;
    return std::nullopt;
  }

  std::optional<Mistake> instances(std::vector<std::string>& out) {
    skip_blanks();
    while (!done()) {
      const bool quoted = text_[at_] == '"';
      if (quoted) ++at_;
      const size_t from = at_;
      while (!done() && (quoted ? text_[at_] != '"' : !is_blank(text_[at_]) && text_[at_] != ',')) {
        step();
      }
      // A mark that ended a mark within a name, a moment ago, begins a name here.
      if (quoted && done()) return Mistake{at_, "closing \" expected (pmParseMetricSpec botch?)"};
      out.push_back(unquoted(text_.substr(from, at_ - from)));
      if (quoted) ++at_;
      while (!done() && (is_blank(text_[at_]) || text_[at_] == ',')) ++at_;
    }
    return std::nullopt;
  }

  std::string_view text_;
  size_t at_ = 0;
};

}  // namespace

Result<MetricSpec> parse_metric_spec(std::string_view text, const MetricSource& otherwise) {
  MetricSpec out{.from = otherwise, .metric = {}, .instances = {}};
  if (const auto mistake = SpecReader(text).read(out)) {
    return fail(Error(Fault::usage, caret_text(text, mistake->column, mistake->why))
                    .pm_code(pm_err::E_GENERIC));
  }
  return out;
}

}  // namespace pmjit
