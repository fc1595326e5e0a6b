// Pages of codes as part of a man page: paragraphs, examples and what to do.
#include <fmt/format.h>

#include <ranges>

#include "rules/code_pages/code_pages.h"

namespace pmjit {

namespace {

constexpr std::string_view kIndent = "    ";  // of the lines of an example

// What stands between backquotes is bold.
std::string roff_line(std::string_view text) {
  // A line of roff that begins so is a request.
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  bool bold = false;
  for (const char c : text) {
    switch (c) {
      case '\\': out += "\\e"; break;
      case '-': out += "\\-"; break;
      case '\'': out += "\\(aq"; break;
      case '"': out += "\\(dq"; break;
      case '`': out += (bold = !bold) ? "\\fB" : "\\fR"; break;
      default: out += c;
    }
  }
  return out;
}

// Writes a page line by line. A paragraph is one line of roff, for bold text may go over two.
class ManPage {
 public:
  void line(std::string_view text) {
    if (text.starts_with(kIndent)) {
      end_paragraph();
      out_ += in_example_ ? "" : ".PP\n.EX\n";
      in_example_ = true;
      out_ += roff_line(text.substr(kIndent.size())) + "\n";
    } else if (text.starts_with("# ")) {
      out_ += fmt::format(".SS \"{}\"\n", roff_line(text.substr(2)));
    } else if (text.starts_with("## ")) {
      end_example();
      paragraph_ = fmt::format("`{}`", text.substr(3));
      end_paragraph();
    } else if (!text.empty()) {
      end_example();
      paragraph_ += fmt::format("{}{}", paragraph_.empty() ? "" : " ", text);
    } else {
      end_paragraph();
    }
  }

  [[nodiscard]] std::string take() {
    end_paragraph();
    end_example();
    return std::move(out_);
  }

 private:
  void end_paragraph() {
    if (paragraph_.empty()) return;
    out_ += ".PP\n" + roff_line(paragraph_) + "\n";
    paragraph_.clear();
  }
  void end_example() {
    if (in_example_) out_ += ".EE\n";
    in_example_ = false;
  }

  std::string out_, paragraph_;
  bool in_example_ = false;
};

}  // namespace

std::string pages_for_man() {
  ManPage man;
  for (const CodePage& page : code_pages()) {
    for (const auto part : std::views::split(page.text, '\n')) {
      man.line(std::string_view(part.begin(), part.end()));
    }
  }
  return man.take();
}

}  // namespace pmjit
